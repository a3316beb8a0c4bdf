// Converts decoded texels to samples of a picture.
#include "astc/decode/texel_samples.h"

#include "astc/decode/sample_conversion.h"
#include "base/half.h"

namespace tessera::astc {
namespace {

// Half to 0…max, rounded; exact in double, so the same everywhere.
template <typename T>
T half_to_unorm(uint16_t half, double max) {
  const float value = half_to_float(half);
  if (!(value > 0.0f)) {  // negative, or NaN
    return 0;
  }
  const double clamped = value < 1.0f ? double{value} : 1.0;
  return static_cast<T>(clamped * max + 0.5);
}

}  // namespace

uint8_t to_u8_sample(uint16_t value, DecodeMode mode) {
  switch (mode) {
    case DecodeMode::kLdrFloat16:
      return unorm16_to_unorm8(value);
    case DecodeMode::kHdr:
      return half_to_unorm<uint8_t>(value, 255.0);
    case DecodeMode::kLdrUnorm8:
    case DecodeMode::kSrgb:
      break;
  }
  return static_cast<uint8_t>(value);
}

uint16_t to_u16_sample(uint16_t value, DecodeMode mode) {
  switch (mode) {
    case DecodeMode::kLdrFloat16:
      return value;
    case DecodeMode::kHdr:
      return half_to_unorm<uint16_t>(value, 65535.0);
    case DecodeMode::kLdrUnorm8:
    case DecodeMode::kSrgb:
      break;
  }
  return static_cast<uint16_t>(value * 257u);
}

uint16_t to_f16_sample(uint16_t value, DecodeMode mode) {
  switch (mode) {
    case DecodeMode::kLdrFloat16:
      return unorm16_to_half(value);
    case DecodeMode::kHdr:
      return value;
    case DecodeMode::kLdrUnorm8:
    case DecodeMode::kSrgb:
      break;
  }
  return float_to_half(static_cast<float>(value) / 255.0f);
}

float to_f32_sample(uint16_t value, DecodeMode mode) {
  switch (mode) {
    case DecodeMode::kLdrFloat16:
      return half_to_float(unorm16_to_half(value));
    case DecodeMode::kHdr:
      return half_to_float(value);
    case DecodeMode::kLdrUnorm8:
    case DecodeMode::kSrgb:
      break;
  }
  return static_cast<float>(value) / 255.0f;
}

}  // namespace tessera::astc
