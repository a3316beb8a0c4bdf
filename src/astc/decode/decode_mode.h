// The ways to decode a block that the standard and its extensions define, and what a texel is then.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {

enum class DecodeMode : uint8_t {
  // Linear textures: endpoints v are expanded to 257·v and interpolated to 16 bits.
  kLdrFloat16,  // the standard's default: UNORM16, which a GPU turns into half floats
  kLdrUnorm8,   // with the decode_unorm8 extension: the top byte of the 16 bits
  kSrgb,        // sRGB-encoded (alpha linear): endpoints are expanded to 256·v + 128, top byte
  kHdr,         // half floats
};

// Red, green, blue, alpha: UNORM16, 8-bit values or half floats, as the mode says.
struct Texel {
  std::array<uint16_t, 4> rgba{};
  constexpr bool operator==(const Texel&) const = default;
};

// What illegal blocks decode to: magenta, or in HDR four NaNs. The standard lets linear LDR choose
// between the two.
constexpr Texel error_texel(DecodeMode mode) {
  switch (mode) {
    case DecodeMode::kLdrFloat16:
      return {{0xFFFF, 0, 0xFFFF, 0xFFFF}};
    case DecodeMode::kHdr:
      return {{0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF}};
    case DecodeMode::kLdrUnorm8:
    case DecodeMode::kSrgb:
      break;
  }
  return {{0xFF, 0, 0xFF, 0xFF}};
}

}  // namespace tessera::astc
