// Rounding of colour values to the levels of a range, as a table that lanes can
// gather from.
#pragma once

#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

// Entry [value], 0…255: the nearest level in the low byte, its code above. For
// ranges of 6 levels and more. Made at first use.
const int32_t* color_codes(IntegerRange range);

// The same, but the level lies in the value's half of 0…255: its highest bit is kept.
const int32_t* color_codes_in_half(IntegerRange range);

}  // namespace tessera::astc
