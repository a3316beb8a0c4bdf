// A group of blocks as the fitting stages read it, one block per lane, and its moments.
#if defined(TESSERA_BC_BLOCK_LANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_BLOCK_LANES_INL_H_
#undef TESSERA_BC_BLOCK_LANES_INL_H_
#else
#define TESSERA_BC_BLOCK_LANES_INL_H_
#endif

#include "bc/bc1_format.h"
#include "bc/bc1_presets.h"
#include "bc/block_colors-inl.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

using lanes::F32;

inline constexpr size_t kTexelPairs = kBlockTexels / 2;

struct BlockLanes {
  U8x4 texels[kBlockTexels];
  // The same by pairs of channels: (red, blue) and (green, 0), for products with a colour.
  I16x2 red_blue[kBlockTexels];
  I16x2 green[kBlockTexels];
  // The same by pairs of texels, for sums over texels.
  TexelPair pairs[kTexelPairs];
  I32 count;     // texels that are to be fitted; the others are zero in all of the above
  I32 excluded;  // two set bits for each of the others
  I32 sum[3];    // of red, green, blue
};

// Products with (red, blue) and (green, 0) of a texel.
struct WeightPairs {
  I16x2 red_blue, green;
};

TESSERA_INLINE WeightPairs weight_pairs(const Settings& settings, uint32_t factor) {
  const auto scaled = [&](size_t c) { return static_cast<int32_t>(settings.weights[c] * factor); };
  return {lanes::as_i16x2(all_lanes(scaled(0) | (scaled(2) << 16))),
          lanes::as_i16x2(all_lanes(scaled(1)))};
}

TESSERA_NOINLINE void fill_derived(BlockLanes& block) {
  const I16x2 low_bytes = lanes::all_lanes_i16x2(0xFF);
  const I32 low_half = all_lanes(0xFF);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const I16x2 texel = lanes::as_i16x2(block.texels[i]);
    block.red_blue[i] = texel & low_bytes;
    block.green[i] =
        lanes::as_i16x2(lanes::shift_right_logical<8>(lanes::as_i32(block.texels[i])) & low_half);
  }
  const I16x2 ones = lanes::all_lanes_i16x2(1);
  I16x2 sums[3] = {lanes::all_lanes_i16x2(0), lanes::all_lanes_i16x2(0), lanes::all_lanes_i16x2(0)};
  for (size_t i = 0; i < kTexelPairs; ++i) {
    block.pairs[i] = by_channel(block.texels[2 * i], block.texels[2 * i + 1]);
    sums[0] = sums[0] + block.pairs[i].r;
    sums[1] = sums[1] + block.pairs[i].g;
    sums[2] = sums[2] + block.pairs[i].b;
  }
  for (size_t c = 0; c < 3; ++c) {
    block.sum[c] = lanes::multiply_and_add_halves(sums[c], ones);
  }
}

// 4·Σ weight·value² of the fitted texels.
TESSERA_NOINLINE I32 square_sum4(const BlockLanes& block, const Settings& settings) {
  const WeightPairs weights = weight_pairs(settings, 4);
  I32 sum = all_lanes(0);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    sum = sum +
          lanes::multiply_and_add_halves(block.red_blue[i], block.red_blue[i] * weights.red_blue) +
          lanes::multiply_and_add_halves(block.green[i], block.green[i] * weights.green);
  }
  return sum;
}

TESSERA_INLINE void load_block_lanes(const TexelRows& rows, BlockLanes& block) {
  for (size_t y = 0; y < kBlockSide; ++y) {
    lanes::load_block_row(rows.row[y], block.texels + y * kBlockSide);
  }
  block.count = all_lanes(static_cast<int32_t>(kBlockTexels));
  block.excluded = all_lanes(0);
  fill_derived(block);
}

// Sums over the fitted texels of products of deviations from the mean, times their count: exact, at
// most 16·16·127.5².
struct Moments {
  I32 rr, rg, rb, gg, gb, bb;
};

TESSERA_NOINLINE Moments moments(const BlockLanes& block) {
  I32 rr = all_lanes(0), rg = rr, rb = rr, gg = rr, gb = rr, bb = rr;
  for (const TexelPair& pair : block.pairs) {
    rr = rr + lanes::multiply_and_add_halves(pair.r, pair.r);
    rg = rg + lanes::multiply_and_add_halves(pair.r, pair.g);
    rb = rb + lanes::multiply_and_add_halves(pair.r, pair.b);
    gg = gg + lanes::multiply_and_add_halves(pair.g, pair.g);
    gb = gb + lanes::multiply_and_add_halves(pair.g, pair.b);
    bb = bb + lanes::multiply_and_add_halves(pair.b, pair.b);
  }
  const auto centred = [&](I32 products, size_t a, size_t b) {
    return products * block.count - lanes::multiply_low_halves(block.sum[a], block.sum[b]);
  };
  return {centred(rr, 0, 0), centred(rg, 0, 1), centred(rb, 0, 2),
          centred(gg, 1, 1), centred(gb, 1, 2), centred(bb, 2, 2)};
}

// 1/x for positive x by Newton's method, the same bits on every machine and device (division is not
// correctly rounded everywhere).
TESSERA_INLINE F32 reciprocal(F32 x) {
  const F32 two = lanes::all_lanes_f32(2.0F);
  F32 guess = lanes::float_of_bits(all_lanes(0x7EF311C7) - lanes::float_bits(x));
  for (int i = 0; i < 3; ++i) {
    guess = guess * (two - x * guess);
  }
  return guess;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_BLOCK_LANES_INL_H_
