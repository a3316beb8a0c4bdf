// The SIMD search: a matrix product of ranges with domains, fused with the search for the largest
// score; products are never stored. Domains lie in lanes, some ranges are broadcast; see
// rotation_split.h for the components. A float score with a margin sorts out nearly all pairs; what
// may beat the best so far is scored again, exactly, as the other kernels do it.
#if defined(TESSERA_FRACTAL_PAPER_SIMD_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_FRACTAL_PAPER_SIMD_INL_H_
#undef TESSERA_FRACTAL_PAPER_SIMD_INL_H_
#else
#define TESSERA_FRACTAL_PAPER_SIMD_INL_H_
#endif

#include <algorithm>
#include <cstring>

#include "fractal/paper_search.h"
#include "fractal/rotation_split.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

namespace lanes = ::tessera::TESSERA_TARGET;
using lanes::F32;
using lanes::I16x2;
using lanes::I32;
using lanes::LaneMask;

// Ranges and vectors of domains that a tile holds in registers: four sums each. Wide targets have
// 32 registers, narrow ones 16.
inline constexpr size_t kTileRanges = 3;
inline constexpr size_t kTileVectors = lanes::kMaxLaneCount >= 16 ? 2 : 1;

// Z, Y, C, E of one range and a vector of domains.
struct VectorSums {
  I32 z;
  I32 y;
  I32 c;
  I32 e;
};
static_assert(kTileRanges == 3 && kTileVectors <= 2);

// Ranges that share a tile, and what is known about them.
struct RangeTile {
  const int32_t* words[kTileRanges];  // packed components
  float offset_sum[kTileRanges];
  int64_t exact_offset_sum[kTileRanges];
  BestMatch* best[kTileRanges];
  float threshold[kTileRanges];
};

// One component of one orbit pair: a tile's two vectors of domains against one range.
TESSERA_INLINE void add_word(I16x2 a0, I16x2 a1, const int32_t* TESSERA_RESTRICT word, I32& sum0,
                             I32& sum1) {
  const I16x2 b = lanes::broadcast_pair(word);
  sum0 = lanes::accumulate_pairs(sum0, a0, b);
  if constexpr (kTileVectors == 2) {
    sum1 = lanes::accumulate_pairs(sum1, a1, b);
  }
}

// Forms the sums of a tile over orbit pairs and hands them to use(sums, range, vector). The sums
// are named variables: g++ keeps arrays and nested structures in memory, at half the speed.
template <bool kAll, typename Use>
TESSERA_INLINE void sum_tile(const int16_t* TESSERA_RESTRICT domain, const RangeTile& tile,
                             size_t first_pair, size_t end_pair, const Use& use) {
  const I32 zero = lanes::all_lanes(0);
  I32 z00 = zero, z01 = zero, y00 = zero, y01 = zero, c00 = zero, c01 = zero, e00 = zero,
      e01 = zero;
  I32 z10 = zero, z11 = zero, y10 = zero, y11 = zero, c10 = zero, c11 = zero, e10 = zero,
      e11 = zero;
  I32 z20 = zero, z21 = zero, y20 = zero, y21 = zero, c20 = zero, c21 = zero, e20 = zero,
      e21 = zero;
  const size_t second = kTileVectors == 2 ? lanes::lane_count() * 2 : 0;
  const int16_t* d = domain + first_pair * kDomainPairWords * kDomainGroup * 2;
  const int32_t* w0 = tile.words[0] + first_pair * kRangePairWords;
  const int32_t* w1 = tile.words[1] + first_pair * kRangePairWords;
  const int32_t* w2 = tile.words[2] + first_pair * kRangePairWords;
  for (size_t pair = first_pair; pair < end_pair; ++pair) {
    I16x2 a0 = lanes::load_i16x2(d);
    I16x2 a1 = lanes::load_i16x2(d + second);
    add_word(a0, a1, w0, z00, z01);
    add_word(a0, a1, w1, z10, z11);
    add_word(a0, a1, w2, z20, z21);
    a0 = lanes::load_i16x2(d + kDomainGroup * 2);
    a1 = lanes::load_i16x2(d + kDomainGroup * 2 + second);
    add_word(a0, a1, w0 + 1, y00, y01);
    add_word(a0, a1, w1 + 1, y10, y11);
    add_word(a0, a1, w2 + 1, y20, y21);
    a0 = lanes::load_i16x2(d + kDomainGroup * 4);
    a1 = lanes::load_i16x2(d + kDomainGroup * 4 + second);
    add_word(a0, a1, w0 + 2, c00, c01);
    add_word(a0, a1, w1 + 2, c10, c11);
    add_word(a0, a1, w2 + 2, c20, c21);
    if constexpr (kAll) {
      add_word(a0, a1, w0 + 3, e00, e01);
      add_word(a0, a1, w1 + 3, e10, e11);
      add_word(a0, a1, w2 + 3, e20, e21);
    }
    a0 = lanes::load_i16x2(d + kDomainGroup * 6);
    a1 = lanes::load_i16x2(d + kDomainGroup * 6 + second);
    add_word(a0, a1, w0 + 4, c00, c01);
    add_word(a0, a1, w1 + 4, c10, c11);
    add_word(a0, a1, w2 + 4, c20, c21);
    if constexpr (kAll) {
      add_word(a0, a1, w0 + 5, e00, e01);
      add_word(a0, a1, w1 + 5, e10, e11);
      add_word(a0, a1, w2 + 5, e20, e21);
    }
    d += kDomainPairWords * kDomainGroup * 2;
    w0 += kRangePairWords;
    w1 += kRangePairWords;
    w2 += kRangePairWords;
  }
  use(VectorSums{z00, y00, c00, e00}, 0, 0);
  use(VectorSums{z10, y10, c10, e10}, 1, 0);
  use(VectorSums{z20, y20, c20, e20}, 2, 0);
  if constexpr (kTileVectors == 2) {
    use(VectorSums{z01, y01, c01, e01}, 0, 1);
    use(VectorSums{z11, y11, c11, e11}, 1, 1);
    use(VectorSums{z21, y21, c21, e21}, 2, 1);
  }
}

// Offers all rotations of the marked lanes to a range's best match.
template <bool kAll>
TESSERA_NOINLINE void rescore(const PackedDomains& domains, size_t first_domain,
                              const int32_t* dots, uint64_t marked, int64_t count,
                              int64_t range_sum, BestMatch& best) {
  while (marked != 0) {
    const auto lane = static_cast<size_t>(__builtin_ctzll(marked));
    marked &= marked - 1;
    const size_t domain = first_domain + lane;
    if (domain >= domains.count) {
      return;
    }
    for (uint32_t rotation = 0; rotation < 4; rotation += kAll ? 1 : 2) {
      const int64_t dot = dots[rotation * lanes::kMaxLaneCount + lane] / 4;
      const int64_t covariance = count * dot - int64_t{domains.offset_sum[domain]} * range_sum;
      best.offer(static_cast<uint32_t>(domain), rotation, covariance,
                 domains.exact_variance[domain]);
    }
  }
}

// Float rounding may move a score by less than this part of it.
inline constexpr float kScoreMargin = 1.0f / (1 << 18);

template <bool kAll>
TESSERA_INLINE void score_vector(const PackedDomains& domains, size_t first_domain,
                                 const VectorSums& sums, size_t r, int64_t count, RangeTile& tile) {
  const I32 even = sums.z + sums.y;
  const I32 twice_c = sums.c + sums.c;
  const I32 odd = sums.z - sums.y;
  const I32 twice_e = sums.e + sums.e;
  I32 largest = even + lanes::absolute(twice_c);
  if constexpr (kAll) {
    largest = lanes::max(largest, odd + lanes::absolute(twice_e));
  }
  const auto n = static_cast<float>(count);
  const F32 domain_sum = lanes::load_f32(domains.sum.data() + first_domain);
  const F32 variance = lanes::load_f32(domains.variance.data() + first_domain);
  const F32 inverse = lanes::load_f32(domains.inverse_variance.data() + first_domain);
  // The last term bounds the rounding of the other two.
  const F32 covariance = lanes::to_f32(largest) * lanes::all_lanes_f32(n / 4) -
                         domain_sum * lanes::all_lanes_f32(tile.offset_sum[r]) +
                         lanes::all_lanes_f32(n * n / (1 << 22));
  const F32 scale = lanes::min(covariance * inverse,
                               lanes::all_lanes_f32(static_cast<float>(kPaperMaxScale / 4)));
  const F32 gain =
      lanes::max(scale, lanes::all_lanes_f32(0.0f)) * (covariance + covariance - scale * variance);
  const LaneMask better = gain > lanes::all_lanes_f32(tile.threshold[r]);
  if (TESSERA_LIKELY(!lanes::any_lane(better))) {
    return;
  }
  TESSERA_ALIGN int32_t dots[4 * lanes::kMaxLaneCount];
  lanes::store(even + twice_c, dots);
  lanes::store(odd + twice_e, dots + lanes::kMaxLaneCount);
  lanes::store(even - twice_c, dots + 2 * lanes::kMaxLaneCount);
  lanes::store(odd - twice_e, dots + 3 * lanes::kMaxLaneCount);
  TESSERA_ALIGN int32_t bits[lanes::kMaxLaneCount];
  lanes::store(lanes::as_bits(better), bits);
  uint64_t marked = 0;
  for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
    marked |= uint64_t{bits[lane] != 0} << lane;
  }
  rescore<kAll>(domains, first_domain, dots, marked, count, tile.exact_offset_sum[r],
                *tile.best[r]);
  tile.threshold[r] = static_cast<float>(tile.best[r]->best.gain) * (1.0f - kScoreMargin);
}

// Blocks of more than 64x64 samples: sums of parts are added up in 64 bits, and all pairs scored
// exactly (there are few).
template <bool kAll>
void match_large(const PackedDomains& domains, size_t group, const int16_t* group_components,
                 size_t orbit_pairs, int64_t count, RangeTile& tile) {
  const size_t lane_count = lanes::lane_count();
  std::vector<int64_t> total(4 * kDomainGroup * kTileRanges, 0);
  const auto add_total = [&](const VectorSums& sums, size_t r, size_t first) TESSERA_LAMBDA {
    TESSERA_ALIGN int32_t values[4 * lanes::kMaxLaneCount];
    lanes::store(sums.z, values);
    lanes::store(sums.y, values + lane_count);
    lanes::store(sums.c, values + 2 * lane_count);
    lanes::store(sums.e, values + 3 * lane_count);
    for (size_t i = 0; i < 4 * lane_count; ++i) {
      total[(r * 4 + i / lane_count) * kDomainGroup + first + i % lane_count] += values[i];
    }
  };
  for (size_t part = 0; part < orbit_pairs; part += kMaxExactOrbitPairs) {
    for (size_t first = 0; first < kDomainGroup; first += kTileVectors * lane_count) {
      sum_tile<kAll>(group_components + first * 2, tile, part, part + kMaxExactOrbitPairs,
                     [&](const VectorSums& sums, size_t r, size_t vector)
                         TESSERA_LAMBDA { add_total(sums, r, first + vector * lane_count); });
    }
  }
  for (size_t r = 0; r < kTileRanges; ++r) {
    for (size_t d = 0; d < kDomainGroup; ++d) {
      const size_t domain = group * kDomainGroup + d;
      if (domain >= domains.count) {
        break;
      }
      const int64_t* t = total.data() + r * 4 * kDomainGroup + d;
      const int64_t z = t[0];
      const int64_t y = t[kDomainGroup];
      const int64_t c = t[2 * kDomainGroup];
      const int64_t e = t[3 * kDomainGroup];
      const int64_t dots[4] = {z + y + 2 * c, z - y + 2 * e, z + y - 2 * c, z - y - 2 * e};
      for (uint32_t rotation = 0; rotation < 4; rotation += kAll ? 1 : 2) {
        const int64_t covariance = count * (dots[rotation] / 4) -
                                   int64_t{domains.offset_sum[domain]} * tile.exact_offset_sum[r];
        tile.best[r]->offer(static_cast<uint32_t>(domain), rotation, covariance,
                            domains.exact_variance[domain]);
      }
    }
  }
}

template <bool kAll>
TESSERA_INLINE void match_group(const PackedDomains& domains, size_t group, size_t orbit_pairs,
                                RangeTile& tile) {
  const int64_t count = static_cast<int64_t>(orbit_pairs) * 8;
  const int16_t* components =
      domains.components.data() + group * orbit_pairs * kDomainPairWords * kDomainGroup * 2;
  if (orbit_pairs > kMaxExactOrbitPairs) {
    match_large<kAll>(domains, group, components, orbit_pairs, count, tile);
    return;
  }
  const size_t lane_count = lanes::lane_count();
  for (size_t first = 0; first < kDomainGroup; first += kTileVectors * lane_count) {
    const size_t first_domain = group * kDomainGroup + first;
    sum_tile<kAll>(components + first * 2, tile, 0, orbit_pairs,
                   [&](const VectorSums& sums, size_t r, size_t vector) TESSERA_LAMBDA {
                     score_vector<kAll>(domains, first_domain + vector * lane_count, sums, r, count,
                                        tile);
                   });
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_FRACTAL_PAPER_SIMD_INL_H_
