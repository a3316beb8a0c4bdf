// Ranks what blocks of HDR could be, with one partition and with several, compiled once per target.
#include "astc/encode/stages.h"

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "astc/encode/rank_hdr.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank_partitions-inl.h"
#include "astc/encode/rank_two_planes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

size_t rank_hdr_one_plane_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                                    TexelChunk<LnsTexels>& chunk) {
  return rank_with_one_plane(tables, settings, chunk);
}

void rank_hdr_two_planes_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                                   size_t count, TexelChunk<LnsTexels>& chunk) {
  rank_with_two_planes(tables, settings, count, chunk);
}

void rank_hdr_partitions_on_target(const EncodeTables& tables, const EncodeSettings& settings,
                                   TexelChunk<LnsTexels>& chunk) {
  rank_several_partitions(tables, settings, chunk);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::astc {

TESSERA_EXPORT(rank_hdr_one_plane_on_target);
TESSERA_EXPORT(rank_hdr_two_planes_on_target);
TESSERA_EXPORT(rank_hdr_partitions_on_target);

size_t rank_one_plane(const EncodeTables& tables, const EncodeSettings& settings,
                      TexelChunk<LnsTexels>& chunk) {
  return TESSERA_DISPATCH(rank_hdr_one_plane_on_target)(tables, settings, chunk);
}

void rank_two_planes(const EncodeTables& tables, const EncodeSettings& settings, size_t count,
                     TexelChunk<LnsTexels>& chunk) {
  TESSERA_DISPATCH(rank_hdr_two_planes_on_target)(tables, settings, count, chunk);
}

void rank_partitions(const EncodeTables& tables, const EncodeSettings& settings,
                     TexelChunk<LnsTexels>& chunk) {
  TESSERA_DISPATCH(rank_hdr_partitions_on_target)(tables, settings, chunk);
}

}  // namespace tessera::astc
#endif  // TESSERA_ONCE
