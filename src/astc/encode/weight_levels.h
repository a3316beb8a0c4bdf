// Weights of each range as arithmetic, for lanes that quantise to different
// ranges at once.
//
// The levels of a range lie symmetrically about 32, and the lower half (32
// included) is nearly evenly spaced: level r is floor(step·r + offset). So a
// weight above 32 is folded to 64 − weight, rounded there, and folded back.
// (Rounding all of 0…64 in one go by an even step costs 0.2 to 0.4 dB, as the
// spacing jumps at 32.)
#pragma once

#include <array>

#include "astc/format/integer_range.h"

namespace tessera::astc {

struct WeightLevels {
  float step;      // from one level of the lower half to the next
  float offset;    // so that rounding down gives the level
  float last;      // number of the highest level in the lower half
  float per_step;  // levels per unit of weight; 0 where the lower half has one
                   // level
};

// By range: 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24 and 32 levels. A test holds
// them against the standard's formulae.
inline constexpr std::array<WeightLevels, kWeightRangeCount> kWeightLevels = {{
    {0.0F, 0.5F, 0.0F, 0.0F},
    {32.0F, 0.5F, 1.0F, 1.0F / 32.0F},
    {21.0F, 0.5F, 1.0F, 1.0F / 21.0F},
    {16.0F, 0.5F, 2.0F, 2.0F / 32.0F},
    {12.5F, 0.25F, 2.0F, 2.0F / 25.0F},
    {9.0F, 0.5F, 3.0F, 3.0F / 27.0F},
    {7.0F, 0.5F, 4.0F, 4.0F / 28.0F},
    {5.75F, 0.125F, 5.0F, 5.0F / 28.0F},
    {4.25F, 0.125F, 7.0F, 7.0F / 29.0F},
    {3.296875F, 0.0625F, 9.0F, 9.0F / 29.0F},
    {2.75F, 0.125F, 11.0F, 11.0F / 30.0F},
    {2.0F, 0.5F, 15.0F, 15.0F / 30.0F},
}};

}  // namespace tessera::astc
