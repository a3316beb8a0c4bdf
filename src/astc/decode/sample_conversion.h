// From the interpolator's 16-bit results to halves and 8 bits.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera::astc {

// The standard's conversion: 0xFFFF is 1, else value / 65536 rounded towards zero.
constexpr uint16_t unorm16_to_half(uint16_t value) {
  if (value == 0xFFFF) {
    return 0x3C00;
  }
  if (value < 4) {  // below 2^-14: subnormal, in units of 2^-24
    return static_cast<uint16_t>(value << 8);
  }
  const unsigned top = static_cast<unsigned>(std::bit_width(value)) - 1;  // 2 to 15
  const unsigned mantissa = (unsigned{value} << (15 - top)) & 0x7FFF;     // below the leading one
  return static_cast<uint16_t>(((top - 1) << 10) | (mantissa >> 5));
}

// The half that the standard makes of a UNORM16 result, rounded to 8 bits. It keeps 11 significant
// bits, which is enough to make some results differ from a rounding of the 16 bits.
constexpr uint8_t unorm16_to_unorm8(uint16_t value) {
  const unsigned excess = value >= 2048 ? static_cast<unsigned>(std::bit_width(value)) - 11 : 0;
  const unsigned truncated = (unsigned{value} >> excess) << excess;
  return static_cast<uint8_t>((truncated * 255 + 0x8000) >> 16);
}

// HDR results are 16 bits on a piecewise linear logarithmic scale; infinities become the largest
// finite half.
constexpr uint16_t lns_to_half(uint16_t value) {
  const unsigned exponent = value >> 11;
  const unsigned mantissa = value & 0x7FF;
  const unsigned bent = mantissa < 512    ? 3 * mantissa
                        : mantissa < 1536 ? 4 * mantissa - 512
                                          : 5 * mantissa - 2048;
  const unsigned half = (exponent << 10) + (bent >> 3);
  return static_cast<uint16_t>(half >= 0x7C00 ? 0x7BFF : half);
}

}  // namespace tessera::astc
