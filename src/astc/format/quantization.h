// What stored integers mean: weights become 0…64, colour values 0…255. The standard's formulae
// shuffle the order for ranges with trits or quints, so there are tables both ways, and one that
// lists the codes by rising value.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

inline constexpr unsigned kMaxWeight = 64;

// A "code" is the integer as stored; a "rank" counts codes by rising value.
template <unsigned kMaxLevels, unsigned kMaxValue>
struct QuantizationTable {
  std::array<uint8_t, kMaxLevels> value_of_code;
  std::array<uint8_t, kMaxLevels> code_of_rank;
  std::array<uint8_t, kMaxLevels> rank_of_code;
  std::array<uint8_t, kMaxLevels> value_of_rank;
  // The code whose value is nearest; of two equally near ones, that of the lower value.
  std::array<uint8_t, kMaxValue + 1> nearest_code;
};

using WeightTable = QuantizationTable<32, kMaxWeight>;
using ColorTable = QuantizationTable<256, 255>;

extern const std::array<WeightTable, kWeightRangeCount> kWeightTables;
extern const std::array<ColorTable, kColorRangeCount> kColorTables;

inline const WeightTable& weight_table(IntegerRange range) {
  return kWeightTables[range_index(range)];
}

// For ranges of 6 levels and more.
inline const ColorTable& color_table(IntegerRange range) {
  return kColorTables[range_index(range) - range_index(kSmallestColorRange)];
}

}  // namespace tessera::astc
