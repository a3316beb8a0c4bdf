// All splits of the texels, in their order along the axis, into four (or three) runs of one step
// each: cluster fit (Simon Brown, 2006).
//
// With colours taken from their mean, the part of the variance that a split explains is
// |Σ s·x|² / (Σs² − (Σs)²/n), and Σ s·x is a sum of two or three tail sums: about a dozen vector
// operations for each of the 969 splits (153 for three colours), whose divisors are the same in all
// lanes. The best few are solved on the 5:6:5 lattice and measured exactly: the unrounded ends of
// the very best may lie outside the range of colours.
#if defined(TESSERA_BC_FIT_CLUSTER_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_FIT_CLUSTER_INL_H_
#undef TESSERA_BC_FIT_CLUSTER_INL_H_
#else
#define TESSERA_BC_FIT_CLUSTER_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/cluster_table.h"
#include "bc/measure-inl.h"
#include "bc/solve-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// Texels in order: position in the high bits, number in the low four.
TESSERA_INLINE void sort_keys(I32 keys[kBlockTexels]) {
  for (const auto& [a, b] : kSortNetwork) {
    const I32 low = lanes::min(keys[a], keys[b]);
    keys[b] = lanes::max(keys[a], keys[b]);
    keys[a] = low;
  }
}

struct SortedBlock {
  I32 number[kBlockTexels];       // texel at each rank; those that are not fitted come last
  F32 tail[3][kBlockTexels + 1];  // Σ of 16·(colour − mean) from a rank to the end
};

template <int kSteps>
TESSERA_NOINLINE void sort_block(const BlockLanes& block, const Settings& settings,
                                 SortedBlock& sorted) {
  const Color axis = principal_axis(moments(block), settings);
  Positions positions;
  project<kSteps == 2>(block, axis, positions);
  I32 keys[kBlockTexels];
  for (size_t i = 0; i < kBlockTexels; ++i) {
    I32 along = positions.along[i] - positions.low;
    if constexpr (kSteps == 2) {
      along = lanes::select(is_fitted(block, i), along, all_lanes((1 << 27) - 1));
    }
    keys[i] = lanes::shift_left<4>(along) | all_lanes(static_cast<int32_t>(i));
  }
  sort_keys(keys);

  TESSERA_ALIGN int32_t texels[kBlockTexels * lanes::kMaxLaneCount];
  for (size_t i = 0; i < kBlockTexels; ++i) {
    lanes::store(lanes::as_i32(block.texels[i]), texels + i * lanes::lane_count());
  }
  const F32 inverse_count = reciprocal(lanes::to_f32(lanes::max(block.count, all_lanes(1))));
  F32 mean[3];
  for (size_t c = 0; c < 3; ++c) {
    mean[c] = lanes::to_f32(block.sum[c]) * inverse_count;
    sorted.tail[c][kBlockTexels] = lanes::all_lanes_f32(0.0F);
  }
  for (size_t rank = kBlockTexels; rank-- > 0;) {
    const I32 number = keys[rank] & all_lanes(15);
    sorted.number[rank] = number;
    const I32 index =
        number * all_lanes(static_cast<int32_t>(lanes::lane_count())) + lanes::lane_numbers();
    const Color color = unpack_color(lanes::as_u8x4(lanes::gather(texels, index)));
    const I32 channels[3] = {color.r, color.g, color.b};
    for (size_t c = 0; c < 3; ++c) {
      F32 deviation = lanes::to_f32(channels[c]) - mean[c];
      if constexpr (kSteps == 2) {
        deviation =
            lanes::zero_unless(all_lanes(static_cast<int32_t>(rank)) < block.count, deviation);
      }
      sorted.tail[c][rank] = sorted.tail[c][rank + 1] + deviation;
    }
  }
}

// The best splits so far, best first.
struct BestSplits {
  F32 explained[kMaxClusterKeep];
  I32 split[kMaxClusterKeep];  // ranks at which the step grows, five bits each
};

TESSERA_NOINLINE void keep_split(F32 explained, I32 split, uint32_t keep, BestSplits& best) {
  for (uint32_t k = 0; k < keep; ++k) {
    const LaneMask better = explained > best.explained[k];
    const F32 displaced = best.explained[k];
    const I32 displaced_split = best.split[k];
    best.explained[k] = lanes::max(explained, displaced);
    best.split[k] = lanes::select(better, split, displaced_split);
    explained = lanes::min(explained, displaced);
    split = lanes::select(better, displaced_split, split);
  }
}

// |Σ s·x|² of the weighted colours.
TESSERA_INLINE F32 weighted_square(const F32 v[3], const F32 weight[3]) {
  return v[0] * v[0] * weight[0] + v[1] * v[1] * weight[1] + v[2] * v[2] * weight[2];
}

// What a new split must pass to be kept: compared first, since few do.
TESSERA_INLINE void offer_split(F32 explained, int32_t split, uint32_t keep, BestSplits& best) {
  if (lanes::any_lane(explained > best.explained[keep - 1])) {
    keep_split(explained, all_lanes(split), keep, best);
  }
}

TESSERA_INLINE void search_thirds(const SortedBlock& sorted, const F32 weight[3], uint32_t keep,
                                  BestSplits& best) {
  const float* inverse = thirds_inverse().data();
  for (size_t i = 0; i <= kBlockTexels; ++i) {
    for (size_t j = i; j <= kBlockTexels; ++j) {
      F32 both[3];
      for (size_t c = 0; c < 3; ++c) {
        both[c] = sorted.tail[c][i] + sorted.tail[c][j];
      }
      for (size_t k = j; k <= kBlockTexels; ++k, ++inverse) {
        const F32 sums[3] = {both[0] + sorted.tail[0][k], both[1] + sorted.tail[1][k],
                             both[2] + sorted.tail[2][k]};
        const F32 explained = weighted_square(sums, weight) * lanes::all_lanes_f32(*inverse);
        offer_split(explained, static_cast<int32_t>(i | (j << 5) | (k << 10)), keep, best);
      }
    }
  }
}

// Blocks differ in how many texels are fitted, so the divisor is one a lane.
TESSERA_INLINE void search_halves(const BlockLanes& block, const SortedBlock& sorted,
                                  const F32 weight[3], uint32_t keep, BestSplits& best) {
  const I32 n = block.count;
  for (size_t i = 0; i <= kBlockTexels; ++i) {
    for (size_t j = i; j <= kBlockTexels; ++j) {
      // From rank i on the step is 1, from rank j on it is 2, up to the n fitted texels.
      const I32 zero = all_lanes(0);
      const I32 from_i = lanes::max(n - all_lanes(static_cast<int32_t>(i)), zero);
      const I32 from_j = lanes::max(n - all_lanes(static_cast<int32_t>(j)), zero);
      const I32 s = from_i + from_j;
      const I32 ss = s + from_j + from_j;
      const I32 determinant = lanes::multiply_low_halves(n, ss) - lanes::multiply_low_halves(s, s);
      const F32 inverse = lanes::zero_unless(
          determinant > zero, reciprocal(lanes::to_f32(lanes::max(determinant, all_lanes(1)))));
      const F32 sums[3] = {sorted.tail[0][i] + sorted.tail[0][j],
                           sorted.tail[1][i] + sorted.tail[1][j],
                           sorted.tail[2][i] + sorted.tail[2][j]};
      offer_split(weighted_square(sums, weight) * inverse,
                  static_cast<int32_t>(i | (j << 5) | (kBlockTexels << 10)), keep, best);
    }
  }
}

// The steps of a split, two bits per texel.
template <int kSteps>
TESSERA_NOINLINE I32 steps_of_split(const SortedBlock& sorted, I32 split) {
  const I32 five_bits = all_lanes(31);
  const I32 i = split & five_bits;
  const I32 j = lanes::shift_right_logical<5>(split) & five_bits;
  const I32 k = lanes::shift_right_logical<10>(split);
  I32 packed = all_lanes(0);
  for (size_t rank = 0; rank < kBlockTexels; ++rank) {
    const I32 at = all_lanes(static_cast<int32_t>(rank) + 1);
    I32 step = lanes::as_bits(at > i) + lanes::as_bits(at > j);
    if constexpr (kSteps == 3) {
      step = step + lanes::as_bits(at > k);
    }
    const I32 shift = sorted.number[rank] + sorted.number[rank];
    packed = packed | lanes::shift_left(all_lanes(0) - step, shift);
  }
  return packed;
}

template <int kSteps>
TESSERA_NOINLINE Fit fit_cluster(const BlockLanes& block, const Settings& settings) {
  SortedBlock sorted;
  sort_block<kSteps>(block, settings, sorted);
  const uint32_t keep = settings.cluster_keep;
  BestSplits best;
  for (uint32_t k = 0; k < keep; ++k) {
    best.explained[k] = lanes::all_lanes_f32(-1.0F);
    best.split[k] = all_lanes(static_cast<int32_t>(kBlockTexels * (1 + 32 + 1024)));
  }
  F32 weight[3];
  for (size_t c = 0; c < 3; ++c) {
    weight[c] = lanes::all_lanes_f32(static_cast<float>(settings.weights[c]));
  }
  if constexpr (kSteps == 3) {
    search_thirds(sorted, weight, keep, best);
  } else {
    search_halves(block, sorted, weight, keep, best);
  }
  Fit fit = {};
  for (uint32_t k = 0; k < keep; ++k) {
    I16x2 steps[kTexelPairs];
    unpack_steps(steps_of_split<kSteps>(sorted, best.split[k]), block.excluded, steps);
    const Ends ends = solve<kSteps>(block, steps, settings);
    const Fit next = measure<kSteps>(block, ends.first, ends.second, settings);
    fit = k == 0 ? next : select(next.error4 < fit.error4, next, fit);
  }
  refine<kSteps>(block, settings, settings.passes, fit);
  return fit;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_FIT_CLUSTER_INL_H_
