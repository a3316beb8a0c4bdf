// Fills the tables of the method fgac from those of the format.
#include "astc/fgac/fgac_tables.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "astc/format/bise.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

// The shortest code of a group of digits.
template <size_t kDigits>
uint8_t group_code(unsigned index, unsigned base, IntegerRange range) {
  std::array<uint8_t, kDigits> digits;
  for (uint8_t& digit : digits) {
    digit = static_cast<uint8_t>(index % base);
    index /= base;
  }
  Block128 bits;
  encode_sequence(digits, range, 0, bits);
  return static_cast<uint8_t>(bits.low);
}

void fill_modes(FgacTables& tables) {
  for (const BlockModeTable::Entry& entry : block_mode_table({4, 4, 1}).entries()) {
    if (entry.mode.dual_plane || entry.mode.grid != GridSize{4, 4, 1}) {
      continue;
    }
    const auto range = static_cast<uint8_t>(range_index(entry.mode.weight_range));
    const auto* end = tables.modes + tables.mode_count;
    if (std::any_of(static_cast<const FgacMode*>(tables.modes), end,
                    [&](const FgacMode& mode) { return mode.range == range; })) {
      continue;  // another way to write the same
    }
    FgacMode& mode = tables.modes[tables.mode_count++];
    mode = {entry.mode_bits, range, {}, 0};
    for (unsigned count = 0; count < kFgacCounts; ++count) {
      const auto level =
          color_range(2 * (count + 1), color_bit_count(entry.weight_bit_count, 1, false, false));
      mode.color_level[count] = level ? static_cast<uint8_t>(range_index(*level)) : kNoLevel;
    }
  }
}

void fill_colors(unsigned index, FgacTables& tables) {
  const ColorTable& colors = color_table(range_from_index(index));
  std::copy(colors.nearest_code.begin(), colors.nearest_code.end(), tables.color_code[index]);
  std::copy(colors.value_of_code.begin(), colors.value_of_code.end(), tables.color_value[index]);
}

std::unique_ptr<const FgacTables> make_tables() {
  auto tables = std::make_unique<FgacTables>();
  for (unsigned i = 0; i < kRangeCount; ++i) {
    const RangeInfo& info = kRangeInfos[i];
    tables->ranges[i] = {info.levels, info.bits, static_cast<uint8_t>(info.digit)};
    const auto steps = static_cast<float>(info.levels - 1);
    tables->level_error[i] = 256.0f * 256.0f / 18.0f / (steps * steps);
    if (i >= range_index(kSmallestColorRange)) {
      fill_colors(i, *tables);
    }
    if (i < kWeightRangeCount) {
      const WeightTable& weights = weight_table(range_from_index(i));
      std::copy(weights.value_of_rank.begin(), weights.value_of_rank.end(),
                tables->weight_value[i]);
      std::copy(weights.code_of_rank.begin(), weights.code_of_rank.end(), tables->weight_code[i]);
    }
  }
  for (unsigned i = 0; i < 243; ++i) {
    tables->trit_code[i] = group_code<5>(i, 3, IntegerRange::k3Levels);
  }
  for (unsigned i = 0; i < 125; ++i) {
    tables->quint_code[i] = group_code<3>(i, 5, IntegerRange::k5Levels);
  }
  fill_modes(*tables);
  return tables;
}

}  // namespace

const FgacTables& fgac_tables() {
  static const std::unique_ptr<const FgacTables> tables = make_tables();
  return *tables;
}

}  // namespace tessera::astc
