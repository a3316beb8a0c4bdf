// Ends taken from the texels themselves: the box, the two farthest texels, the darkest and the
// brightest. They are the simplest methods, here for comparison; all use the exact measure.
#if defined(TESSERA_BC_FIT_PAIR_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_FIT_PAIR_INL_H_
#undef TESSERA_BC_FIT_PAIR_INL_H_
#else
#define TESSERA_BC_FIT_PAIR_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/encode_bounds-inl.h"
#include "bc/measure-inl.h"
#include "bc/solve-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// The nearest 5:6:5 colour of a byte colour.
TESSERA_INLINE I32 nearest_565(const Color& color) {
  return pack_565({quantize<31>(lanes::shift_left<6>(color.r)),
                   quantize<63>(lanes::shift_left<6>(color.g)),
                   quantize<31>(lanes::shift_left<6>(color.b))});
}

struct TexelEnds {
  I32 first, second;  // as RGBA texels
};

// Texels that are not fitted are replaced by the first one that is, so that they do not stretch
// boxes and pairs.
TESSERA_INLINE void texels_without_excluded(const BlockLanes& block, U8x4 texels[kBlockTexels]) {
  I32 stand_in = all_lanes(0);
  for (size_t i = kBlockTexels; i-- > 0;) {
    stand_in = lanes::select(is_fitted(block, i), lanes::as_i32(block.texels[i]), stand_in);
  }
  for (size_t i = 0; i < kBlockTexels; ++i) {
    texels[i] = lanes::as_u8x4(
        lanes::select(is_fitted(block, i), lanes::as_i32(block.texels[i]), stand_in));
  }
}

TESSERA_INLINE TexelEnds farthest_texels(const U8x4 texels[kBlockTexels],
                                         const Settings& settings) {
  const WeightPairs weights = weight_pairs(settings, 1);
  const I16x2 low_bytes = lanes::all_lanes_i16x2(0xFF);
  const I32 green_byte = all_lanes(0xFF);
  I32 farthest = all_lanes(-1);
  TexelEnds ends = {lanes::as_i32(texels[0]), lanes::as_i32(texels[0])};
  for (size_t i = 0; i < kBlockTexels; ++i) {
    for (size_t j = i + 1; j < kBlockTexels; ++j) {
      const I16x2 red_blue =
          (lanes::as_i16x2(texels[i]) & low_bytes) - (lanes::as_i16x2(texels[j]) & low_bytes);
      const auto green_of = [&](U8x4 texel) {
        return lanes::shift_right_logical<8>(lanes::as_i32(texel)) & green_byte;
      };
      const I16x2 green =
          lanes::as_i16x2((green_of(texels[i]) - green_of(texels[j])) & all_lanes(0xFFFF));
      const I32 distance = lanes::multiply_and_add_halves(red_blue, red_blue * weights.red_blue) +
                           lanes::multiply_and_add_halves(green, green * weights.green);
      const LaneMask farther = distance > farthest;
      farthest = lanes::max(farthest, distance);
      ends.first = lanes::select(farther, lanes::as_i32(texels[i]), ends.first);
      ends.second = lanes::select(farther, lanes::as_i32(texels[j]), ends.second);
    }
  }
  return ends;
}

TESSERA_INLINE TexelEnds luma_extremes(const U8x4 texels[kBlockTexels]) {
  TexelEnds ends = {lanes::as_i32(texels[0]), lanes::as_i32(texels[0])};
  I32 lowest = all_lanes(1 << 20), highest = all_lanes(-1);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const Color color = unpack_color(texels[i]);
    const I32 luma = color.r + color.g + color.g + color.b;
    ends.first = lanes::select(luma > highest, lanes::as_i32(texels[i]), ends.first);
    ends.second = lanes::select(luma < lowest, lanes::as_i32(texels[i]), ends.second);
    highest = lanes::max(highest, luma);
    lowest = lanes::min(lowest, luma);
  }
  return ends;
}

TESSERA_INLINE Ends box_ends(const U8x4 texels[kBlockTexels]) {
  const Box box = bounding_box(texels);
  const Color low = unpack_color(box.low);
  const Color extent = unpack_color(box.high - box.low);
  const Flips flips = flipped_channels(covariances(texels, box.low), extent);
  const Endpoints ends = inset_and_quantize(low, extent, flips);
  return {pack_565(ends.first), pack_565(ends.second), lanes::all_lanes_f32(0.0F)};
}

template <int kSteps>
TESSERA_NOINLINE Fit fit_pair(const BlockLanes& block, const Settings& settings) {
  U8x4 texels[kBlockTexels];
  texels_without_excluded(block, texels);
  if (settings.method == Method::kBounds) {
    const Ends ends = box_ends(texels);
    return measure<kSteps>(block, ends.first, ends.second, settings);
  }
  const TexelEnds ends = settings.method == Method::kFarthest ? farthest_texels(texels, settings)
                                                              : luma_extremes(texels);
  return measure<kSteps>(block, nearest_565(unpack_color(lanes::as_u8x4(ends.first))),
                         nearest_565(unpack_color(lanes::as_u8x4(ends.second))), settings);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_FIT_PAIR_INL_H_
