#include "astc/encode/color_codes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "astc/format/quantization.h"

namespace tessera::astc {

namespace {

using Codes = std::array<int32_t, 256 * kColorRangeCount>;

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
      codes[256 * i + value] = (code << 8) | kColorTables[i].value_of_code[code];
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

void make_steps(unsigned table, ColorSteps& steps) {
  const unsigned levels = range_levels(range_from_index(range_index(kSmallestColorRange) + table));
  std::vector<uint8_t> by_level(levels);
  std::iota(by_level.begin(), by_level.end(), uint8_t{0});
  const auto& values = kColorTables[table].value_of_code;
  std::sort(by_level.begin(), by_level.end(),
            [&](uint8_t a, uint8_t b) { return values[a] < values[b]; });
  for (unsigned i = 0; i < levels; ++i) {
    const uint8_t code = by_level[i];
    const unsigned entry = 256 * table + code;
    steps.value[entry] = values[code];
    steps.up[entry] = by_level[std::min(i + 1, levels - 1)];
    steps.down[entry] = by_level[i > 0 ? i - 1 : 0];
  }
}

}  // namespace

const ColorSteps& color_steps() {
  static const auto steps = [] {
    ColorSteps all{};
    for (unsigned i = 0; i < kColorRangeCount; ++i) {
      make_steps(i, all);
    }
    return all;
  }();
  return steps;
}

const int32_t* color_codes() {
  static const Codes codes =
      make_codes([](unsigned i, unsigned value) { return kColorTables[i].nearest_code[value]; });
  return codes.data();
}

const int32_t* color_codes_in_half() {
  static const Codes codes = make_codes_sharing(0x80);
  return codes.data();
}

const int32_t* color_codes_in_quarter() {
  static const Codes codes = make_codes_sharing(0xC0);
  return codes.data();
}

}  // namespace tessera::astc
