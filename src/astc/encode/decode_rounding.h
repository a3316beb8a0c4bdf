// How each decode mode rounds, for the exact error of a fit.
#pragma once

#include <cstdint>

#include "astc/decode/decode_mode.h"

namespace tessera::astc {

// How a decoder rounds the channel that it interpolates between two 8-bit endpoints, which it first
// widens to 16 bits: value = widen · endpoint + offset, and what the texel is then:
// floor(narrow · value + rounding), where a value that becomes a half float first keeps only the
// leading 11 of its bits (`kept_bits`, of a 32-bit float).
struct DecodeRounding {
  float widen;
  float offset;
  int32_t kept_bits;
  float narrow;
  float rounding;
};

constexpr DecodeRounding decode_rounding(DecodeMode mode) {
  constexpr int32_t kAll = ~0;
  constexpr int32_t kHalfFloat = ~0x1FFF;  // all but 13 of the 23 bits behind the leading one
  switch (mode) {
    case DecodeMode::kSrgb:
      return {256.0F, 128.0F, kAll, 1.0F / 256, 0.0F};
    case DecodeMode::kLdrUnorm8:
      return {257.0F, 0.0F, kAll, 1.0F / 256, 0.0F};
    case DecodeMode::kHdr:  // endpoints are a 256th of 16-bit numbers, see LaneTexels<LnsTexels>
      return {256.0F, 0.0F, kAll, 1.0F / 256, 0.0F};
    case DecodeMode::kLdrFloat16:
      break;
  }
  return {257.0F, 0.0F, kHalfFloat, 255.0F / 65536, 0.5F};
}

}  // namespace tessera::astc
