// Makes the tables of colour codes from those of the format.
#include "astc/encode/color_codes.h"

#include <algorithm>
#include <array>

#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

constexpr size_t kEntries = size_t{256} * kColorRangeCount;

unsigned levels_of(unsigned range) {
  return range_levels(range_from_index(range_index(kSmallestColorRange) + range));
}

// The rank of the highest level that is not above a value, for all values; level 0 always exists.
std::array<uint8_t, 256> ranks_at_or_below(const ColorTable& table, unsigned levels) {
  std::array<uint8_t, 256> ranks;
  unsigned rank = 0;
  for (unsigned value = 0; value < 256; ++value) {
    while (rank + 1 < levels && table.value_of_rank[rank + 1] <= value) {
      ++rank;
    }
    ranks[value] = static_cast<uint8_t>(rank);
  }
  return ranks;
}

// The code of the level nearest to `value` among those that share the bits of `mask` with it, of
// two equally near ones the lower code; code 0 where there is none. The mask's bits are the highest
// ones, so that only the level at or below the value and the one above it can be meant.
uint8_t nearest_code_sharing(unsigned mask, const ColorTable& table, unsigned levels,
                             unsigned rank_below, unsigned value) {
  uint8_t nearest = 0;
  unsigned least = 256;
  for (unsigned rank = rank_below; rank < std::min(rank_below + 2, levels); ++rank) {
    const unsigned level = table.value_of_rank[rank];
    const uint8_t code = table.code_of_rank[rank];
    const unsigned distance = level > value ? level - value : value - level;
    const bool is_nearer = distance < least || (distance == least && code < nearest);
    if (((level ^ value) & mask) == 0 && is_nearer) {
      least = distance;
      nearest = code;
    }
  }
  return nearest;
}

int32_t entry_of(const ColorTable& table, uint8_t code) {
  return (code << 8) | table.value_of_code[code];
}

}  // namespace

void ColorCodeTables::make(FlatWriter& writer) {
  const auto all = writer.place(nearest, kEntries);
  const auto in_half = writer.place(nearest_in_half, kEntries);
  const auto in_quarter = writer.place(nearest_in_quarter, kEntries);
  const auto level = writer.place(level_of_code, kEntries);
  const auto above = writer.place(code_above, kEntries);
  const auto below = writer.place(code_below, kEntries);
  for (unsigned range = 0; range < kColorRangeCount; ++range) {
    const ColorTable& table = kColorTables[range];
    const unsigned levels = levels_of(range);
    const size_t first = size_t{256} * range;
    const std::array<uint8_t, 256> ranks = ranks_at_or_below(table, levels);
    for (unsigned value = 0; value < 256; ++value) {
      const auto sharing = [&](unsigned mask) {
        return entry_of(table, nearest_code_sharing(mask, table, levels, ranks[value], value));
      };
      all[first + value] = entry_of(table, table.nearest_code[value]);
      in_half[first + value] = sharing(0x80);
      in_quarter[first + value] = sharing(0xC0);
    }
    for (unsigned rank = 0; rank < levels; ++rank) {
      const size_t entry = first + table.code_of_rank[rank];
      level[entry] = table.value_of_rank[rank];
      above[entry] = table.code_of_rank[std::min(rank + 1, levels - 1)];
      below[entry] = table.code_of_rank[rank > 0 ? rank - 1 : 0];
    }
  }
}

}  // namespace tessera::astc
