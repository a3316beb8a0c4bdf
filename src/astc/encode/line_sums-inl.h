// The texels of the blocks being fitted with their weights, and the sums of them that least squares
// need for the straight line channel = start + weight · slope.
#if defined(TESSERA_ASTC_LINE_SUMS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LINE_SUMS_INL_H_
#undef TESSERA_ASTC_LINE_SUMS_INL_H_
#else
#define TESSERA_ASTC_LINE_SUMS_INL_H_
#endif

#include "astc/encode/slot_values-inl.h"
#include "astc/format/block_mode.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Where alpha is among the stored channels: behind luminance, or behind red, green and blue.
constexpr unsigned alpha_slot(unsigned slots) {
  return slots == 2 ? 1 : 3;
}

template <unsigned kSlots, unsigned kPlanes, bool kPacked>
struct FitTexels {
  static constexpr bool kHasAlpha = alpha_slot(kSlots) < kSlots;

  TESSERA_INLINE explicit FitTexels(KernelSize block) : size(block) {}

  KernelSize size;
  bool weighs_by_alpha = false;
  LaneMask in_plane2[kSlots];
  SlotValues<kSlots, kPacked> x;
  F32 weight[kPlanes][kLaneTexels];          // 0…64
  F32 visible[kHasAlpha ? kLaneTexels : 1];  // alpha, 0…1, where colours are weighted by it

  // The value of the channel's plane.
  TESSERA_INLINE F32 of_slot(unsigned slot, const F32 value[kPlanes]) const {
    if constexpr (kPlanes == 2) {
      return lanes::select(in_plane2[slot], value[1], value[0]);
    } else {
      return value[0];
    }
  }

  TESSERA_INLINE F32 plane_weight(unsigned slot, unsigned t) const {
    if constexpr (kPlanes == 2) {
      return lanes::select(in_plane2[slot], weight[1][t], weight[0][t]);
    } else {
      return weight[0][t];
    }
  }
};

// Number of texels, sums of their weights and of the squares.
template <unsigned kPlanes>
struct WeightSums {
  F32 n, w[kPlanes], ww[kPlanes];
};

template <unsigned kSlots, unsigned kPlanes>
struct LineSums {
  // Alpha has a set of its own, as colours may count by it.
  WeightSums<kPlanes> set[alpha_slot(kSlots) < kSlots ? 2 : 1];
  F32 x[kSlots], wx[kSlots];

  // Of the first set.
  TESSERA_INLINE void subtract(const LineSums& other) {
    set[0].n = set[0].n - other.set[0].n;
    TESSERA_UNROLL
    for (unsigned i = 0; i < kPlanes; ++i) {
      set[0].w[i] = set[0].w[i] - other.set[0].w[i];
      set[0].ww[i] = set[0].ww[i] - other.set[0].ww[i];
    }
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      x[i] = x[i] - other.x[i];
      wx[i] = wx[i] - other.wx[i];
    }
  }
};

// Into the first set. Where not all texels count, counts(t) tells. Sums are local: g++ would keep
// those of a caller's structure in memory.
template <bool kSome, unsigned kSlots, unsigned kPlanes, bool kPacked, class Counts>
TESSERA_INLINE void sum_texels(const FitTexels<kSlots, kPlanes, kPacked>& texels,
                               const Counts& counts, LineSums<kSlots, kPlanes>& result) {
  const F32 zero = all_lanes_f32(0);
  F32 n = zero, w[kPlanes], ww[kPlanes], x[kSlots], wx[kSlots];
  TESSERA_UNROLL
  for (unsigned i = 0; i < kPlanes; ++i) {
    w[i] = ww[i] = zero;
  }
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    x[i] = wx[i] = zero;
  }
  TESSERA_UNROLL
  for (unsigned t = 0; t < texels.size.texel_count(); ++t) {
    const LaneMask counted = kSome ? counts(t) : LaneMask{};
    const auto keep = [&](F32 value) { return kSome ? lanes::zero_unless(counted, value) : value; };
    if constexpr (kSome) {
      n = n + keep(all_lanes_f32(1));
    }
    F32 kept[kPlanes];
    TESSERA_UNROLL
    for (unsigned i = 0; i < kPlanes; ++i) {
      kept[i] = keep(texels.weight[i][t]);
      w[i] = w[i] + kept[i];
      ww[i] = ww[i] + kept[i] * kept[i];
    }
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      x[i] = x[i] + keep(texels.x.at(i, t));
      wx[i] = wx[i] + texels.of_slot(i, kept) * texels.x.at(i, t);
    }
  }
  result.set[0].n = n;
  TESSERA_UNROLL
  for (unsigned i = 0; i < kPlanes; ++i) {
    result.set[0].w[i] = w[i];
    result.set[0].ww[i] = ww[i];
  }
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    result.x[i] = x[i];
    result.wx[i] = wx[i];
  }
}

// Both sets, with colours that count by the texel's alpha.
template <unsigned kSlots, unsigned kPlanes, bool kPacked, class Counts>
TESSERA_NOINLINE void sum_visible_texels(const FitTexels<kSlots, kPlanes, kPacked>& texels,
                                         const Counts& counts, LineSums<kSlots, kPlanes>& result) {
  if constexpr (alpha_slot(kSlots) < kSlots) {
    result = {};
    TESSERA_UNROLL
    for (unsigned t = 0; t < texels.size.texel_count(); ++t) {
      const F32 one = lanes::zero_unless(counts(t), all_lanes_f32(1));
      const F32 importance[2] = {one * texels.visible[t], one};
      for (unsigned k = 0; k < 2; ++k) {
        WeightSums<kPlanes>& set = result.set[k];
        set.n = set.n + importance[k];
        TESSERA_UNROLL
        for (unsigned i = 0; i < kPlanes; ++i) {
          const F32 w = texels.weight[i][t] * importance[k];
          set.w[i] = set.w[i] + w;
          set.ww[i] = set.ww[i] + w * texels.weight[i][t];
        }
      }
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        const F32 value = texels.x.at(i, t) * importance[i == alpha_slot(kSlots) ? 1 : 0];
        result.x[i] = result.x[i] + value;
        result.wx[i] = result.wx[i] + texels.plane_weight(i, t) * value;
      }
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LINE_SUMS_INL_H_
