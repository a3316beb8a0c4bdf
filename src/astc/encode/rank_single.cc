// Ranks what blocks could be with one partition, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/rank_single.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

void rank_single_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                           TexelChunk<Rgba8Texels>& chunk) {
  rank_one_partition(tables, settings, chunk);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(rank_single_on_target);

void rank_single(const EncodeTables& tables, const EncodeSettings& settings,
                 TexelChunk<Rgba8Texels>& chunk) {
  TESSERA_DISPATCH(rank_single_on_target)(tables, settings, chunk);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
