// Colours of blocks in lanes: one value per channel, pairs of texels, 5:6:5 values and back.
#if defined(TESSERA_BC_BLOCK_COLORS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_BLOCK_COLORS_INL_H_
#undef TESSERA_BC_BLOCK_COLORS_INL_H_
#else
#define TESSERA_BC_BLOCK_COLORS_INL_H_
#endif

#include "bc/bc1_format.h"
#include "bc/block_rows-inl.h"
#include "spmd/lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

using lanes::all_lanes;
using lanes::I16x2;
using lanes::I32;
using lanes::LaneMask;
using lanes::U8x4;

// One value per channel.
struct Color {
  I32 r, g, b;
};

TESSERA_INLINE Color unpack_color(U8x4 texel) {
  const I32 bits = lanes::as_i32(texel);
  const I32 low_byte = all_lanes(0xFF);
  return {bits & low_byte, lanes::shift_right_logical<8>(bits) & low_byte,
          lanes::shift_right_logical<16>(bits) & low_byte};
}

struct Box {
  U8x4 low, high;
};

TESSERA_INLINE Box bounding_box(const U8x4 texels[kBlockTexels]) {
  Box box = {texels[0], texels[0]};
  for (size_t i = 1; i < kBlockTexels; ++i) {
    box.low = lanes::min(box.low, texels[i]);
    box.high = lanes::max(box.high, texels[i]);
  }
  return box;
}

// A channel of two texels.
struct TexelPair {
  I16x2 r, g, b;
};

// Regroups two RGBA texels by channel.
TESSERA_INLINE TexelPair by_channel(U8x4 first, U8x4 second) {
  const I16x2 low_bytes = lanes::all_lanes_i16x2(0xFF);
  const I16x2 first_rb = lanes::as_i16x2(first) & low_bytes;
  const I16x2 second_rb = lanes::as_i16x2(second) & low_bytes;
  const I16x2 first_ga = lanes::shift_right_logical<8>(lanes::as_i16x2(first));
  const I16x2 second_ga = lanes::shift_right_logical<8>(lanes::as_i16x2(second));
  const auto to_high = [](I16x2 v) {
    return lanes::as_i16x2(lanes::shift_left<16>(lanes::as_i32(v)));
  };
  const auto to_low = [](I16x2 v) {
    return lanes::as_i16x2(lanes::shift_right_logical<16>(lanes::as_i32(v)));
  };
  return {lanes::combine_halves(to_high(second_rb), first_rb),
          lanes::combine_halves(to_high(second_ga), first_ga),
          lanes::combine_halves(second_rb, to_low(first_rb))};
}

TESSERA_INLINE I32 pack_565(const Color& color) {
  return lanes::shift_left<11>(color.r) | lanes::shift_left<5>(color.g) | color.b;
}

TESSERA_INLINE Color expand(const Color& color) {
  const auto five = [](I32 v) {
    return lanes::shift_left<3>(v) | lanes::shift_right_logical<2>(v);
  };
  const auto six = [](I32 v) { return lanes::shift_left<2>(v) | lanes::shift_right_logical<4>(v); };
  return {five(color.r), six(color.g), five(color.b)};
}

// (red, blue) and (green, nothing): how channels lie in the even and odd bytes of a texel.
struct ChannelPairs {
  I16x2 red_blue, green;
};

TESSERA_INLINE ChannelPairs pair_channels(const Color& color) {
  const I32 low_half = all_lanes(0xFFFF);
  return {lanes::as_i16x2((color.r & low_half) | lanes::shift_left<16>(color.b)),
          lanes::as_i16x2(color.g & low_half)};
}

TESSERA_INLINE I32 dot(const ChannelPairs& a, const ChannelPairs& b) {
  return lanes::multiply_and_add_halves(a.red_blue, b.red_blue) +
         lanes::multiply_and_add_halves(a.green, b.green);
}

// Thirds from color0 to color1 (0, 1, 2, 3) are the selectors 0, 2, 3, 1, sixteen at once.
TESSERA_INLINE I32 selectors_from_thirds(I32 thirds) {
  const I32 high_bits = all_lanes(static_cast<int32_t>(0xAAAAAAAAu));
  const I32 low_bits = all_lanes(0x55555555);
  return ((thirds ^ lanes::shift_left<1>(thirds)) & high_bits) |
         (lanes::shift_right_logical<1>(thirds) & low_bits);
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_BLOCK_COLORS_INL_H_
