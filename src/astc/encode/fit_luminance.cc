#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/fit_luminance.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/fit_items-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

void fit_luminance_on_target(const FitContext& context, Chunk& chunk, Items& items) {
  fit_class<1>(context, chunk, items);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(fit_luminance_on_target);

void fit_luminance(const FitContext& context, Chunk& chunk, Items& items) {
  TESSERA_DISPATCH(fit_luminance_on_target)(context, chunk, items);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
