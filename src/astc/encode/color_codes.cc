// Makes the tables of colour codes from those of the format.
#include "astc/encode/color_codes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>

#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

constexpr size_t kEntries = size_t{256} * kColorRangeCount;

unsigned levels_of(unsigned range) {
  return range_levels(range_from_index(range_index(kSmallestColorRange) + range));
}

int32_t entry_of(const ColorTable& table, uint8_t code) {
  return (code << 8) | table.value_of_code[code];
}

// Of every value, the entries of the highest level that is not above it and of the next higher one.
// Level 0 always exists; the highest level is its own neighbour.
struct Neighbours {
  std::array<int32_t, 256> below, above;

  Neighbours(const ColorTable& table, unsigned levels) {
    for (unsigned rank = 0; rank < levels; ++rank) {
      const bool is_last = rank + 1 == levels;
      const unsigned next = is_last ? rank : rank + 1;
      const unsigned first = table.value_of_rank[rank];
      const unsigned end = is_last ? 256u : table.value_of_rank[next];
      std::fill(below.begin() + first, below.begin() + end,
                entry_of(table, table.code_of_rank[rank]));
      std::fill(above.begin() + first, above.begin() + end,
                entry_of(table, table.code_of_rank[next]));
    }
  }
};

// The nearer one of a value's two neighbours among those that share the bits of `mask` with it, of
// two equally near ones that with the lower code; `none` where neither does. The mask's bits are
// the highest ones, so that no other level can be meant. Without branches, for many values at once.
int32_t nearest_sharing(int mask, int value, int32_t below, int32_t above, int32_t none) {
  const int level_below = below & 0xFF, level_above = above & 0xFF;
  const int from_below = value - level_below, from_above = level_above - value;
  const bool is_above_nearer =
      (from_above < from_below) | ((from_above == from_below) & (above < below));
  const bool shares_below = ((level_below ^ value) & mask) == 0;
  const bool shares_above = ((level_above ^ value) & mask) == 0;
  const int32_t otherwise = shares_below ? below : none;
  return shares_above & (is_above_nearer | !shares_below) ? above : otherwise;
}

// Fills in what ColorCodeTables points to.
class ColorCodeMaker {
 public:
  ColorCodeMaker(ColorCodeTables& tables, FlatWriter& writer)
      : nearest_(writer.place(tables.nearest, kEntries)),
        nearest_in_half_(writer.place(tables.nearest_in_half, kEntries)),
        nearest_in_quarter_(writer.place(tables.nearest_in_quarter, kEntries)),
        level_of_code_(writer.place(tables.level_of_code, kEntries)),
        code_above_(writer.place(tables.code_above, kEntries)),
        code_below_(writer.place(tables.code_below, kEntries)) {}

  void make() {
    for (unsigned range = 0; range < kColorRangeCount; ++range) {
      round_values(range);
      list_codes(range);
    }
  }

 private:
  void round_values(unsigned range) {
    const ColorTable& table = kColorTables[range];
    const Neighbours neighbours(table, levels_of(range));
    const int32_t none = entry_of(table, 0);
    const size_t first = size_t{256} * range;
    for (unsigned value = 0; value < 256; ++value) {
      nearest_[first + value] = entry_of(table, table.nearest_code[value]);
    }
    for (int value = 0; value < 256; ++value) {
      const auto i = static_cast<size_t>(value);
      const int32_t below = neighbours.below[i], above = neighbours.above[i];
      nearest_in_half_[first + i] = nearest_sharing(0x80, value, below, above, none);
      nearest_in_quarter_[first + i] = nearest_sharing(0xC0, value, below, above, none);
    }
  }

  void list_codes(unsigned range) {
    const ColorTable& table = kColorTables[range];
    const unsigned levels = levels_of(range);
    for (unsigned rank = 0; rank < levels; ++rank) {
      const size_t entry = 256 * range + table.code_of_rank[rank];
      level_of_code_[entry] = table.value_of_rank[rank];
      code_above_[entry] = table.code_of_rank[std::min(rank + 1, levels - 1)];
      code_below_[entry] = table.code_of_rank[rank > 0 ? rank - 1 : 0];
    }
  }

  std::span<int32_t> nearest_, nearest_in_half_, nearest_in_quarter_;
  std::span<int32_t> level_of_code_, code_above_, code_below_;
};

// ColorCodeTables::kept_bits.
struct KeptBits {
  std::array<int32_t, ColorCodeTables::kKeptKinds * kEntries> entries;

  KeptBits() {
    size_t next = 0;
    for (int32_t kind = 0; kind < ColorCodeTables::kKeptKinds; ++kind) {
      const bool has_sign = kind > ColorCodeTables::kSignedKinds;
      const int kept = has_sign ? kind - ColorCodeTables::kSignedKinds : kind;
      for (unsigned range = 0; range < kColorRangeCount; ++range) {
        for (int value = 0; value < 256; ++value) {
          entries[next++] = nearest(range, value, 8 - kept, has_sign);
        }
      }
    }
  }

 private:
  // `free_bits` of the value may change.
  static int32_t nearest(unsigned range, int value, int free_bits, bool has_sign) {
    const ColorTable& table = kColorTables[range];
    const int sign = has_sign ? 1 << (free_bits - 1) : 0;
    const auto number = [&](int v) { return ((v & ((1 << free_bits) - 1)) ^ sign) - sign; };
    int32_t best =
        entry_of(table, table.nearest_code[static_cast<size_t>(value)]) | ColorCodeTables::kNotKept;
    int least = 256;
    for (unsigned rank = 0; rank < levels_of(range); ++rank) {
      const int level = table.value_of_rank[rank];
      const int distance = std::abs(number(level) - number(value));
      if (level >> free_bits == value >> free_bits && distance < least) {
        least = distance;
        best = entry_of(table, table.code_of_rank[rank]);
      }
    }
    return best;
  }
};

}  // namespace

void ColorCodeTables::make(const ColorCodeTables* other, bool for_hdr, FlatWriter& writer) {
  if (other == nullptr) {
    ColorCodeMaker(*this, writer).make();
  } else {
    for (const auto array : {&ColorCodeTables::nearest, &ColorCodeTables::nearest_in_half,
                             &ColorCodeTables::nearest_in_quarter, &ColorCodeTables::level_of_code,
                             &ColorCodeTables::code_above, &ColorCodeTables::code_below}) {
      writer.place(this->*array, std::span<const int32_t>(other->*array));
    }
  }
  if (for_hdr) {
    static const KeptBits kept;
    writer.place(kept_bits, std::span<const int32_t>(kept.entries));
  }
}

}  // namespace tessera::astc
