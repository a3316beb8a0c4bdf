// Ranks what blocks could be with one partition and one plane, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/rank_one_plane.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

size_t rank_one_plane_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                                TexelChunk<Rgba8Texels>& chunk) {
  return rank_with_one_plane(tables, settings, chunk);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(rank_one_plane_on_target);

size_t rank_one_plane(const EncodeTables& tables, const EncodeSettings& settings,
                      TexelChunk<Rgba8Texels>& chunk) {
  return TESSERA_DISPATCH(rank_one_plane_on_target)(tables, settings, chunk);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
