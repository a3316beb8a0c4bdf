// Fits opaque blocks of HDR, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/fit_hdr_opaque.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/fit_jobs-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

void fit_hdr_opaque_on_target(const FitContext& context, TexelChunk<LnsTexels>& chunk,
                              FitJobs& jobs) {
  fit_class<LnsTexels, 1>(context, chunk, jobs);
  fit_class<LnsTexels, 3>(context, chunk, jobs);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(fit_hdr_opaque_on_target);

void fit_hdr_opaque(const FitContext& context, TexelChunk<LnsTexels>& chunk, FitJobs& jobs) {
  TESSERA_DISPATCH(fit_hdr_opaque_on_target)(context, chunk, jobs);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
