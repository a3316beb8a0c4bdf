// Colour endpoints: the two colours between which a partition's texels lie, decoded from the
// (already unquantised) stored values by one of 16 endpoint modes.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {

enum class EndpointMode : uint8_t {
  kLuminance = 0,
  kLuminanceOffset = 1,
  kHdrLuminanceLarge = 2,
  kHdrLuminanceSmall = 3,
  kLuminanceAlpha = 4,
  kLuminanceAlphaOffset = 5,
  kRgbScale = 6,
  kHdrRgbScale = 7,
  kRgb = 8,
  kRgbOffset = 9,
  kRgbScaleAlpha = 10,
  kHdrRgb = 11,
  kRgba = 12,
  kRgbaOffset = 13,
  kHdrRgbLdrAlpha = 14,
  kHdrRgba = 15,
};

constexpr bool is_hdr(EndpointMode mode) {
  // Bits 2, 3, 7, 11, 14 and 15.
  return ((0xC88Cu >> static_cast<unsigned>(mode)) & 1u) != 0;
}

// A channel is either LDR, 8 bits, or HDR, 12 bits on a logarithmic scale.
struct EndpointPair {
  std::array<uint16_t, 4> low{};   // where the weight is 0
  std::array<uint16_t, 4> high{};  // where the weight is 64
  bool rgb_is_hdr = false;
  bool alpha_is_hdr = false;

  constexpr bool operator==(const EndpointPair&) const = default;
};

// `values` are color_value_count(mode) unquantised values of 0…255.
EndpointPair decode_endpoints(EndpointMode mode, const uint8_t* values);

}  // namespace tessera::astc
