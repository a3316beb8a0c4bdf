// The best ends for blocks of one colour: the first step from one end to the other is as near to
// each channel's value as the format allows.
#pragma once

#include <array>
#include <cstdint>

#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// For each byte: first end | second end << 8 | squared difference << 16.
struct SolidTable {
  std::array<int32_t, 256> five;  // red and blue
  std::array<int32_t, 256> six;   // green
};

// `steps` is 3 for blocks of four colours (the value is a third from the first end), 2 for three.
const SolidTable& solid_table(Rounding rounding, int steps);

}  // namespace tessera::bc1
