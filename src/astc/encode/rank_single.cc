#include "astc/encode/stages.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "astc/encode/rank_single.cc"
#include "hwy/foreach_target.h"
// foreach_target.h comes first: it includes this file again for every target.
#include "astc/encode/rank-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

void rank_single_on_target(const CandidateTable& table, BlockSize size,
                           const EncodeSettings& settings, Chunk& chunk) {
  const RankContext context = rank_context(table, size, settings);
  TexelPlanes planes;
  const size_t promising = rank_with_one_plane(context, planes, chunk);
  if (settings.dual_plane) {
    rank_with_two_planes(context, promising, planes, chunk);
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::astc {

HWY_EXPORT(rank_single_on_target);

void rank_single(const CandidateTable& table, BlockSize size, const EncodeSettings& settings,
                 Chunk& chunk) {
  HWY_DYNAMIC_DISPATCH(rank_single_on_target)(table, size, settings, chunk);
}

}  // namespace tessera::astc
#endif  // HWY_ONCE
