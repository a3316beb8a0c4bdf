// How much of a texture's bits is to be saved, where a size was asked for (--rdo-size).
#pragma once

#include <cstddef>
#include <functional>

#include "base/result.h"
#include "exec/backend.h"

namespace tessera {

// Of a texture: its largest level decides for all levels.
struct ChosenRate {
  float number = 0;        // that of --rdo
  float left = 1;          // about how much of the bits there is with it
  bool is_reached = true;  // no: even the highest number leaves more than was asked for
};

// Which numbers are tried. Beyond the highest one pictures lose much for few bits.
struct RateSearch {
  float lowest = 0;
  float highest = 0;
  unsigned steps = 0;  // each halves what is left of the exponents
  float almost_none =
      0;           // a number that changes nothing, so that what repeats by chance is counted
  float size = 1;  // of the bits, that are to be left
};

// The bits of one of the parts of a picture with a number; called from several threads.
using BitsOfPart = std::function<Result<double>(size_t part, float number)>;

// The number that leaves so much of the bits of all parts.
Result<ChosenRate> choose_rate(const RateSearch& search, size_t parts, const BitsOfPart& bits,
                               Backend& backend, const RunControl& control);

}  // namespace tessera
