// Finds the best ends for blocks of one colour.
#include "bc/solid_table.h"

#include <cstdlib>

#include "bc/bc1_rounding.h"

namespace tessera::bc1 {
namespace {

// Among equally near ends those closest together win: decoders differ least there.
std::array<int32_t, 256> make_channel(Rounding rounding, ChannelBits bits, int steps) {
  const int levels = bits == ChannelBits::kFive ? 31 : 63;
  std::array<int32_t, 256> table = {};
  std::array<int, 256> cost;
  cost.fill(1 << 30);
  for (int first = 0; first <= levels; ++first) {
    for (int second = 0; second <= levels; ++second) {
      const int decoded = steps == 3 ? decode_third(rounding, bits, first, second)
                                     : decode_half(rounding, bits, first, second);
      for (int value = 0; value < 256; ++value) {
        const int difference = decoded - value;
        const int this_cost = difference * difference * 64 + std::abs(first - second);
        const auto at = static_cast<size_t>(value);
        if (this_cost < cost[at]) {
          cost[at] = this_cost;
          table[at] = first | (second << 8) | ((difference * difference) << 16);
        }
      }
    }
  }
  return table;
}

SolidTable make_table(Rounding rounding, int steps) {
  return {make_channel(rounding, ChannelBits::kFive, steps),
          make_channel(rounding, ChannelBits::kSix, steps)};
}

std::array<SolidTable, 6> make_tables() {
  std::array<SolidTable, 6> tables;
  for (size_t i = 0; i < kRoundingNames.size(); ++i) {
    tables[2 * i] = make_table(static_cast<Rounding>(i), 2);
    tables[2 * i + 1] = make_table(static_cast<Rounding>(i), 3);
  }
  return tables;
}

}  // namespace

const SolidTable& solid_table(Rounding rounding, int steps) {
  static const std::array<SolidTable, 6> tables = make_tables();
  return tables[static_cast<size_t>(rounding) * 2 + static_cast<size_t>(steps - 2)];
}

}  // namespace tessera::bc1
