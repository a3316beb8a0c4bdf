// Fits blocks of HDR with alpha, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/fit_hdr_alpha.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/fit_jobs-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

void fit_hdr_alpha_on_target(const FitContext& context, TexelChunk<LnsTexels>& chunk,
                             FitJobs& jobs) {
  fit_class<LnsTexels, 4>(context, chunk, jobs);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(fit_hdr_alpha_on_target);

void fit_hdr_alpha(const FitContext& context, TexelChunk<LnsTexels>& chunk, FitJobs& jobs) {
  TESSERA_DISPATCH(fit_hdr_alpha_on_target)(context, chunk, jobs);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
