// Rounding of colour values to the levels of a range, as tables that lanes can gather from.
#pragma once

#include <cstdint>

#include "astc/encode/flat_memory.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

// All tables have 256 entries for each range of 6 levels and more, one range after the other, so
// that every lane can have a range of its own.
constexpr int32_t first_color_entry(IntegerRange range) {
  return 256 * static_cast<int32_t>(range_index(range) - range_index(kSmallestColorRange));
}

struct ColorCodeTables {
  // Entry of a value, 0…255: the nearest level in the low byte, its code above.
  FlatArray<int32_t> nearest;
  // The same, but the level lies in the value's half of 0…255: its highest bit is kept.
  FlatArray<int32_t> nearest_in_half;
  // The same with its two highest bits.
  FlatArray<int32_t> nearest_in_quarter;

  // For HDR endpoints, whose values have bits of several numbers: the same with the highest 0 to 4
  // bits kept, then with the highest 1 to 4 bits kept and the rest taken as a number with sign,
  // each for all ranges. Where no level has the bits, the nearest one is told, with kNotKept.
  // Empty where no HDR is encoded.
  FlatArray<int32_t> kept_bits;
  static constexpr int32_t kSignedKinds = 4;  // kinds before that of 1 bit kept, with sign
  static constexpr int32_t kKeptKinds = 9;
  static constexpr int32_t kNotKept = 1 << 16;

  // Entry of a code: its level, and the codes of the next levels above and below, or its own where
  // there is none.
  FlatArray<int32_t> level_of_code;
  FlatArray<int32_t> code_above;
  FlatArray<int32_t> code_below;

  // Places the tables. They are always the same, so they are copied where `other` has them.
  void make(const ColorCodeTables* other, bool for_hdr, FlatWriter& writer);
};

}  // namespace tessera::astc
