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
  const RankContext context = rank_context(tables, settings);
  TexelPlanes planes;
  const size_t promising = rank_with_one_plane(context, planes, chunk);
  if (settings.dual_plane) {
    rank_with_two_planes(context, promising, planes, chunk);
  }
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
