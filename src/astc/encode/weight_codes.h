// What is stored for the levels of weights, for lanes that look it up. A level is counted from the
// nearer end of 0…64 (weight_levels.h), so no range has more than 16.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

struct WeightCodes {
  // Plain bits in the lower four, the digit above them. In ranges without plain bits, levels of the
  // upper half are the entries from 8 on.
  std::array<uint8_t, 16> entries;
  // Of weights in the upper half: what the index of the entry, and what the plain bits are
  // combined with by XOR.
  int32_t flipped_index;
  int32_t flipped_plain;
};

// Ranges of plain bits, and those of one digit alone, count upwards. In the others the lowest bit
// tells the half, and in each half the digit counts fastest, the bits above the lowest slower.
constexpr WeightCodes make_weight_codes(IntegerRange range) {
  const RangeInfo& info = range_info(range);
  const unsigned last = info.levels - 1u;
  const unsigned base = info.digit == Digit::kTrit ? 3 : 5;
  WeightCodes codes = {};
  for (unsigned level = 0; 2 * level <= last; ++level) {
    if (info.digit == Digit::kNone) {
      codes.entries[level] = static_cast<uint8_t>(level);
    } else if (info.bits == 0) {
      codes.entries[level] = static_cast<uint8_t>(level << 4);
      codes.entries[8 + level] = static_cast<uint8_t>((last - level) << 4);
    } else {
      codes.entries[level] = static_cast<uint8_t>(level / base << 1 | level % base << 4);
    }
  }
  codes.flipped_index = info.bits == 0 ? 8 : 0;
  codes.flipped_plain = info.digit == Digit::kNone ? static_cast<int32_t>(last)
                        : info.bits == 0           ? 0
                                                   : 1;
  return codes;
}

}  // namespace tessera::astc
