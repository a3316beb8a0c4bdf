#include "astc/encode/color_codes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "astc/format/quantization.h"

namespace tessera::astc {

namespace {

using Codes = std::array<std::array<int32_t, 256>, kColorRangeCount>;

unsigned table_index(IntegerRange range) {
  return range_index(range) - range_index(kSmallestColorRange);
}

// The code of the level nearest to `value` among those that share the bits of `mask` with it.
uint8_t nearest_code_sharing(unsigned mask, const ColorTable& table, unsigned levels,
                             unsigned value) {
  unsigned nearest = 0;
  unsigned least = 256;
  for (unsigned code = 0; code < levels; ++code) {
    const unsigned level = table.value_of_code[code];
    const unsigned distance = level > value ? level - value : value - level;
    if (((level ^ value) & mask) == 0 && distance < least) {
      least = distance;
      nearest = code;
    }
  }
  return static_cast<uint8_t>(nearest);
}

template <class CodeOf>
Codes make_codes(const CodeOf& code_of) {
  Codes codes{};
  for (unsigned i = 0; i < kColorRangeCount; ++i) {
    for (unsigned value = 0; value < 256; ++value) {
      const uint8_t code = code_of(i, value);
      codes[i][value] = (code << 8) | kColorTables[i].value_of_code[code];
    }
  }
  return codes;
}

Codes make_codes_sharing(unsigned mask) {
  return make_codes([&](unsigned i, unsigned value) {
    const unsigned levels = range_levels(range_from_index(range_index(kSmallestColorRange) + i));
    return nearest_code_sharing(mask, kColorTables[i], levels, value);
  });
}

ColorSteps make_steps(unsigned table) {
  const unsigned levels = range_levels(range_from_index(range_index(kSmallestColorRange) + table));
  std::vector<uint8_t> by_level(levels);
  std::iota(by_level.begin(), by_level.end(), uint8_t{0});
  const auto& values = kColorTables[table].value_of_code;
  std::sort(by_level.begin(), by_level.end(),
            [&](uint8_t a, uint8_t b) { return values[a] < values[b]; });
  ColorSteps steps{};
  for (unsigned i = 0; i < levels; ++i) {
    const uint8_t code = by_level[i];
    steps.value[code] = values[code];
    steps.up[code] = by_level[std::min(i + 1, levels - 1)];
    steps.down[code] = by_level[i > 0 ? i - 1 : 0];
  }
  return steps;
}

}  // namespace

const ColorSteps& color_steps(IntegerRange range) {
  static const auto steps = [] {
    std::array<ColorSteps, kColorRangeCount> all;
    for (unsigned i = 0; i < kColorRangeCount; ++i) {
      all[i] = make_steps(i);
    }
    return all;
  }();
  return steps[table_index(range)];
}

const int32_t* color_codes(IntegerRange range) {
  static const Codes codes =
      make_codes([](unsigned i, unsigned value) { return kColorTables[i].nearest_code[value]; });
  return codes[table_index(range)].data();
}

const int32_t* color_codes_in_half(IntegerRange range) {
  static const Codes codes = make_codes_sharing(0x80);
  return codes[table_index(range)].data();
}

const int32_t* color_codes_in_quarter(IntegerRange range) {
  static const Codes codes = make_codes_sharing(0xC0);
  return codes[table_index(range)].data();
}

}  // namespace tessera::astc
