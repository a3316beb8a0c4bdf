// Void extents: blocks of one colour, with a hint how far around that colour stays the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "astc/format/block128.h"

namespace tessera::astc {

struct VoidExtent {
  // An interval in texture coordinates, in units of the texture size / (2^13 − 1), or 2^9 − 1 in
  // 3D.
  struct Interval {
    uint16_t low = 0;
    uint16_t high = 0;
    constexpr bool operator==(const Interval&) const = default;
  };

  bool is_hdr = false;               // the colour is four half floats, else four UNORM16
  std::array<uint16_t, 4> color{};   // red, green, blue, alpha
  bool has_extent = false;           // without one, the intervals are not used and zero
  std::array<Interval, 3> extent{};  // x, y and, in 3D, z

  constexpr bool operator==(const VoidExtent&) const = default;
};

// True when the block mode says that this is a void extent, be it legal or not.
constexpr bool is_void_extent(const Block128& block) {
  return (block.low & 0x1FF) == 0x1FC;
}

// Nothing when a reserved bit or an interval breaks the rules.
std::optional<VoidExtent> unpack_void_extent(const Block128& block, bool is_3d);

// Nothing when the intervals are not legal (low < high, and no more than their bits).
std::optional<Block128> pack_void_extent(const VoidExtent& extent, bool is_3d);

// A void extent without extent: the usual case of a block of one colour.
constexpr Block128 constant_block(const std::array<uint16_t, 4>& color, bool is_hdr) {
  return {0xFFFFFFFFFFFFFDFCu | (is_hdr ? 0x200u : 0u),
          uint64_t{color[0]} | (uint64_t{color[1]} << 16) | (uint64_t{color[2]} << 32) |
              (uint64_t{color[3]} << 48)};
}

}  // namespace tessera::astc
