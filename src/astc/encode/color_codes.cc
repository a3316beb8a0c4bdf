#include "astc/encode/color_codes.h"

#include <array>

#include "astc/format/quantization.h"

namespace tessera::astc {

namespace {

using Codes = std::array<std::array<int32_t, 256>, kColorRangeCount>;

unsigned table_index(IntegerRange range) {
  return range_index(range) - range_index(kSmallestColorRange);
}

// The code of the level nearest to `value` among those with its highest bit.
uint8_t nearest_code_in_half(const ColorTable& table, unsigned levels, unsigned value) {
  unsigned nearest = 0;
  unsigned least = 256;
  for (unsigned code = 0; code < levels; ++code) {
    const unsigned level = table.value_of_code[code];
    const unsigned distance = level > value ? level - value : value - level;
    if (((level ^ value) & 0x80) == 0 && distance < least) {
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

}  // namespace

const int32_t* color_codes(IntegerRange range) {
  static const Codes codes =
      make_codes([](unsigned i, unsigned value) { return kColorTables[i].nearest_code[value]; });
  return codes[table_index(range)].data();
}

const int32_t* color_codes_in_half(IntegerRange range) {
  static const Codes codes = make_codes([](unsigned i, unsigned value) {
    const unsigned levels = range_levels(range_from_index(range_index(kSmallestColorRange) + i));
    return nearest_code_in_half(kColorTables[i], levels, value);
  });
  return codes[table_index(range)].data();
}

}  // namespace tessera::astc
