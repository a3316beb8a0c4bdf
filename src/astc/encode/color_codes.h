// Rounding of colour values to the levels of a range, as a table that lanes can
// gather from.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

// Entry [value], 0…255: the nearest level in the low byte, its code above. For
// ranges of 6 levels and more. Made at first use.
const int32_t* color_codes(IntegerRange range);

// The same, but the level lies in the value's half of 0…255: its highest bit is kept.
const int32_t* color_codes_in_half(IntegerRange range);

// The same with its two highest bits.
const int32_t* color_codes_in_quarter(IntegerRange range);

// Of each code of a range: its level, and the codes of the next levels above and below, or its own
// where there is none.
struct ColorSteps {
  std::array<int32_t, 256> value;
  std::array<int32_t, 256> up;
  std::array<int32_t, 256> down;
};
const ColorSteps& color_steps(IntegerRange range);

}  // namespace tessera::astc
