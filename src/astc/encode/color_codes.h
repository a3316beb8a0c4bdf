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

  // Entry of a code: its level, and the codes of the next levels above and below, or its own where
  // there is none.
  FlatArray<int32_t> level_of_code;
  FlatArray<int32_t> code_above;
  FlatArray<int32_t> code_below;

  // The tables have been placed by the writer.
  void make(FlatWriter& writer);
};

}  // namespace tessera::astc
