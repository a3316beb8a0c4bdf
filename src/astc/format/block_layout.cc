// Finds the colour range that a number of bits leaves.
#include "astc/format/block_layout.h"

#include <array>

namespace tessera::astc {
namespace {

constexpr unsigned kMaxColorBits = kBlockBits - 17;
constexpr uint8_t kNoRange = 0xFF;

using RangeOfBits = std::array<uint8_t, kMaxColorBits + 1>;

constexpr std::array<RangeOfBits, kMaxColorValues / 2 + 1> make_color_ranges() {
  std::array<RangeOfBits, kMaxColorValues / 2 + 1> table{};
  for (unsigned pairs = 0; pairs < table.size(); ++pairs) {
    unsigned next = range_index(kSmallestColorRange);
    for (unsigned bits = 0; bits <= kMaxColorBits; ++bits) {
      while (next < kRangeCount && sequence_bit_count(range_from_index(next), 2 * pairs) <= bits) {
        ++next;
      }
      table[pairs][bits] =
          next == range_index(kSmallestColorRange) ? kNoRange : static_cast<uint8_t>(next - 1);
    }
  }
  return table;
}

constexpr auto kColorRanges = make_color_ranges();

}  // namespace

std::optional<IntegerRange> color_range(unsigned values, int bits) {
  if (bits < 0 || bits > static_cast<int>(kMaxColorBits) || values > kMaxColorValues) {
    return std::nullopt;
  }
  const uint8_t index = kColorRanges[values / 2][static_cast<unsigned>(bits)];
  return index == kNoRange ? std::nullopt : std::optional(range_from_index(index));
}

}  // namespace tessera::astc
