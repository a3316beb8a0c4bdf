// Which partition patterns suit a block: every pattern is tried on lane_count() blocks at once.
//
// Texels are projected on the two leading axes of the block's colours. The moments of a part of the
// texels (sums of a, b, a², ab, b²) tell how far they lie from a line of their own: the smaller
// eigenvalue of a 2x2 matrix, for which determinant/trace is as good. Moments of subsets of four
// texels are summed once for all patterns, which then need one look-up for four texels.
// About 60 operations a pattern at 4x4.
#if defined(TESSERA_ASTC_SCORE_PATTERNS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_SCORE_PATTERNS_INL_H_
#undef TESSERA_ASTC_SCORE_PATTERNS_INL_H_
#else
#define TESSERA_ASTC_SCORE_PATTERNS_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/patterns.h"
#include "astc/encode/sorted_insert-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The block's colours seen along their two leading axes, from their mean.
struct PlanarTexels {
  F32 a[kLaneTexels], b[kLaneTexels];
  F32 axis_a[4], axis_b[4];
  F32 mean[4];
  F32 off_plane;  // squared distances from the plane of the two axes
};

struct Moments {
  F32 a, b, aa, ab, bb;

  TESSERA_INLINE Moments operator+(const Moments& o) const {
    return {a + o.a, b + o.b, aa + o.aa, ab + o.ab, bb + o.bb};
  }
  TESSERA_INLINE Moments operator-(const Moments& o) const {
    return {a - o.a, b - o.b, aa - o.aa, ab - o.ab, bb - o.bb};
  }
};

struct HigherMoments {
  F32 aaa, aaaa;

  TESSERA_INLINE HigherMoments operator+(const HigherMoments& o) const {
    return {aaa + o.aaa, aaaa + o.aaaa};
  }
  TESSERA_INLINE HigherMoments operator-(const HigherMoments& o) const {
    return {aaa - o.aaa, aaaa - o.aaaa};
  }
};

// Second moments about the mean.
struct Spread {
  F32 aa, ab, bb;

  TESSERA_INLINE F32 trace() const { return aa + bb; }
  TESSERA_INLINE F32 determinant() const { return aa * bb - ab * ab; }
};

TESSERA_INLINE Spread spread(const Moments& m, F32 per_texel) {
  const F32 mean_a = m.a * per_texel, mean_b = m.b * per_texel;
  return {m.aa - mean_a * m.a, m.ab - mean_a * m.b, m.bb - mean_b * m.b};
}

// Sums over the subsets of each group of four texels, at [16·group + bit mask].
class SubsetMoments {
 public:
  // `has_higher` asks for the sums of a³ and a⁴, too.
  TESSERA_INLINE SubsetMoments(const PlanarTexels& texels, unsigned texel_count, bool has_higher) {
    const F32 zero = all_lanes_f32(0);
    all_ = {zero, zero, zero, zero, zero};
    all_higher_ = {zero, zero};
    for (unsigned first = 0; first < texel_count; first += kTexelsPerGroup) {
      Moments* const sums = at_ + 4 * first;
      sums[0] = {zero, zero, zero, zero, zero};
      for (unsigned i = 0; i < kTexelsPerGroup; ++i) {
        const unsigned t = std::min(first + i, texel_count - 1);
        const F32 a = texels.a[t], b = texels.b[t];
        const Moments texel = {a, b, a * a, a * b, b * b};
        for (unsigned k = 0; k < 1u << i; ++k) {
          sums[(1u << i) + k] = sums[k] + texel;
        }
      }
      const unsigned rest = texel_count - first;
      const unsigned present = rest < kTexelsPerGroup ? rest : kTexelsPerGroup;
      all_ = all_ + sums[(1u << present) - 1];
      if (has_higher) {
        sum_higher(texels, texel_count, first);
        all_higher_ = all_higher_ + higher_[4 * first + (1u << present) - 1];
      }
    }
  }

  TESSERA_INLINE Moments sum(const uint16_t* subsets, unsigned group_count) const {
    // One by one: g++ copies whole structures through memory.
    const Moments& first = at_[subsets[0]];
    F32 a = first.a, b = first.b, aa = first.aa, ab = first.ab, bb = first.bb;
    for (unsigned g = 1; g < group_count; ++g) {
      const Moments& next = at_[subsets[g]];
      a = a + next.a;
      b = b + next.b;
      aa = aa + next.aa;
      ab = ab + next.ab;
      bb = bb + next.bb;
    }
    return {a, b, aa, ab, bb};
  }
  TESSERA_INLINE const Moments& all() const { return all_; }

  TESSERA_INLINE HigherMoments sum_of_higher(const uint16_t* subsets, unsigned group_count) const {
    F32 aaa = higher_[subsets[0]].aaa, aaaa = higher_[subsets[0]].aaaa;
    for (unsigned g = 1; g < group_count; ++g) {
      aaa = aaa + higher_[subsets[g]].aaa;
      aaaa = aaaa + higher_[subsets[g]].aaaa;
    }
    return {aaa, aaaa};
  }
  TESSERA_INLINE const HigherMoments& all_higher() const { return all_higher_; }

 private:
  TESSERA_INLINE void sum_higher(const PlanarTexels& texels, unsigned texel_count, unsigned first) {
    HigherMoments* const sums = higher_ + 4 * first;
    sums[0] = {all_lanes_f32(0), all_lanes_f32(0)};
    for (unsigned i = 0; i < kTexelsPerGroup; ++i) {
      const F32 a = texels.a[std::min(first + i, texel_count - 1)];
      const HigherMoments texel = {a * a * a, a * a * (a * a)};
      for (unsigned k = 0; k < 1u << i; ++k) {
        sums[(1u << i) + k] = sums[k] + texel;
      }
    }
  }

  static constexpr unsigned kSubsets = 16 * ((kLaneTexels + kTexelsPerGroup - 1) / kTexelsPerGroup);

  Moments at_[kSubsets];
  Moments all_;
  HigherMoments higher_[kSubsets];
  HigherMoments all_higher_;
};

// The patterns of the lowest scores, best first, with room for `kMost`.
template <unsigned kMost>
class PatternList {
 public:
  PatternList() = default;
  TESSERA_INLINE explicit PatternList(unsigned count) { start(count); }

  // Empties the list, in place: a device's thread would copy all of it through memory.
  TESSERA_INLINE void start(unsigned count) {
    count_ = count < kMost ? count : kMost;
    for (unsigned i = 0; i < count_; ++i) {
      score_[i] = all_lanes_f32(1e30F);
      pattern_[i] = all_lanes(0);
    }
  }
  TESSERA_INLINE void insert(F32 score, I32 pattern) {
    insert_sorted(score, pattern, count_, score_, pattern_);
  }
  TESSERA_INLINE unsigned count() const { return count_; }
  TESSERA_INLINE I32 pattern(unsigned i) const { return pattern_[i]; }
  TESSERA_INLINE F32 score(unsigned i) const { return score_[i]; }

 private:
  unsigned count_;
  F32 score_[kMost];
  I32 pattern_[kMost];
};
using TopPatterns = PatternList<kMaxKeptPatterns>;

inline constexpr float kRoundingShare = 0.02F;

// What a part of the texels costs: distance from a line, and a share of their spread for the
// rounding of weights (a mean one of the few levels that several partitions leave).
TESSERA_INLINE F32 part_cost(const Moments& m, float per_texel) {
  const Spread s = spread(m, all_lanes_f32(per_texel));
  const F32 trace = lanes::max(s.trace(), all_lanes_f32(0.125F));
  return lanes::max(s.determinant(), all_lanes_f32(0)) * lanes::quick_reciprocal(trace) +
         trace * all_lanes_f32(kRoundingShare);
}

// What to take off again where a part has but two colours along the first axis, as in text:
// rounding of weights costs them nothing. For two values, and for no others, the kurtosis is one
// more than the squared skewness (Pearson 1916); it is 0.5 more for three evenly spaced values, 0.8
// for an even spread.
TESSERA_INLINE F32 two_color_bonus(const Moments& m, const HigherMoments& h, float per_texel) {
  const F32 n = all_lanes_f32(per_texel), mean = m.a * n;
  // About the mean, per texel.
  const F32 second = lanes::max(m.aa * n - mean * mean, all_lanes_f32(0));
  const F32 third = h.aaa * n - mean * (all_lanes_f32(3) * second + mean * mean);
  const F32 fourth = h.aaaa * n - mean * (all_lanes_f32(4) * third +
                                          mean * (all_lanes_f32(6) * second + mean * mean));
  const F32 cube = lanes::max(second * second * second, all_lanes_f32(1e-3F));
  const F32 excess =
      (fourth * second - third * third) * lanes::quick_reciprocal(cube) - all_lanes_f32(1);
  constexpr float kEnoughForNoBonus = 0.2F;
  const F32 share = lanes::max(all_lanes_f32(1) - lanes::max(excess, all_lanes_f32(0)) *
                                                      all_lanes_f32(1 / kEnoughForNoBonus),
                               all_lanes_f32(0));
  return share * second * all_lanes_f32(kRoundingShare / per_texel);
}

// The score of one pattern. `Sums` knows the moments of subsets, as SubsetMoments does.
template <unsigned kPartitions, bool kTwoColors, class Sums>
TESSERA_INLINE F32 pattern_score(const PatternTable& table, size_t pattern, const Sums& moments) {
  const unsigned groups = table.group_count();
  const Moments& all = moments.all();
  Moments rest = {all.a, all.b, all.aa, all.ab, all.bb};
  F32 cost = all_lanes_f32(0);
  HigherMoments higher_rest;
  if constexpr (kTwoColors) {
    higher_rest = moments.all_higher();
  }
  for (unsigned p = 1; p < kPartitions; ++p) {
    const Moments part = moments.sum(table.subsets(pattern, p), groups);
    rest = rest - part;
    cost = cost + part_cost(part, table.per_texel(pattern, p));
    if constexpr (kTwoColors) {
      const HigherMoments higher = moments.sum_of_higher(table.subsets(pattern, p), groups);
      higher_rest = higher_rest - higher;
      cost = cost - two_color_bonus(part, higher, table.per_texel(pattern, p));
    }
  }
  cost = cost + part_cost(rest, table.per_texel(pattern, 0));
  if constexpr (kTwoColors) {
    cost = cost - two_color_bonus(rest, higher_rest, table.per_texel(pattern, 0));
  }
  return cost;
}

// Scores the first `tried` patterns, and all others for lanes that are not opaque.
template <unsigned kPartitions, bool kTwoColors>
TESSERA_NOINLINE void score_patterns_of(const PatternTable& table, size_t tried, LaneMask opaque,
                                        const SubsetMoments& moments, TopPatterns& best) {
  const size_t end = lanes::any_lane(!opaque) ? table.count() : tried;
  for (size_t i = 0; i < end; ++i) {
    F32 cost = pattern_score<kPartitions, kTwoColors>(table, i, moments);
    if (i >= tried) {
      cost = lanes::select(opaque, all_lanes_f32(1e30F), cost);
    }
    best.insert(cost, all_lanes(static_cast<int32_t>(i)));
  }
}

template <bool kTwoColors>
TESSERA_INLINE void score_patterns(const PatternTable& table, unsigned partitions, size_t tried,
                                   LaneMask opaque, const SubsetMoments& moments,
                                   TopPatterns& best) {
  tried = std::min(tried, table.count());
  switch (partitions) {
    case 2:
      return score_patterns_of<2, kTwoColors>(table, tried, opaque, moments, best);
    case 3:
      return score_patterns_of<3, kTwoColors>(table, tried, opaque, moments, best);
    default:
      return score_patterns_of<4, kTwoColors>(table, tried, opaque, moments, best);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SCORE_PATTERNS_INL_H_
