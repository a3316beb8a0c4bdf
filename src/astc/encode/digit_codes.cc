// Makes the tables of trits and quints by the format's own packing.
#include "astc/encode/digit_codes.h"

#include <array>
#include <span>

#include "astc/format/bise.h"

namespace tessera::astc {
namespace {

// Values of 3 or 5 levels have no plain bits, so what a sequence stores of them is the code.
void make_codes(IntegerRange range, unsigned digits, std::span<int32_t> codes) {
  const unsigned base = range_levels(range);
  for (unsigned index = 0; index < codes.size(); ++index) {
    std::array<uint8_t, 5> values{};
    for (unsigned i = 0, rest = index; i < digits; ++i, rest /= base) {
      values[i] = static_cast<uint8_t>(rest % base);
    }
    Block128 bits;
    encode_sequence(std::span(values).first(digits), range, 0, bits);
    codes[index] = static_cast<int32_t>(bits.low);
  }
}

}  // namespace

void DigitCodeTables::make(FlatWriter& writer) {
  make_codes(IntegerRange::k3Levels, 5, writer.place(trits, 243));
  make_codes(IntegerRange::k5Levels, 3, writer.place(quints, 125));
}

}  // namespace tessera::astc
