// Kinds of blocks: what is stored for a colour, how many partitions and planes there are. Blocks of
// one family share a list of candidates; those of one group of families are fitted together.
#pragma once

#include <array>
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

constexpr bool has_alpha(ColorClass color_class) {
  return stored_channels(color_class) % 2 == 0;
}

// A stored luminance serves three channels.
constexpr unsigned decoded_channels(ColorClass color_class) {
  return has_alpha(color_class) ? 4 : 3;
}

// Whether the encoder tries two planes where so many partitions or more store so many channels:
// with several partitions only where one of the channels is alpha.
constexpr bool may_have_two_planes(unsigned channels, unsigned partitions) {
  return channels > 1 && 2 * channels * partitions <= kMaxColorValues &&
         (partitions == 1 || channels % 2 == 0);
}

// How the two ends of a line are stored, one pair of values less with each. Alpha, if there is any,
// has two values in all of them.
enum class ColorStorage : uint8_t {
  kPair,    // two colours
  kScaled,  // one colour, and a factor for the other
  kGrey,    // two luminances
};
inline constexpr unsigned kStorageCount = 3;

struct Family {
  ColorClass color_class = ColorClass::kRgb;
  uint8_t partitions = 1;
  bool dual_plane = false;
  // Pairs of values saved, of all partitions together. The decoder takes no more than two ways of
  // storing in one block, and only neighbours.
  uint8_t saved_pairs = 0;

  // Partitions are stored this way, but for some that are stored in the reduced way: the next one,
  // with a pair of values less.
  constexpr ColorStorage storage() const {
    return static_cast<ColorStorage>(saved_pairs / partitions);
  }
  constexpr ColorStorage reduced_storage() const {
    return static_cast<ColorStorage>(saved_pairs / partitions + 1);
  }
  constexpr unsigned reduced_count() const { return saved_pairs % partitions; }
  constexpr bool mixes_modes() const { return reduced_count() > 0; }

  constexpr unsigned color_values() const {
    return 2 * stored_channels(color_class) * partitions - 2u * saved_pairs;
  }
  // Of a partition stored so.
  constexpr unsigned values_of_part(ColorStorage storage) const {
    return 2 * (stored_channels(color_class) - static_cast<unsigned>(storage));
  }
  constexpr bool is_legal() const {
    const bool one_channel = color_class == ColorClass::kLuminance;
    const bool has_rgb = color_class >= ColorClass::kRgb;
    return !(dual_plane && (one_channel || partitions == kMaxPartitions || mixes_modes())) &&
           saved_pairs <= (has_rgb ? 2 * partitions : 0) && color_values() <= kMaxColorValues;
  }
  constexpr EndpointMode endpoint_mode(ColorStorage storage) const {
    const bool stores_alpha = has_alpha(color_class);
    if (storage == ColorStorage::kGrey || color_class < ColorClass::kRgb) {
      return stores_alpha ? EndpointMode::kLuminanceAlpha : EndpointMode::kLuminance;
    }
    if (storage == ColorStorage::kScaled) {
      return stores_alpha ? EndpointMode::kRgbScaleAlpha : EndpointMode::kRgbScale;
    }
    return stores_alpha ? EndpointMode::kRgba : EndpointMode::kRgb;
  }
  // The same for HDR; a way of storing that leaves out alpha's own values has no mode with alpha.
  constexpr EndpointMode hdr_endpoint_mode(ColorStorage storage, bool hdr_alpha) const {
    if (storage == ColorStorage::kGrey || color_class < ColorClass::kRgb) {
      return EndpointMode::kHdrLuminanceLarge;
    }
    if (storage == ColorStorage::kScaled) {
      return EndpointMode::kHdrRgbScale;
    }
    if (!has_alpha(color_class)) {
      return EndpointMode::kHdrRgb;
    }
    return hdr_alpha ? EndpointMode::kHdrRgba : EndpointMode::kHdrRgbLdrAlpha;
  }
  // Where modes are mixed, a partition without alpha in a block with alpha has a better use for the
  // values of a reduced way: its colour is stored the way before, without alpha.
  constexpr bool has_opaque_modes() const {
    return mixes_modes() && color_class == ColorClass::kRgba;
  }
  // Such a partition may have alpha from here on: to lose it counts like any other error.
  static constexpr float kLeastOpaqueAlpha = 252;
  static constexpr EndpointMode opaque_endpoint_mode(ColorStorage storage) {
    return storage == ColorStorage::kScaled ? EndpointMode::kRgb : EndpointMode::kRgbScale;
  }
  // What tells the decoder the lower of the two classes; 0 where modes are not mixed.
  constexpr unsigned mode_selector() const {
    return mixes_modes() ? mode_class(endpoint_mode(reduced_storage())) + 1 : 0;
  }
  // Where modes are mixed, each belongs to one of two neighbouring classes of four.
  static constexpr unsigned mode_class(EndpointMode mode) {
    return static_cast<unsigned>(mode) / 4;
  }
  static constexpr unsigned mode_in_class(EndpointMode mode) {
    return static_cast<unsigned>(mode) % 4;
  }
};

inline constexpr unsigned kSavedCounts = 2 * kMaxPartitions + 1;
inline constexpr unsigned kFamilyNumbers = kColorClassCount * kMaxPartitions * kSavedCounts * 2;

// Of all families, legal or not.
constexpr unsigned family_number(const Family& family) {
  return ((static_cast<unsigned>(family.color_class) * kMaxPartitions + family.partitions - 1u) *
              kSavedCounts +
          family.saved_pairs) *
             2 +
         (family.dual_plane ? 1u : 0u);
}

constexpr Family family_of_number(unsigned number) {
  const unsigned kind = number / (2 * kSavedCounts);
  return {static_cast<ColorClass>(kind / kMaxPartitions),
          static_cast<uint8_t>(kind % kMaxPartitions + 1), number % 2 != 0,
          static_cast<uint8_t>(number / 2 % kSavedCounts)};
}

// Legal families have an index, without gaps.
struct FamilyList {
  std::array<uint8_t, kFamilyNumbers> index{};  // by number
  std::array<Family, kFamilyNumbers> family{};  // by index
  unsigned count = 0;

  constexpr FamilyList() {
    for (unsigned number = 0; number < kFamilyNumbers; ++number) {
      if (family_of_number(number).is_legal()) {
        index[number] = static_cast<uint8_t>(count);
        family[count++] = family_of_number(number);
      }
    }
  }
};
inline constexpr FamilyList kFamilies;
inline constexpr unsigned kFamilyCount = kFamilies.count;

constexpr unsigned family_index(const Family& family) {
  return kFamilies.index[family_number(family)];
}

constexpr const Family& family_of_index(unsigned index) {
  return kFamilies.family[index];
}

// Families that differ in the ways of storing colours alone: their blocks can be fitted together.
inline constexpr unsigned kFamilyGroupCount = kColorClassCount * kMaxPartitions * 2;

constexpr unsigned family_group(const Family& family) {
  return (static_cast<unsigned>(family.color_class) * kMaxPartitions + family.partitions - 1u) * 2 +
         (family.dual_plane ? 1u : 0u);
}

// The one that saves nothing, whether it is legal or not.
constexpr Family first_of_group(unsigned group) {
  return {static_cast<ColorClass>(group / 2 / kMaxPartitions),
          static_cast<uint8_t>(group / 2 % kMaxPartitions + 1), group % 2 != 0, 0};
}

}  // namespace tessera::astc
