// The block sizes (footprints) that ASTC has: 14 of 2D and 10 of 3D blocks. Each block is 128 bits.
#pragma once

#include <array>
#include <optional>

#include "base/block_size.h"

namespace tessera::astc {

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

}  // namespace tessera::astc
