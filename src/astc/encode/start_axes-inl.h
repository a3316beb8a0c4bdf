// Directions in which the colours of a part of a block are spread, from its texels: the covariances
// for a principal axis, and the simpler ways of other encoders.
#if defined(TESSERA_ASTC_START_AXES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_START_AXES_INL_H_
#undef TESSERA_ASTC_START_AXES_INL_H_
#else
#define TESSERA_ASTC_START_AXES_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/presets.h"
#include "astc/encode/slot_values-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Covariances of the channels that are stored. A stored luminance stands for three channels, so it
// is scaled by the root of three, and two channels are luminance and alpha.
template <unsigned kSlots>
TESSERA_INLINE void gather_slot_covariances(I32 block, const Chunk& chunk, Covariances& c) {
  const auto of = [&](unsigned i, unsigned k) {  // i ≥ k
    return lanes::gather(chunk.covariance(i * (i + 1) / 2 + k), block);
  };
  if constexpr (kSlots >= 3) {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      TESSERA_UNROLL
      for (unsigned k = 0; k <= i; ++k) {
        c.at[i][k] = c.at[k][i] = of(i, k);
      }
    }
  } else {
    c.at[0][0] = all_lanes_f32(3) * of(0, 0);
    if constexpr (kSlots == 2) {
      c.at[1][0] = c.at[0][1] = all_lanes_f32(1.7320508F) * of(3, 0);
      c.at[1][1] = of(3, 3);
    }
  }
}

// weight(t) is 1 for texels of the part, else 0. `x` is the texels' stored channels.
template <unsigned kSlots, bool kPacked>
class PartAxes {
 public:
  template <class Weight>
  TESSERA_INLINE PartAxes(const SlotValues<kSlots, kPacked>& x, KernelSize size,
                          const Weight& weight)
      : x_(x), size_(size) {
    const F32 zero = all_lanes_f32(0);
    F32 sum[kSlots];
    for (F32& s : sum) {
      s = zero;
    }
    texels_ = zero;
    TESSERA_UNROLL
    for (unsigned t = 0; t < size_.texel_count(); ++t) {
      weight_[t] = weight(t);
      texels_ = texels_ + weight_[t];
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        sum[i] = sum[i] + x.at(i, t) * weight_[t];
      }
    }
    const F32 per_texel = all_lanes_f32(1) / lanes::max(texels_, all_lanes_f32(1));
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      mean_[i] = sum[i] * per_texel;
    }
  }

  TESSERA_INLINE Covariances covariances() const {
    Covariances c;
    TESSERA_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      TESSERA_UNROLL
      for (unsigned k = 0; k < 4; ++k) {
        c.at[i][k] = all_lanes_f32(0);
      }
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < size_.texel_count(); ++t) {
      F32 d[kSlots];
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        d[i] = (x_.at(i, t) - mean_[i]) * weight_[t];
        TESSERA_UNROLL
        for (unsigned k = 0; k <= i; ++k) {
          c.at[i][k] = c.at[i][k] + d[i] * d[k];
        }
      }
    }
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      TESSERA_UNROLL
      for (unsigned k = 0; k < i; ++k) {
        c.at[k][i] = c.at[i][k];
      }
    }
    return c;
  }

  // Any of the starts but kPca.
  TESSERA_RARE void simple_axis(EndpointStart start, F32 direction[kSlots]) const {
    if (start == EndpointStart::kBounds) {
      box_diagonal(direction);
    } else if (start == EndpointStart::kMinMax) {
      between_extreme_sums(direction);
    } else {
      longest_one_sided_sum(direction);
    }
  }

 private:
  TESSERA_INLINE void box_diagonal(F32 direction[kSlots]) const {
    F32 widest = all_lanes_f32(-1);
    F32 range[kSlots];
    I32 leader = all_lanes(0);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      F32 low = all_lanes_f32(1e30F), high = all_lanes_f32(-1e30F);
      TESSERA_UNROLL
      for (unsigned t = 0; t < size_.texel_count(); ++t) {
        const LaneMask is_in = weight_[t] > all_lanes_f32(0);
        low = lanes::select(is_in, lanes::min(low, x_.at(i, t)), low);
        high = lanes::select(is_in, lanes::max(high, x_.at(i, t)), high);
      }
      range[i] = lanes::max(high - low, all_lanes_f32(0));
      leader = lanes::select(range[i] > widest, all_lanes(static_cast<int32_t>(i)), leader);
      widest = lanes::max(widest, range[i]);
    }
    // Signs against the widest channel: a flat one would tell nothing.
    const Covariances c = covariances();
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      F32 with_leader = c.at[i][0];
      TESSERA_UNROLL
      for (unsigned k = 1; k < kSlots; ++k) {
        with_leader =
            lanes::select(leader == all_lanes(static_cast<int32_t>(k)), c.at[i][k], with_leader);
      }
      const LaneMask opposite = with_leader < all_lanes_f32(0);
      direction[i] = lanes::select(opposite, all_lanes_f32(0) - range[i], range[i]);
    }
  }

  TESSERA_INLINE void between_extreme_sums(F32 direction[kSlots]) const {
    F32 least = all_lanes_f32(1e30F), most = all_lanes_f32(-1e30F);
    F32 dark[kSlots], bright[kSlots];
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      dark[i] = bright[i] = mean_[i];
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < size_.texel_count(); ++t) {
      F32 sum = x_.at(0, t);
      TESSERA_UNROLL
      for (unsigned i = 1; i < kSlots; ++i) {
        sum = sum + x_.at(i, t);
      }
      const LaneMask is_in = weight_[t] > all_lanes_f32(0);
      const LaneMask darker = is_in & (sum < least), brighter = is_in & (sum > most);
      least = lanes::select(darker, sum, least);
      most = lanes::select(brighter, sum, most);
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        dark[i] = lanes::select(darker, x_.at(i, t), dark[i]);
        bright[i] = lanes::select(brighter, x_.at(i, t), bright[i]);
      }
    }
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      direction[i] = bright[i] - dark[i];
    }
  }

  // For each channel the deviations of the texels above the mean in it are summed; the longest sum
  // shows the direction.
  TESSERA_INLINE void longest_one_sided_sum(F32 direction[kSlots]) const {
    F32 longest = all_lanes_f32(-1);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      direction[i] = all_lanes_f32(0);
    }
    TESSERA_UNROLL
    for (unsigned side = 0; side < kSlots; ++side) {
      F32 sum[kSlots];
      for (F32& s : sum) {
        s = all_lanes_f32(0);
      }
      TESSERA_UNROLL
      for (unsigned t = 0; t < size_.texel_count(); ++t) {
        const LaneMask above = x_.at(side, t) > mean_[side];
        TESSERA_UNROLL
        for (unsigned i = 0; i < kSlots; ++i) {
          sum[i] = sum[i] + lanes::zero_unless(above, (x_.at(i, t) - mean_[i]) * weight_[t]);
        }
      }
      F32 squared_length = all_lanes_f32(0);
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        squared_length = squared_length + sum[i] * sum[i];
      }
      const LaneMask longer = squared_length > longest;
      longest = lanes::max(longest, squared_length);
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        direction[i] = lanes::select(longer, sum[i], direction[i]);
      }
    }
  }

  const SlotValues<kSlots, kPacked>& x_;
  KernelSize size_;
  F32 texels_;
  F32 mean_[kSlots];
  F32 weight_[kLaneTexels];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_START_AXES_INL_H_
