// BC1 endpoints from the bounding box of a block's colours, one block per lane, in integers.
//
// 1. The box: smallest and largest red, green and blue of the sixteen texels.
// 2. The diagonal: a channel that falls where the widest channel rises (negative covariance) has
//    its ends exchanged. Signs are taken against the widest channel, because against a fixed one
//    they are meaningless where that one is flat.
// 3. The inset: both ends move inwards by 5/64 of the box, which is where the outer palette entries
//    serve most texels best (0: 34.2 dB on photographs, 1/16: 35.0, 5/64: 35.1, 1/8: 34.7).
// 4. The ends are rounded to 5:6:5, and each texel takes the palette entry that is nearest to its
//    projection on the line between the rounded ends.
//
// About 550 vector operations per group of lane_count() blocks: 64 to load and regroup, 30 for the
// box, 190 for the covariances, 210 for the selectors.
#if defined(TESSERA_BC_ENCODE_BOUNDS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_ENCODE_BOUNDS_INL_H_
#undef TESSERA_BC_ENCODE_BOUNDS_INL_H_
#else
#define TESSERA_BC_ENCODE_BOUNDS_INL_H_
#endif

#include "bc/bc1_format.h"
#include "bc/block_colors-inl.h"
#include "bc/block_rows-inl.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// 16 times the sum over texels of the products of deviations from the mean.
struct Covariances {
  I32 rg, rb, gb;
};

TESSERA_INLINE Covariances covariances(const U8x4 texels[kBlockTexels], U8x4 origin) {
  I16x2 sum_r = lanes::all_lanes_i16x2(0), sum_g = sum_r, sum_b = sum_r;
  I32 rg = all_lanes(0), rb = rg, gb = rg;
  for (size_t i = 0; i < kBlockTexels; i += 2) {
    // Distances from the box's corner are 0…255, so that products and sums stay in range.
    const TexelPair pair = by_channel(texels[i] - origin, texels[i + 1] - origin);
    sum_r = sum_r + pair.r;
    sum_g = sum_g + pair.g;
    sum_b = sum_b + pair.b;
    rg = rg + lanes::multiply_and_add_halves(pair.r, pair.g);
    rb = rb + lanes::multiply_and_add_halves(pair.r, pair.b);
    gb = gb + lanes::multiply_and_add_halves(pair.g, pair.b);
  }
  // n·Σxy − Σx·Σy with n = 16; the sums are at most 16·255, so all fits in 32 bits.
  const I16x2 ones = lanes::all_lanes_i16x2(1);
  const I32 r = lanes::multiply_and_add_halves(sum_r, ones);
  const I32 g = lanes::multiply_and_add_halves(sum_g, ones);
  const I32 b = lanes::multiply_and_add_halves(sum_b, ones);
  return {lanes::shift_left<4>(rg) - lanes::multiply_low_halves(r, g),
          lanes::shift_left<4>(rb) - lanes::multiply_low_halves(r, b),
          lanes::shift_left<4>(gb) - lanes::multiply_low_halves(g, b)};
}

// Which channels run against the widest one.
struct Flips {
  LaneMask r, g, b;
};

TESSERA_INLINE Flips flipped_channels(const Covariances& covariance, const Color& extent) {
  const LaneMask green_widest_of_rg = extent.g > extent.r;
  const I32 widest_of_rg = lanes::select(green_widest_of_rg, extent.g, extent.r);
  const LaneMask blue_widest = extent.b > widest_of_rg;
  const I32 zero = all_lanes(0);
  // Covariance of each channel with the widest; the widest with itself is not negative: zero.
  const I32 of_r = lanes::select(blue_widest, covariance.rb,
                                 lanes::zero_unless(green_widest_of_rg, covariance.rg));
  const I32 of_g = lanes::select(blue_widest, covariance.gb,
                                 lanes::select(green_widest_of_rg, zero, covariance.rg));
  const I32 of_b = lanes::select(blue_widest, zero,
                                 lanes::select(green_widest_of_rg, covariance.gb, covariance.rb));
  return {of_r < zero, of_g < zero, of_b < zero};
}

struct Endpoints {
  Color first, second;  // as 5- and 6-bit values
};

// Nearest of the levels 0…kLevels (31 or 63) to value/64 on the scale 0…255:
// round(value·kLevels / (64·255)), exact for all values up to 64·255.
template <int16_t kLevels>
TESSERA_INLINE I32 quantize(I32 value_times_64) {
  const I32 scaled =
      lanes::multiply_low_halves(value_times_64, all_lanes(kLevels)) + all_lanes(64 * 255 / 2);
  const I32 by_64 = lanes::shift_right_logical<6>(scaled);
  // floor(x / 255) for x below 65535
  return lanes::shift_right_logical<8>(by_64 + lanes::shift_right_logical<8>(by_64) + all_lanes(1));
}

TESSERA_INLINE Endpoints inset_and_quantize(const Color& low, const Color& extent,
                                            const Flips& flips) {
  const auto near_end = [](I32 origin, I32 size) {  // low + 5/64 size, times 64
    return lanes::shift_left<6>(origin) + lanes::shift_left<2>(size) + size;
  };
  const auto far_end = [](I32 origin, I32 size) {  // low + 59/64 size, times 64
    return lanes::shift_left<6>(origin + size) - lanes::shift_left<2>(size) - size;
  };
  const I32 low_r = quantize<31>(near_end(low.r, extent.r));
  const I32 low_g = quantize<63>(near_end(low.g, extent.g));
  const I32 low_b = quantize<31>(near_end(low.b, extent.b));
  const I32 high_r = quantize<31>(far_end(low.r, extent.r));
  const I32 high_g = quantize<63>(far_end(low.g, extent.g));
  const I32 high_b = quantize<31>(far_end(low.b, extent.b));
  return {{lanes::select(flips.r, low_r, high_r), lanes::select(flips.g, low_g, high_g),
           lanes::select(flips.b, low_b, high_b)},
          {lanes::select(flips.r, high_r, low_r), lanes::select(flips.g, high_g, low_g),
           lanes::select(flips.b, high_b, low_b)}};
}

// For each texel the number of thirds, 0…3, from `start` to `end`, two bits per texel.
TESSERA_INLINE I32 project_texels(const U8x4 texels[kBlockTexels], const Color& start,
                                  const Color& end) {
  const Color step = {end.r - start.r, end.g - start.g, end.b - start.b};
  const ChannelPairs direction = pair_channels(step);
  const I16x2 six = lanes::all_lanes_i16x2(6);
  const ChannelPairs direction6 = {direction.red_blue * six, direction.green * six};
  // A texel is past the middle between thirds k − 1 and k when
  // 6·(texel − start)·direction >= (2k − 1)·|direction|².
  const I32 length = dot(direction, direction);
  const I32 border1 = dot(pair_channels(start), direction6) + length - all_lanes(1);
  const I32 border2 = border1 + lanes::shift_left<1>(length);
  const I32 border3 = border2 + lanes::shift_left<1>(length);
  const I16x2 low_bytes = lanes::all_lanes_i16x2(0xFF);
  I32 thirds = all_lanes(0);
  for (size_t i = kBlockTexels; i-- > 0;) {
    const I16x2 texel = lanes::as_i16x2(texels[i]);
    const I32 along = dot({texel & low_bytes, lanes::shift_right_logical<8>(texel)}, direction6);
    // A true comparison is −1.
    const I32 passed = lanes::as_bits(along > border1) + lanes::as_bits(along > border2) +
                       lanes::as_bits(along > border3);
    thirds = lanes::shift_left<2>(thirds) - passed;
  }
  return thirds;
}

TESSERA_INLINE void encode_lanes_bounds(const TexelRows& rows, uint32_t* TESSERA_RESTRICT out) {
  U8x4 texels[kBlockTexels];
  for (size_t y = 0; y < kBlockSide; ++y) {
    lanes::load_block_row(rows.row[y], texels + y * kBlockSide);
  }
  const Box box = bounding_box(texels);
  const Color low = unpack_color(box.low);
  const Color extent = unpack_color(box.high - box.low);
  const Flips flips = flipped_channels(covariances(texels, box.low), extent);
  const Endpoints ends = inset_and_quantize(low, extent, flips);

  // Four colours need color0 > color1 as numbers.
  const I32 first = pack_565(ends.first);
  const I32 second = pack_565(ends.second);
  const I32 selectors =
      selectors_from_thirds(project_texels(texels, expand(ends.first), expand(ends.second)));
  const LaneMask swap = second > first;
  const I32 color0 = lanes::select(swap, second, first);
  const I32 color1 = lanes::select(swap, first, second);
  const I32 swapped = selectors ^ lanes::zero_unless(swap, all_lanes(0x55555555));
  // Equal ends mean three colours, where selector 3 is transparent: use color0 throughout.
  const I32 final_selectors = lanes::select(first == second, all_lanes(0), swapped);
  lanes::store_block_words(color0 | lanes::shift_left<16>(color1), final_selectors, out);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_ENCODE_BOUNDS_INL_H_
