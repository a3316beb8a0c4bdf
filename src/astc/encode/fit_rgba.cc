#include "astc/encode/stages.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "astc/encode/fit_rgba.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "astc/encode/fit_items-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

void fit_rgba_on_target(const FitContext& context, Chunk& chunk, Items& items) {
  fit_class<4>(context, chunk, items);
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::astc {

HWY_EXPORT(fit_rgba_on_target);

void fit_rgba(const FitContext& context, Chunk& chunk, Items& items) {
  HWY_DYNAMIC_DISPATCH(fit_rgba_on_target)(context, chunk, items);
}

}  // namespace tessera::astc
#endif  // HWY_ONCE
