// What texels are stored as while they are encoded. Stages take the format as a template parameter
// and read texels only by it; LaneTexels (block_texels-inl.h) says how its texels get into lanes.
#pragma once

#include <array>
#include <cstdint>

#include "astc/decode/sample_conversion.h"

namespace tessera::astc {

// Four 8-bit channels, red in the lowest byte.
struct Rgba8Texels {
  using Stored = uint32_t;
  static constexpr bool kIsHdr = false;

  static constexpr bool is_opaque(Stored texel) { return texel >> 24 == 0xFF; }

  // As UNORM16 values of a block of one colour.
  static constexpr std::array<uint16_t, 4> constant_color(Stored texel, bool /*hdr_alpha*/) {
    std::array<uint16_t, 4> color{};
    for (unsigned i = 0; i < 4; ++i) {
      color[i] = static_cast<uint16_t>((texel >> (8 * i) & 0xFF) * 257);
    }
    return color;
  }
};

// Four 16-bit channels, red in the lowest bits. Colours are on the logarithmic scale that HDR
// endpoints are interpolated on (lns_of_half()); alpha is on that scale, too, or linear, 0…65535
// for 0…1, as the profile asks.
struct LnsTexels {
  using Stored = uint64_t;
  static constexpr bool kIsHdr = true;
  // 1 on either scale. A linear alpha that happens to be the first one is stored as its neighbour,
  // and logarithmic ones do not get as high as the second, so both always mean opaque.
  static constexpr uint16_t kHdrOne = 0x7801, kLdrOne = 0xFFFF;

  static constexpr bool is_opaque(Stored texel) {
    return texel >> 48 == kHdrOne || texel >> 48 == kLdrOne;
  }

  // As half floats of a block of one colour.
  static constexpr std::array<uint16_t, 4> constant_color(Stored texel, bool hdr_alpha) {
    std::array<uint16_t, 4> color{};
    for (unsigned i = 0; i < 4; ++i) {
      const auto value = static_cast<uint16_t>(texel >> (16 * i));
      color[i] = i < 3 || hdr_alpha ? lns_to_half(value) : unorm16_to_half(value);
    }
    return color;
  }
};

// The place on the logarithmic scale that a half float is decoded from, in the middle where there
// are several. Samples that the scale does not have are clamped: negative ones and NaN to 0,
// infinity to the largest half.
constexpr uint16_t lns_of_half(uint16_t half) {
  constexpr unsigned kInfinity = 0x7C00;
  if (half > kInfinity) {  // NaN, and all that have a sign
    return 0;
  }
  const unsigned finite = half == kInfinity ? kInfinity - 1u : half;
  const unsigned exponent = finite >> 10;
  const unsigned mantissa = finite & 0x3FF;
  // lns_to_half() bends 11 bits to eight times the mantissa, in three straight pieces.
  const unsigned bent = mantissa < 192   ? (8 * mantissa + 5) / 3
                        : mantissa < 704 ? 2 * mantissa + 129
                                         : (8 * mantissa + 2054) / 5;
  return static_cast<uint16_t>((exponent << 11) | bent);
}
static_assert(lns_of_half(0x3C00) == LnsTexels::kHdrOne);

}  // namespace tessera::astc
