// Rounding of colour values to the levels of a range, as a table that lanes can
// gather from.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

// All tables have 256 entries a range of 6 levels and more, one range after the other, so that
// every lane can have a range of its own. They are made at first use.
constexpr int32_t first_color_entry(IntegerRange range) {
  return 256 * static_cast<int32_t>(range_index(range) - range_index(kSmallestColorRange));
}

// Entry of a value, 0…255: the nearest level in the low byte, its code above.
const int32_t* color_codes();

// The same, but the level lies in the value's half of 0…255: its highest bit is kept.
const int32_t* color_codes_in_half();

// The same with its two highest bits.
const int32_t* color_codes_in_quarter();

// Entry of a code: its level, and the codes of the next levels above and below, or its own where
// there is none.
struct ColorSteps {
  std::array<int32_t, 256 * kColorRangeCount> value;
  std::array<int32_t, 256 * kColorRangeCount> up;
  std::array<int32_t, 256 * kColorRangeCount> down;
};
const ColorSteps& color_steps();

}  // namespace tessera::astc
