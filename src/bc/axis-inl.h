// The principal axis of a block's colours, and its texels along it.
//
// Power iteration on the covariances, which are scaled by a power of two first so that nothing
// overflows; four rounds from the row of the widest channel. The axis is rounded to integers of at
// most 511, so that positions along it are exact.
#if defined(TESSERA_BC_AXIS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_AXIS_INL_H_
#undef TESSERA_BC_AXIS_INL_H_
#else
#define TESSERA_BC_AXIS_INL_H_
#endif

#include "bc/block_lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

struct FloatColor {
  F32 r, g, b;
};

// 2^-e for a float of [2^e, 2^(e+1)), times 2^kShift; some finite number for zero.
template <int kShift>
TESSERA_INLINE F32 power_of_two_scale(F32 v) {
  const I32 exponent = lanes::float_bits(v) & all_lanes(0x7F800000);
  constexpr auto kTop = static_cast<int32_t>(static_cast<uint32_t>(254 + kShift) << 23);
  return lanes::float_of_bits(all_lanes(kTop) - exponent);
}

TESSERA_INLINE FloatColor widest_row(const Moments& m) {
  const LaneMask green = m.gg > m.rr;
  const LaneMask blue = m.bb > lanes::select(green, m.gg, m.rr);
  const auto pick = [&](I32 of_red, I32 of_green, I32 of_blue) {
    return lanes::to_f32(lanes::select(blue, of_blue, lanes::select(green, of_green, of_red)));
  };
  return {pick(m.rr, m.rg, m.rb), pick(m.rg, m.gg, m.gb), pick(m.rb, m.gb, m.bb)};
}

// The direction in which positions are measured: the principal axis of the weighted colours, times
// the weights.
TESSERA_NOINLINE Color principal_axis(const Moments& m, const Settings& settings) {
  const F32 widest = lanes::to_f32(lanes::max(m.rr, lanes::max(m.gg, m.bb)));
  const F32 scale = power_of_two_scale<0>(widest);
  const auto scaled = [&](I32 v) { return lanes::to_f32(v) * scale; };
  const F32 rr = scaled(m.rr), rg = scaled(m.rg), rb = scaled(m.rb);
  const F32 gg = scaled(m.gg), gb = scaled(m.gb), bb = scaled(m.bb);
  const F32 weight_r = lanes::all_lanes_f32(static_cast<float>(settings.weights[0]));
  const F32 weight_g = lanes::all_lanes_f32(static_cast<float>(settings.weights[1]));
  const F32 weight_b = lanes::all_lanes_f32(static_cast<float>(settings.weights[2]));
  FloatColor axis = widest_row(m);
  axis = {axis.r * scale * weight_r, axis.g * scale * weight_g, axis.b * scale * weight_b};
  constexpr int kRounds = 2;
  for (int i = 0; i < kRounds; ++i) {
    axis = {(rr * axis.r + rg * axis.g + rb * axis.b) * weight_r,
            (rg * axis.r + gg * axis.g + gb * axis.b) * weight_g,
            (rb * axis.r + gb * axis.g + bb * axis.b) * weight_b};
  }
  const F32 longest = lanes::max(lanes::absolute(axis.r),
                                 lanes::max(lanes::absolute(axis.g), lanes::absolute(axis.b)));
  const F32 to_integers = power_of_two_scale<8>(longest);
  return {lanes::truncate_to_i32(axis.r * to_integers),
          lanes::truncate_to_i32(axis.g * to_integers),
          lanes::truncate_to_i32(axis.b * to_integers)};
}

struct Positions {
  I32 along[kBlockTexels];
  I32 low, high;  // of the fitted texels
};

// Whether texel i is fitted.
TESSERA_INLINE LaneMask is_fitted(const BlockLanes& block, size_t i) {
  return (block.excluded & all_lanes(static_cast<int32_t>(3u << (2 * i)))) == all_lanes(0);
}

template <bool kSomeExcluded>
TESSERA_NOINLINE void project(const BlockLanes& block, const Color& axis, Positions& positions) {
  const ChannelPairs direction = pair_channels(axis);
  constexpr int32_t kFar = 1 << 28;
  positions.low = all_lanes(kFar);
  positions.high = all_lanes(-kFar);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const I32 along = dot({block.red_blue[i], block.green[i]}, direction);
    positions.along[i] = along;
    if constexpr (kSomeExcluded) {
      const LaneMask fitted = is_fitted(block, i);
      positions.low = lanes::min(positions.low, lanes::select(fitted, along, positions.low));
      positions.high = lanes::max(positions.high, lanes::select(fitted, along, positions.high));
    } else {
      positions.low = lanes::min(positions.low, along);
      positions.high = lanes::max(positions.high, along);
    }
  }
  if constexpr (kSomeExcluded) {  // nothing is fitted: an empty range, not a huge one
    const LaneMask none = positions.low > positions.high;
    positions.low = lanes::select(none, all_lanes(0), positions.low);
    positions.high = lanes::select(none, all_lanes(0), positions.high);
  }
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_AXIS_INL_H_
