// Reads and writes the 11 bits of a block mode.
#include "astc/format/block_mode.h"

#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

constexpr unsigned field(unsigned value, unsigned high, unsigned low) {
  return (value >> low) & ((1u << (high - low + 1)) - 1u);
}

// The three bits R pick one of six ranges (values 0 and 1 do not occur), H the upper six.
constexpr IntegerRange weight_range(unsigned r, bool high_precision) {
  return range_from_index(r - 2 + (high_precision ? 6u : 0u));
}

constexpr BlockMode make_mode(unsigned x, unsigned y, unsigned z, unsigned r, bool high_precision,
                              bool dual_plane) {
  const GridSize grid{static_cast<uint8_t>(x), static_cast<uint8_t>(y), static_cast<uint8_t>(z)};
  return {grid, weight_range(r, high_precision), dual_plane};
}

std::optional<BlockMode> decode_2d(unsigned bits) {
  const bool dual = field(bits, 10, 10) != 0;
  const bool high = field(bits, 9, 9) != 0;
  const unsigned a = field(bits, 6, 5);
  const unsigned b = field(bits, 8, 7);
  if (field(bits, 1, 0) != 0) {
    const unsigned r = (field(bits, 1, 0) << 1) | field(bits, 4, 4);
    switch (field(bits, 3, 2)) {
      case 0:
        return make_mode(b + 4, a + 2, 1, r, high, dual);
      case 1:
        return make_mode(b + 8, a + 2, 1, r, high, dual);
      case 2:
        return make_mode(a + 2, b + 8, 1, r, high, dual);
      default:
        return (b & 2u) == 0 ? make_mode(a + 2, b + 6, 1, r, high, dual)
                             : make_mode((b & 1u) + 2, a + 2, 1, r, high, dual);
    }
  }
  if (field(bits, 3, 2) == 0) {
    return std::nullopt;
  }
  const unsigned r = (field(bits, 3, 2) << 1) | field(bits, 4, 4);
  switch (b) {
    case 0:
      return make_mode(12, a + 2, 1, r, high, dual);
    case 1:
      return make_mode(a + 2, 12, 1, r, high, dual);
    case 2:  // here the bits of D and H give the height
      return make_mode(a + 6, field(bits, 10, 9) + 6, 1, r, false, false);
    default:
      if (a == 0) {
        return make_mode(6, 10, 1, r, high, dual);
      }
      if (a == 1) {
        return make_mode(10, 6, 1, r, high, dual);
      }
      return std::nullopt;
  }
}

std::optional<BlockMode> decode_3d(unsigned bits) {
  const bool dual = field(bits, 10, 10) != 0;
  const bool high = field(bits, 9, 9) != 0;
  const unsigned a = field(bits, 6, 5);
  if (field(bits, 1, 0) != 0) {
    const unsigned r = (field(bits, 1, 0) << 1) | field(bits, 4, 4);
    return make_mode(a + 2, field(bits, 8, 7) + 2, field(bits, 3, 2) + 2, r, high, dual);
  }
  if (field(bits, 3, 2) == 0) {
    return std::nullopt;
  }
  const unsigned r = (field(bits, 3, 2) << 1) | field(bits, 4, 4);
  const unsigned b = field(bits, 10, 9);  // where there is no D and H
  switch (field(bits, 8, 7)) {
    case 0:
      return make_mode(6, b + 2, a + 2, r, false, false);
    case 1:
      return make_mode(a + 2, 6, b + 2, r, false, false);
    case 2:
      return make_mode(a + 2, b + 2, 6, r, false, false);
    default:
      if (a == 3) {
        return std::nullopt;
      }
      return make_mode(a == 0 ? 6 : 2, a == 1 ? 6 : 2, a == 2 ? 6 : 2, r, high, dual);
  }
}

// Index of a mode among all that could be asked for: grids up to 12x12 or 6x6x6.
constexpr unsigned kMaxGridEdge2d = 12;
constexpr unsigned kMaxGridEdge3d = 6;
constexpr uint16_t kNoMode = 0xFFFF;

std::optional<unsigned> reverse_index(const BlockMode& mode, bool is_3d) {
  const unsigned edge = (is_3d ? kMaxGridEdge3d : kMaxGridEdge2d);
  const GridSize& grid = mode.grid;
  if (grid.x > edge || grid.y > edge || grid.z > (is_3d ? edge : 1) || grid.count() == 0 ||
      range_index(mode.weight_range) >= kWeightRangeCount) {
    return std::nullopt;
  }
  const unsigned cell = ((grid.z - 1u) * edge + (grid.y - 1u)) * edge + (grid.x - 1u);
  return (cell * kWeightRangeCount + range_index(mode.weight_range)) * 2 +
         (mode.dual_plane ? 1u : 0u);
}

std::vector<uint16_t> make_reverse_table(bool is_3d) {
  const unsigned cells =
      is_3d ? kMaxGridEdge3d * kMaxGridEdge3d * kMaxGridEdge3d : kMaxGridEdge2d * kMaxGridEdge2d;
  std::vector<uint16_t> table(cells * kWeightRangeCount * 2, kNoMode);
  for (unsigned bits = kBlockModeCount; bits-- > 0;) {
    if (const auto mode = decode_block_mode(bits, is_3d)) {
      table[*reverse_index(*mode, is_3d)] = static_cast<uint16_t>(bits);
    }
  }
  return table;
}

}  // namespace

std::optional<BlockMode> decode_block_mode(unsigned mode_bits, bool is_3d) {
  return is_3d ? decode_3d(mode_bits) : decode_2d(mode_bits);
}

std::optional<uint16_t> encode_block_mode(const BlockMode& mode, bool is_3d) {
  static const std::vector<uint16_t> table_2d = make_reverse_table(false);
  static const std::vector<uint16_t> table_3d = make_reverse_table(true);
  const auto index = reverse_index(mode, is_3d);
  if (!index) {
    return std::nullopt;
  }
  const uint16_t bits = (is_3d ? table_3d : table_2d)[*index];
  return bits == kNoMode ? std::nullopt : std::optional<uint16_t>(bits);
}

bool is_legal(const BlockMode& mode, BlockSize size) {
  return mode.grid.x <= size.width && mode.grid.y <= size.height && mode.grid.z <= size.depth &&
         range_index(mode.weight_range) < kWeightRangeCount && mode.weight_count() <= kMaxWeights &&
         mode.weight_bit_count() >= kMinWeightBits && mode.weight_bit_count() <= kMaxWeightBits;
}

BlockModeTable::BlockModeTable(BlockSize size) : size_(size) {
  index_of_bits_.fill(-1);
  for (unsigned bits = 0; bits < kBlockModeCount; ++bits) {
    const auto mode = decode_block_mode(bits, size.is_3d());
    if (!mode || !is_legal(*mode, size)) {
      continue;
    }
    index_of_bits_[bits] = static_cast<int16_t>(entries_.size());
    entries_.push_back({*mode, static_cast<uint16_t>(bits),
                        static_cast<uint8_t>(mode->weight_count()),
                        static_cast<uint8_t>(mode->weight_bit_count())});
  }
}

const BlockModeTable& block_mode_table(BlockSize size) {
  static PerBlockSize<BlockModeTable> tables;
  return tables.get(size);
}

}  // namespace tessera::astc
