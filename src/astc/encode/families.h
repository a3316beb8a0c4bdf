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

struct Family {
  ColorClass color_class = ColorClass::kRgb;
  uint8_t partitions = 1;
  bool dual_plane = false;
  bool base_scale = false;  // RGB as one colour and a factor for the other

  constexpr unsigned values_per_partition() const {
    return 2 * stored_channels(color_class) - (base_scale ? 2 : 0);
  }
  constexpr bool is_legal() const {
    const bool one_channel = color_class == ColorClass::kLuminance;
    const bool has_rgb = color_class >= ColorClass::kRgb;
    return !(dual_plane && (one_channel || partitions == kMaxPartitions)) &&
           !(base_scale && !has_rgb) && values_per_partition() * partitions <= kMaxColorValues;
  }
  constexpr EndpointMode endpoint_mode() const {
    switch (color_class) {
      case ColorClass::kLuminance:
        return EndpointMode::kLuminance;
      case ColorClass::kLuminanceAlpha:
        return EndpointMode::kLuminanceAlpha;
      case ColorClass::kRgb:
        return base_scale ? EndpointMode::kRgbScale : EndpointMode::kRgb;
      case ColorClass::kRgba:
        break;
    }
    return base_scale ? EndpointMode::kRgbScaleAlpha : EndpointMode::kRgba;
  }
};

inline constexpr unsigned kFamilyCount = kColorClassCount * kMaxPartitions * 4;

constexpr unsigned family_index(const Family& family) {
  return ((static_cast<unsigned>(family.color_class) * kMaxPartitions + family.partitions - 1u) *
              2 +
          (family.base_scale ? 1u : 0u)) *
             2 +
         (family.dual_plane ? 1u : 0u);
}

constexpr Family family_of_index(unsigned index) {
  return {static_cast<ColorClass>(index / (4 * kMaxPartitions)),
          static_cast<uint8_t>(index / 4 % kMaxPartitions + 1), index % 2 != 0, index / 2 % 2 != 0};
}

}  // namespace tessera::astc
