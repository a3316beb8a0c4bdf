// The size of a block in texels: the one type for it in the whole tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tessera {

// A depth of 1 means a 2D block.
struct BlockSize {
  uint32_t width = 4;
  uint32_t height = 4;
  uint32_t depth = 1;

  constexpr bool is_3d() const { return depth > 1; }
  constexpr uint32_t row_count() const { return height * depth; }  // rows of texels, of all slices
  constexpr uint32_t texel_count() const { return width * height * depth; }
  constexpr bool operator==(const BlockSize&) const = default;
};

// "6x6", "4x4x4"
std::string block_size_name(const BlockSize& block);
// Sides are 1 to 255.
Result<BlockSize> parse_block_size(std::string_view text);

}  // namespace tessera
