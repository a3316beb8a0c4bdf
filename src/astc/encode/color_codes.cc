#include "astc/encode/color_codes.h"

#include <array>

#include "astc/format/quantization.h"

namespace tessera::astc {

const int32_t* color_codes(IntegerRange range) {
  static const auto codes = [] {
    std::array<std::array<int32_t, 256>, kColorRangeCount> table{};
    for (unsigned i = 0; i < kColorRangeCount; ++i) {
      for (unsigned value = 0; value < 256; ++value) {
        const uint8_t code = kColorTables[i].nearest_code[value];
        table[i][value] = (code << 8) | kColorTables[i].value_of_code[code];
      }
    }
    return table;
  }();
  return codes[range_index(range) - range_index(kSmallestColorRange)].data();
}

}  // namespace tessera::astc
