// A block mode with the colour range that it leaves: what the encoder may choose from.
#pragma once

#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

// Kept of each family, the most useful first; presets use a part of them.
inline constexpr unsigned kMaxCandidates = 256;

struct Candidate {
  uint16_t mode_bits = 0;
  uint16_t grid = 0;  // index of EncodeTables::grids
  IntegerRange weight_range = IntegerRange::k2Levels;
  IntegerRange color_range = kSmallestColorRange;
  uint8_t weight_bit_count = 0;
  float weight_error = 0;  // mean square error of a texel, per squared distance of the endpoints
  float color_error = 0;   // mean square error of a channel from rounding the endpoints
};

}  // namespace tessera::astc
