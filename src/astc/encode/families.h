// Kinds of blocks: what is stored for a colour, how many partitions and planes there are. Blocks of
// one family are fitted by the same code, and share a list of candidates.
#pragma once

#include <cstdint>

#include "astc/format/block_layout.h"
#include "astc/format/color_endpoints.h"

namespace tessera::astc {

// What a block's texels have in common decides how its endpoints are stored.
enum class ColorClass : uint8_t { kLuminance, kLuminanceAlpha, kRgb, kRgba };
inline constexpr unsigned kColorClassCount = 4;

constexpr unsigned stored_channels(ColorClass color_class) {
  return static_cast<unsigned>(color_class) + 1;
}

// Of endpoint modes stored one by one, each belongs to one of two neighbouring classes. A colour
// and a factor is the third mode of its class, two colours the first of the next.
inline constexpr int kScaledModeInClass = 2;

struct Family {
  ColorClass color_class = ColorClass::kRgb;
  uint8_t partitions = 1;
  bool dual_plane = false;
  uint8_t scaled = 0;  // partitions whose RGB is one colour and a factor for the other

  constexpr unsigned color_values() const {
    return 2 * stored_channels(color_class) * partitions - 2u * scaled;
  }
  constexpr bool mixes_modes() const { return scaled > 0 && scaled < partitions; }
  constexpr bool is_legal() const {
    const bool one_channel = color_class == ColorClass::kLuminance;
    const bool has_rgb = color_class >= ColorClass::kRgb;
    return !(dual_plane && (one_channel || partitions == kMaxPartitions || mixes_modes())) &&
           scaled <= (has_rgb ? partitions : 0) && color_values() <= kMaxColorValues;
  }
  // Of all partitions, where modes are not mixed.
  constexpr EndpointMode endpoint_mode() const {
    switch (color_class) {
      case ColorClass::kLuminance:
        return EndpointMode::kLuminance;
      case ColorClass::kLuminanceAlpha:
        return EndpointMode::kLuminanceAlpha;
      case ColorClass::kRgb:
        return scaled > 0 ? EndpointMode::kRgbScale : EndpointMode::kRgb;
      case ColorClass::kRgba:
        break;
    }
    return scaled > 0 ? EndpointMode::kRgbScaleAlpha : EndpointMode::kRgba;
  }
  // What tells the decoder the lower of the two classes; 0 where modes are not mixed.
  constexpr unsigned mode_selector() const {
    return mixes_modes() ? static_cast<unsigned>(endpoint_mode()) / 4 + 1 : 0;
  }
};

inline constexpr unsigned kScaledCounts = kMaxPartitions + 1;
inline constexpr unsigned kFamilyCount = kColorClassCount * kMaxPartitions * kScaledCounts * 2;

constexpr unsigned family_index(const Family& family) {
  return ((static_cast<unsigned>(family.color_class) * kMaxPartitions + family.partitions - 1u) *
              kScaledCounts +
          family.scaled) *
             2 +
         (family.dual_plane ? 1u : 0u);
}

constexpr Family family_of_index(unsigned index) {
  const unsigned kind = index / (2 * kScaledCounts);
  return {static_cast<ColorClass>(kind / kMaxPartitions),
          static_cast<uint8_t>(kind % kMaxPartitions + 1), index % 2 != 0,
          static_cast<uint8_t>(index / 2 % kScaledCounts)};
}

}  // namespace tessera::astc
