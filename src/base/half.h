// IEEE 754 binary16 ("half") as bit patterns, converted in plain integer arithmetic so that every
// machine gives the same result.
#pragma once

#include <cstdint>

namespace tessera {

inline constexpr double kLargestHalf = 65504.0;  // that is finite

// Rounds to nearest, ties to even; overflow gives infinity, NaN stays NaN (quiet).
uint16_t float_to_half(float value);

// Exact.
float half_to_float(uint16_t bits);

}  // namespace tessera
