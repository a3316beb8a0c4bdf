// The block sizes (footprints) that ASTC has: 14 of 2D and 10 of 3D blocks. Each block is 128 bits.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tessera::astc {

// In texels. A depth of 1 means a 2D block; no 3D block is that flat.
struct BlockSize {
  uint8_t x = 4;
  uint8_t y = 4;
  uint8_t z = 1;

  constexpr bool is_3d() const { return z > 1; }
  constexpr unsigned texel_count() const { return unsigned{x} * y * z; }
  constexpr bool operator==(const BlockSize&) const = default;
};

inline constexpr unsigned kBlockSizeCount2d = 14;
inline constexpr unsigned kBlockSizeCount = 24;
inline constexpr unsigned kMaxBlockTexels = 216;

// First the 2D ones, then the 3D ones, each in the order of the standard.
inline constexpr std::array<BlockSize, kBlockSizeCount> kBlockSizes = {{
    {4, 4, 1},  {5, 4, 1},  {5, 5, 1},  {6, 5, 1},   {6, 6, 1},   {8, 5, 1},   {8, 6, 1}, {8, 8, 1},
    {10, 5, 1}, {10, 6, 1}, {10, 8, 1}, {10, 10, 1}, {12, 10, 1}, {12, 12, 1}, {3, 3, 3}, {4, 3, 3},
    {4, 4, 3},  {4, 4, 4},  {5, 4, 4},  {5, 5, 4},   {5, 5, 5},   {6, 5, 5},   {6, 6, 5}, {6, 6, 6},
}};

// Position in kBlockSizes; nothing when ASTC has no such block.
constexpr std::optional<unsigned> block_size_index(BlockSize size) {
  for (unsigned i = 0; i < kBlockSizeCount; ++i) {
    if (kBlockSizes[i] == size) {
      return i;
    }
  }
  return std::nullopt;
}

// "6x6" or "4x4x3".
std::string block_size_name(BlockSize size);

}  // namespace tessera::astc
