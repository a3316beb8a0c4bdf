// BC1 for real time: the bounding box's diagonal and one pass of least squares, one block per lane.
//
// 1. The box and its diagonal, as in encode_bounds-inl.h.
// 2. Each texel's step along the diagonal, with the palette from kInset/48 inside one corner to as
//    much inside the other; no division, the texels' projections are compared with multiples of the
//    squared length.
// 3. The ends that are best for these steps, by least squares; rounded to 5:6:5.
// 4. Selectors by projection on the line between the rounded ends.
//
// About 850 vector operations per group of lane_count() blocks.
#if defined(TESSERA_BC_ENCODE_REALTIME_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_ENCODE_REALTIME_INL_H_
#undef TESSERA_BC_ENCODE_REALTIME_INL_H_
#else
#define TESSERA_BC_ENCODE_REALTIME_INL_H_
#endif

#include "bc/encode_bounds-inl.h"
#include "bc/encode_fit-inl.h"
#include "bc/solve-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// What the stages share. Distances are from the box's lowest corner.
struct RealtimeBlock {
  TexelPair pairs[kTexelPairs];
  I16x2 sum_r, sum_g, sum_b;
};

TESSERA_INLINE Covariances realtime_moments(const U8x4 distances[kBlockTexels],
                                            RealtimeBlock& block) {
  block.sum_r = lanes::all_lanes_i16x2(0);
  block.sum_g = block.sum_r;
  block.sum_b = block.sum_r;
  I32 rg = all_lanes(0), rb = rg, gb = rg;
  for (size_t i = 0; i < kTexelPairs; ++i) {
    const TexelPair pair = by_channel(distances[2 * i], distances[2 * i + 1]);
    block.pairs[i] = pair;
    block.sum_r = block.sum_r + pair.r;
    block.sum_g = block.sum_g + pair.g;
    block.sum_b = block.sum_b + pair.b;
    rg = rg + lanes::multiply_and_add_halves(pair.r, pair.g);
    rb = rb + lanes::multiply_and_add_halves(pair.r, pair.b);
    gb = gb + lanes::multiply_and_add_halves(pair.g, pair.b);
  }
  const I16x2 ones = lanes::all_lanes_i16x2(1);
  const I32 r = lanes::multiply_and_add_halves(block.sum_r, ones);
  const I32 g = lanes::multiply_and_add_halves(block.sum_g, ones);
  const I32 b = lanes::multiply_and_add_halves(block.sum_b, ones);
  return {lanes::shift_left<4>(rg) - lanes::multiply_low_halves(r, g),
          lanes::shift_left<4>(rb) - lanes::multiply_low_halves(r, b),
          lanes::shift_left<4>(gb) - lanes::multiply_low_halves(g, b)};
}

// Borders between steps, in 48ths of the diagonal, for a palette from 4/48 to 44/48 of it.
inline constexpr int32_t kRealtimeBorders[3] = {11, 24, 37};

// Minus the step of each texel, 0…−3, from the corner where unflipped channels are lowest.
TESSERA_INLINE void realtime_steps(const U8x4 distances[kBlockTexels], const Color& extent,
                                   const Flips& flips, I16x2 minus_steps[kTexelPairs]) {
  const I32 zero = all_lanes(0);
  const Color step = {lanes::select(flips.r, zero - extent.r, extent.r),
                      lanes::select(flips.g, zero - extent.g, extent.g),
                      lanes::select(flips.b, zero - extent.b, extent.b)};
  const ChannelPairs direction = pair_channels(step);
  const I16x2 scale = lanes::all_lanes_i16x2(48);
  const ChannelPairs direction48 = {direction.red_blue * scale, direction.green * scale};
  const I32 length = dot(direction, direction);
  // The first corner: flipped channels start at their far end.
  const Color corner = {lanes::zero_unless(flips.r, extent.r),
                        lanes::zero_unless(flips.g, extent.g),
                        lanes::zero_unless(flips.b, extent.b)};
  const I32 start = dot(pair_channels(corner), direction48);
  I32 borders[3];
  for (size_t k = 0; k < 3; ++k) {
    borders[k] = start + length * all_lanes(kRealtimeBorders[k]) - all_lanes(1);
  }
  const I16x2 low_bytes = lanes::all_lanes_i16x2(0xFF);
  const auto minus_step = [&](size_t i) {
    const I16x2 texel = lanes::as_i16x2(distances[i]);
    const I32 along = dot({texel & low_bytes, lanes::shift_right_logical<8>(texel)}, direction48);
    return lanes::as_bits(along > borders[0]) + lanes::as_bits(along > borders[1]) +
           lanes::as_bits(along > borders[2]);
  };
  for (size_t i = 0; i < kTexelPairs; ++i) {
    const I32 low = minus_step(2 * i), high = minus_step(2 * i + 1);
    minus_steps[i] =
        lanes::combine_halves(lanes::as_i16x2(lanes::shift_left<16>(high)), lanes::as_i16x2(low));
  }
}

// Both ends of a channel from Σx and −Σs·x, relative to the box's corner, rounded to levels.
struct RealtimeEquations {
  I16x2 first_row, second_row;
  F32 inverse_determinant;
};

template <int16_t kLevels>
TESSERA_INLINE I32 realtime_level(const RealtimeEquations& e, I16x2 row, I16x2 sums, I32 origin) {
  const F32 distance =
      lanes::to_f32(lanes::multiply_and_add_halves(row, sums)) * e.inverse_determinant;
  const F32 value = (distance + lanes::to_f32(origin)) *
                    lanes::all_lanes_f32(static_cast<float>(kLevels) / 255.0F);
  return clamp_level<kLevels>(value + lanes::all_lanes_f32(0.5F));
}

struct RealtimeSums {
  I16x2 r, g, b;  // (Σx, −Σs·x) a channel
  RealtimeEquations equations;
};

TESSERA_INLINE RealtimeSums realtime_sums(const RealtimeBlock& block,
                                          const I16x2 minus_steps[kTexelPairs]) {
  I16x2 s = lanes::all_lanes_i16x2(0);
  I32 ss = all_lanes(0), sr = ss, sg = ss, sb = ss;
  for (size_t i = 0; i < kTexelPairs; ++i) {
    s = s + minus_steps[i];
    ss = ss + lanes::multiply_and_add_halves(minus_steps[i], minus_steps[i]);
    sr = sr + lanes::multiply_and_add_halves(minus_steps[i], block.pairs[i].r);
    sg = sg + lanes::multiply_and_add_halves(minus_steps[i], block.pairs[i].g);
    sb = sb + lanes::multiply_and_add_halves(minus_steps[i], block.pairs[i].b);
  }
  const I16x2 ones = lanes::all_lanes_i16x2(1);
  const I32 minus_s = lanes::multiply_and_add_halves(s, ones);
  const auto halves = [](I32 low, I32 high) {
    return lanes::as_i16x2((low & all_lanes(0xFFFF)) | lanes::shift_left<16>(high));
  };
  const auto sums = [&](I16x2 colors, I32 minus_s_colors) {
    return halves(lanes::multiply_and_add_halves(colors, ones), minus_s_colors);
  };
  // a = (Σs²·Σx − Σs·Σsx)/D and b = ((Σs² − 3Σs)·Σx + (48 − Σs)·Σsx)/D with D = 16Σs² − (Σs)².
  const I32 determinant =
      lanes::shift_left<4>(ss) -
      lanes::multiply_and_add_halves(lanes::as_i16x2(minus_s),
                                     lanes::as_i16x2(minus_s & all_lanes(0xFFFF)));
  return {sums(block.sum_r, sr),
          sums(block.sum_g, sg),
          sums(block.sum_b, sb),
          {halves(ss, all_lanes(0) - minus_s),
           halves(ss + minus_s + minus_s + minus_s, all_lanes(0) - (minus_s + all_lanes(48))),
           reciprocal(lanes::to_f32(lanes::max(determinant, all_lanes(1))))}};
}

TESSERA_INLINE void encode_lanes_realtime(const TexelRows& rows, uint32_t* TESSERA_RESTRICT out) {
  U8x4 texels[kBlockTexels], distances[kBlockTexels];
  for (size_t y = 0; y < kBlockSide; ++y) {
    lanes::load_block_row(rows.row[y], texels + y * kBlockSide);
  }
  const Box box = bounding_box(texels);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    distances[i] = texels[i] - box.low;
  }
  const Color low = unpack_color(box.low);
  const Color extent = unpack_color(box.high - box.low);
  RealtimeBlock block;
  const Flips flips = flipped_channels(realtime_moments(distances, block), extent);
  I16x2 minus_steps[kTexelPairs];
  realtime_steps(distances, extent, flips, minus_steps);
  const RealtimeSums sums = realtime_sums(block, minus_steps);
  const RealtimeEquations& e = sums.equations;
  const Color start = {realtime_level<31>(e, e.first_row, sums.r, low.r),
                       realtime_level<63>(e, e.first_row, sums.g, low.g),
                       realtime_level<31>(e, e.first_row, sums.b, low.b)};
  const Color end = {realtime_level<31>(e, e.second_row, sums.r, low.r),
                     realtime_level<63>(e, e.second_row, sums.g, low.g),
                     realtime_level<31>(e, e.second_row, sums.b, low.b)};
  const I32 thirds = project_texels(texels, expand(start), expand(end));
  Words words = four_color_words(pack_565(start), pack_565(end), thirds);
  const LaneMask solid = (extent.r | extent.g | extent.b) == all_lanes(0);
  if (lanes::any_lane(solid)) {
    words = select(solid, solid_words<3>(low, Settings()).words, words);
  }
  lanes::store_block_words(words.colors, words.selectors, out);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_ENCODE_REALTIME_INL_H_
