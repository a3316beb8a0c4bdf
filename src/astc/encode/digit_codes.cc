#include "astc/encode/digit_codes.h"

#include "astc/format/bise.h"

namespace tessera::astc {
namespace {

// Values of 3 or 5 levels have no plain bits, so what a sequence stores of them
// is the code.
template <size_t kCodes>
std::array<int32_t, kCodes> make_codes(IntegerRange range, unsigned base, unsigned digits) {
  std::array<int32_t, kCodes> codes{};
  for (unsigned index = 0; index < kCodes; ++index) {
    std::array<uint8_t, 5> values{};
    for (unsigned i = 0, rest = index; i < digits; ++i, rest /= base) {
      values[i] = static_cast<uint8_t>(rest % base);
    }
    Block128 bits;
    encode_sequence(std::span(values).first(digits), range, 0, bits);
    codes[index] = static_cast<int32_t>(bits.low);
  }
  return codes;
}

}  // namespace

const std::array<int32_t, 243>& trit_codes() {
  static const auto codes = make_codes<243>(IntegerRange::k3Levels, 3, 5);
  return codes;
}

const std::array<int32_t, 125>& quint_codes() {
  static const auto codes = make_codes<125>(IntegerRange::k5Levels, 5, 3);
  return codes;
}

}  // namespace tessera::astc
