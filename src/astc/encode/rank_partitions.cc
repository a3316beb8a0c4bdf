#include "astc/encode/stages.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "astc/encode/rank_partitions.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank_partitions-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

void rank_partitions_on_target(const CandidateTable& table, BlockSize size,
                               const EncodeSettings& settings, Chunk& chunk) {
  const RankContext context = rank_context(table, size, settings);
  TexelPlanes planes;
  rank_with_partitions(context, planes, chunk);
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::astc {

HWY_EXPORT(rank_partitions_on_target);

void rank_partitions(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                     Chunk& chunk) {
  HWY_DYNAMIC_DISPATCH(rank_partitions_on_target)(table, size, settings, chunk);
}

}  // namespace tessera::astc
#endif  // HWY_ONCE
