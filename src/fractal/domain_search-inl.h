// The kernel of domain_search.h: three ranges against a vector of domains, all isometries; see
// dihedral_split.h. A pair whose best correlation beats the best of its distance class so far is
// looked at one by one; that is rare.
#if defined(TESSERA_FRACTAL_DOMAIN_SEARCH_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_FRACTAL_DOMAIN_SEARCH_INL_H_
#undef TESSERA_FRACTAL_DOMAIN_SEARCH_INL_H_
#else
#define TESSERA_FRACTAL_DOMAIN_SEARCH_INL_H_
#endif

#include <cmath>

#include "fractal/dihedral_split.h"
#include "fractal/domain_search.h"
#include "spmd/lanes-inl.h"

#ifndef TESSERA_FRACTAL_DOMAIN_SEARCH_TYPES_
#define TESSERA_FRACTAL_DOMAIN_SEARCH_TYPES_
namespace tessera::fractal {

inline constexpr size_t kPoolGroup = 16;
inline constexpr size_t kSearchTile = 3;

// What the search has found for one range.
struct RangeState {
  DomainPlace home;
  float best[kRingCount] = {};  // highest correlation of each class, in sums of four
  FoundDomain found[kRingCount];
};

// A row of groups of a pool that a tile of ranges is compared with.
struct GroupRow {
  const DomainPool* pool;
  uint32_t row;
  uint32_t first_group;
  uint32_t end_group;
  uint32_t min_ring;  // classes that this pool answers for
  uint32_t max_ring;
};

}  // namespace tessera::fractal
#endif

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

namespace lanes = ::tessera::TESSERA_TARGET;
using lanes::F32;
using lanes::I16x2;
using lanes::I32;
using lanes::LaneMask;

// Sums of one range with a vector of domains.
struct DihedralSums {
  I32 zp, zm, yp, ym, x1, x2, x3, x4;
};

// Eight times the dot products, in pairs ±: even[i] + odd[i] and even[i] − odd[i], see
// pair_isometry().
struct PairedDots {
  I32 even[4];
  I32 odd[4];
};

TESSERA_INLINE PairedDots pair_dots(const DihedralSums& s) {
  const I32 z = s.zp + s.zm;
  const I32 y = s.yp + s.ym;
  const I32 zt = s.zp - s.zm;
  const I32 yt = s.yp - s.ym;
  const I32 c = s.x1 + s.x2;
  const I32 e = s.x3 + s.x4;
  const I32 ct = s.x1 - s.x2;
  const I32 et = s.x3 - s.x4;
  return {{z + y, z - y, zt + yt, zt - yt}, {c + c, e + e, ct + ct, et + et}};
}

TESSERA_NOINLINE void look_closer(const PairedDots& dots, uint32_t marked, const GroupRow& row,
                                  uint32_t first_column, RangeState& range) {
  TESSERA_ALIGN int32_t even[4][lanes::kMaxLaneCount];
  TESSERA_ALIGN int32_t odd[4][lanes::kMaxLaneCount];
  for (size_t i = 0; i < 4; ++i) {
    lanes::store(dots.even[i], even[i]);
    lanes::store(dots.odd[i], odd[i]);
  }
  const DomainPool& pool = *row.pool;
  for (; marked != 0; marked &= marked - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(marked));
    const uint32_t column = first_column + lane;
    if (column >= pool.columns) {
      return;
    }
    const DomainPlace place = {static_cast<int32_t>(column) * pool.stride,
                               static_cast<int32_t>(row.row) * pool.stride};
    const uint32_t ring = ring_of(place, range.home);
    if (ring < row.min_ring || ring > row.max_ring) {
      continue;
    }
    const size_t group = column / kPoolGroup;
    const float inverse_root =
        pool.inverse_root[(size_t{row.row} * pool.groups_across + group) * kPoolGroup +
                          column % kPoolGroup];
    for (size_t i = 0; i < 4; ++i) {
      const bool opposite = (even[i][lane] < 0) != (odd[i][lane] < 0);
      const int32_t dot = std::abs(even[i][lane]) + std::abs(odd[i][lane]);
      const float score = static_cast<float>(dot) * inverse_root;
      if (score > range.best[ring]) {
        range.best[ring] = score;
        range.found[ring] = {static_cast<uint16_t>(place.x), static_cast<uint16_t>(place.y),
                             pair_isometry(static_cast<uint32_t>(i), opposite), true};
      }
    }
  }
}

TESSERA_INLINE void score_domains(const DihedralSums& sums, const GroupRow& row, size_t group,
                                  size_t first_lane, float threshold, RangeState& range) {
  const PairedDots dots = pair_dots(sums);
  const I32 best01 = lanes::max(lanes::absolute(dots.even[0]) + lanes::absolute(dots.odd[0]),
                                lanes::absolute(dots.even[1]) + lanes::absolute(dots.odd[1]));
  const I32 best23 = lanes::max(lanes::absolute(dots.even[2]) + lanes::absolute(dots.odd[2]),
                                lanes::absolute(dots.even[3]) + lanes::absolute(dots.odd[3]));
  const F32 inverse_root = lanes::load_f32(
      row.pool->inverse_root.data() +
      (size_t{row.row} * row.pool->groups_across + group) * kPoolGroup + first_lane);
  const LaneMask better =
      lanes::to_f32(lanes::max(best01, best23)) * inverse_root > lanes::all_lanes_f32(threshold);
  if (TESSERA_LIKELY(!lanes::any_lane(better))) {
    return;
  }
  TESSERA_ALIGN int32_t bits[lanes::kMaxLaneCount];
  lanes::store(lanes::as_bits(better), bits);
  uint32_t marked = 0;
  for (size_t lane = 0; lane < lanes::lane_count(); ++lane) {
    marked |= uint32_t{bits[lane] != 0} << lane;
  }
  look_closer(dots, marked, row, static_cast<uint32_t>(group * kPoolGroup + first_lane), range);
}

TESSERA_INLINE void add_one(I16x2 a, const int32_t* w0, const int32_t* w1, const int32_t* w2,
                            I32& s0, I32& s1, I32& s2) {
  s0 = lanes::accumulate_pairs(s0, a, lanes::broadcast_pair(w0));
  s1 = lanes::accumulate_pairs(s1, a, lanes::broadcast_pair(w1));
  s2 = lanes::accumulate_pairs(s2, a, lanes::broadcast_pair(w2));
}

// One vector of domains against the three ranges of a tile.
template <uint32_t kSide>
TESSERA_INLINE void match_domains(const int16_t* TESSERA_RESTRICT d,
                                  const int32_t* const words[kSearchTile], DihedralSums& a,
                                  DihedralSums& b, DihedralSums& c) {
  using Layout = DihedralLayout<kSide>;
  constexpr size_t kWord = kPoolGroup * 2;  // 16-bit values from a word to the next
  const int32_t* w0 = words[0];
  const int32_t* w1 = words[1];
  const int32_t* w2 = words[2];
  for (size_t i = 0; i < Layout::kPlus; ++i, d += kWord) {
    add_one(lanes::load_i16x2(d), w0++, w1++, w2++, a.zp, b.zp, c.zp);
  }
  for (size_t i = 0; i < Layout::kMinus; ++i, d += kWord) {
    add_one(lanes::load_i16x2(d), w0++, w1++, w2++, a.zm, b.zm, c.zm);
  }
  for (size_t i = 0; i < Layout::kPlus; ++i, d += kWord) {
    add_one(lanes::load_i16x2(d), w0++, w1++, w2++, a.yp, b.yp, c.yp);
  }
  for (size_t i = 0; i < Layout::kMinus; ++i, d += kWord) {
    add_one(lanes::load_i16x2(d), w0++, w1++, w2++, a.ym, b.ym, c.ym);
  }
  for (size_t i = 0; i < Layout::kTurning; ++i, d += 2 * kWord, w0 += 4, w1 += 4, w2 += 4) {
    const I16x2 first = lanes::load_i16x2(d);
    add_one(first, w0, w1, w2, a.x1, b.x1, c.x1);
    add_one(first, w0 + 1, w1 + 1, w2 + 1, a.x3, b.x3, c.x3);
    const I16x2 second = lanes::load_i16x2(d + kWord);
    add_one(second, w0 + 2, w1 + 2, w2 + 2, a.x2, b.x2, c.x2);
    add_one(second, w0 + 3, w1 + 3, w2 + 3, a.x4, b.x4, c.x4);
  }
}

// The lowest score that could be news: the smallest best of the classes that a group touches.
TESSERA_INLINE float group_threshold(const RangeState& range, const GroupRow& row, size_t group) {
  const int32_t stride = row.pool->stride;
  const int32_t dy = std::abs(static_cast<int32_t>(row.row) * stride - range.home.y);
  const int32_t left = static_cast<int32_t>(group * kPoolGroup) * stride - range.home.x;
  const int32_t right = left + static_cast<int32_t>(kPoolGroup - 1) * stride;
  const int32_t nearest = std::max(dy, std::max(left, -right));
  const int32_t farthest = std::max(dy, std::max(-left, right));
  uint32_t ring = static_cast<uint32_t>(32 - __builtin_clz(static_cast<uint32_t>(nearest * 2 + 1)));
  uint32_t last =
      static_cast<uint32_t>(32 - __builtin_clz(static_cast<uint32_t>(farthest * 2 + 1)));
  ring = std::max(ring - 1, row.min_ring);
  last = std::min(last - 1, row.max_ring);
  float threshold = HUGE_VALF;  // classes that the other pool answers for
  for (; ring <= last; ++ring) {
    threshold = std::min(threshold, range.best[ring]);
  }
  return threshold;
}

template <uint32_t kSide>
TESSERA_INLINE void match_group_row(const GroupRow& row, const int32_t* const words[kSearchTile],
                                    RangeState* const ranges[kSearchTile]) {
  using Layout = DihedralLayout<kSide>;
  const size_t lane_count = std::min(lanes::lane_count(), kPoolGroup);
  for (size_t group = row.first_group; group < row.end_group; ++group) {
    const int16_t* domains =
        row.pool->words.data() +
        (size_t{row.row} * row.pool->groups_across + group) * Layout::kDomainWords * kPoolGroup * 2;
    float threshold[kSearchTile];
    for (size_t r = 0; r < kSearchTile; ++r) {
      threshold[r] = group_threshold(*ranges[r], row, group);
    }
    for (size_t lane = 0; lane < kPoolGroup; lane += lane_count) {
      const I32 zero = lanes::all_lanes(0);
      DihedralSums a = {zero, zero, zero, zero, zero, zero, zero, zero};
      DihedralSums b = a;
      DihedralSums c = a;
      match_domains<kSide>(domains + lane * 2, words, a, b, c);
      score_domains(a, row, group, lane, threshold[0], *ranges[0]);
      score_domains(b, row, group, lane, threshold[1], *ranges[1]);
      score_domains(c, row, group, lane, threshold[2], *ranges[2]);
    }
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_FRACTAL_DOMAIN_SEARCH_INL_H_
