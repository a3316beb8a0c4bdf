// How many mip levels there are, and how large they are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tessera {

// Levels of a full chain down to 1x1 (x1): 1 + floor(log2(largest side)).
constexpr uint32_t mip_level_count(uint32_t width, uint32_t height, uint32_t depth = 1) {
  return static_cast<uint32_t>(std::bit_width(std::max({width, height, depth, 1u})));
}

// Size of one side at a level: never below 1.
constexpr uint32_t mip_extent(uint32_t extent, uint32_t level) {
  const uint32_t shifted = level < 32 ? extent >> level : 0;
  return shifted > 0 ? shifted : 1;
}

}  // namespace tessera
