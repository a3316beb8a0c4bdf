// Ranks what blocks could be with one partition and two planes, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/rank_two_planes.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank_two_planes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

void rank_two_planes_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                               size_t count, TexelChunk<Rgba8Texels>& chunk) {
  rank_with_two_planes(tables, settings, count, chunk);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(rank_two_planes_on_target);

void rank_two_planes(const EncodeTables& tables, const EncodeSettings& settings, size_t count,
                     TexelChunk<Rgba8Texels>& chunk) {
  TESSERA_DISPATCH(rank_two_planes_on_target)(tables, settings, count, chunk);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
