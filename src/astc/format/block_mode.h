// The block mode: 11 bits that give the weight grid's size, the weights' range and whether there
// are two planes of weights. 2D and 3D blocks read the bits differently.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "astc/format/block_size.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

inline constexpr unsigned kBlockModeCount = 2048;
inline constexpr unsigned kMaxWeights = 64;  // both planes together
inline constexpr unsigned kMinWeightBits = 24;
inline constexpr unsigned kMaxWeightBits = 96;

struct GridSize {
  uint8_t x = 0;
  uint8_t y = 0;
  uint8_t z = 1;

  constexpr unsigned count() const { return unsigned{x} * y * z; }
  constexpr bool operator==(const GridSize&) const = default;
};

struct BlockMode {
  GridSize grid;
  IntegerRange weight_range = IntegerRange::k2Levels;
  bool dual_plane = false;

  constexpr unsigned weight_count() const { return grid.count() * (dual_plane ? 2u : 1u); }
  constexpr unsigned weight_bit_count() const {
    return sequence_bit_count(weight_range, weight_count());
  }
  constexpr bool operator==(const BlockMode&) const = default;
};

// What the bits say, whether or not it is legal; nothing for reserved patterns and void extents.
std::optional<BlockMode> decode_block_mode(unsigned mode_bits, bool is_3d);

// The reverse (the smallest of equivalent patterns); nothing when no pattern says it.
std::optional<uint16_t> encode_block_mode(const BlockMode& mode, bool is_3d);

// The grid must fit the block, and number and bits of the weights must be within their limits.
bool is_legal(const BlockMode& mode, BlockSize size);

// All legal modes of a block size.
class BlockModeTable {
 public:
  struct Entry {
    BlockMode mode;
    uint16_t mode_bits;
    uint8_t weight_count;
    uint8_t weight_bit_count;
  };

  explicit BlockModeTable(BlockSize size);

  BlockSize block_size() const { return size_; }
  // Nothing for patterns that are reserved, illegal for this size, or void extents.
  const Entry* find(unsigned mode_bits) const {
    const int16_t index = index_of_bits_[mode_bits];
    return index < 0 ? nullptr : &entries_[static_cast<size_t>(index)];
  }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  BlockSize size_;
  std::vector<Entry> entries_;
  std::array<int16_t, kBlockModeCount> index_of_bits_;
};

// Made at first use.
const BlockModeTable& block_mode_table(BlockSize size);

}  // namespace tessera::astc
