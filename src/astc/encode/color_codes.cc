// Makes the tables of colour codes from those of the format.
#include "astc/encode/color_codes.h"

#include <algorithm>
#include <array>
#include <span>

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

using Entries = std::array<int32_t, kEntries>;

// What ColorCodeTables points to.
struct ColorCodes {
  Entries nearest, nearest_in_half, nearest_in_quarter;
  Entries level_of_code{}, code_above{}, code_below{};

  ColorCodes() {
    for (unsigned range = 0; range < kColorRangeCount; ++range) {
      round_values(range);
      list_codes(range);
    }
  }

 private:
  void round_values(unsigned range) {
    const ColorTable& table = kColorTables[range];
    const unsigned levels = levels_of(range);
    const std::array<uint8_t, 256> ranks = ranks_at_or_below(table, levels);
    for (unsigned value = 0; value < 256; ++value) {
      const auto sharing = [&](unsigned mask) {
        return entry_of(table, nearest_code_sharing(mask, table, levels, ranks[value], value));
      };
      nearest[256 * range + value] = entry_of(table, table.nearest_code[value]);
      nearest_in_half[256 * range + value] = sharing(0x80);
      nearest_in_quarter[256 * range + value] = sharing(0xC0);
    }
  }

  void list_codes(unsigned range) {
    const ColorTable& table = kColorTables[range];
    const unsigned levels = levels_of(range);
    for (unsigned rank = 0; rank < levels; ++rank) {
      const size_t entry = 256 * range + table.code_of_rank[rank];
      level_of_code[entry] = table.value_of_rank[rank];
      code_above[entry] = table.code_of_rank[std::min(rank + 1, levels - 1)];
      code_below[entry] = table.code_of_rank[rank > 0 ? rank - 1 : 0];
    }
  }
};

}  // namespace

void ColorCodeTables::make(FlatWriter& writer) {
  static const ColorCodes codes;  // the same for all block sizes and presets
  const auto place = [&](FlatArray<int32_t>& array, const Entries& entries) {
    writer.place(array, std::span<const int32_t>(entries));
  };
  place(nearest, codes.nearest);
  place(nearest_in_half, codes.nearest_in_half);
  place(nearest_in_quarter, codes.nearest_in_quarter);
  place(level_of_code, codes.level_of_code);
  place(code_above, codes.code_above);
  place(code_below, codes.code_below);
}

}  // namespace tessera::astc
