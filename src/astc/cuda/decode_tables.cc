// Makes the tables of decoding on devices from those of the CPU.
#include "astc/cuda/decode_tables.h"

#include <algorithm>
#include <array>

#include "astc/format/bise.h"
#include "astc/format/partition.h"
#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

void fill_modes(BlockSize size, DecodeTables& tables) {
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    const BlockMode& mode = entry.mode;
    tables.modes[entry.mode_bits] = {mode.grid.x,
                                     mode.grid.y,
                                     static_cast<uint8_t>(range_index(mode.weight_range)),
                                     static_cast<uint8_t>(mode.dual_plane ? 1 : 0),
                                     entry.weight_count,
                                     entry.weight_bit_count,
                                     {}};
  }
}

void fill_ranges(DecodeTables& tables) {
  for (unsigned half = 0; half <= kMaxColorValues / 2; ++half) {
    for (unsigned bits = 0; bits < kBlockBits; ++bits) {
      const auto range = half == 0 ? std::nullopt : color_range(2 * half, static_cast<int>(bits));
      tables.color_ranges[half][bits] =
          range ? static_cast<uint8_t>(range_index(*range)) : kNoColorRange;
    }
  }
  for (unsigned i = 0; i < kColorRangeCount; ++i) {
    std::copy_n(kColorTables[i].value_of_code.begin(), 256, tables.color_values[i]);
  }
  for (unsigned i = 0; i < kWeightRangeCount; ++i) {
    std::copy_n(kWeightTables[i].value_of_code.begin(), 32, tables.weight_values[i]);
  }
  for (unsigned i = 0; i < kRangeCount; ++i) {
    tables.range_bits[i] = kRangeInfos[i].bits;
    tables.range_digits[i] = static_cast<uint8_t>(kRangeInfos[i].digit);
  }
}

// Five trits or three quints of each code: sequences of values that have no plain bits.
template <size_t kDigits>
uint16_t digits_of_code(unsigned code, IntegerRange range, unsigned bits_per_digit) {
  std::array<uint8_t, kDigits> digits;
  decode_sequence({code, 0}, 0, range, digits);
  unsigned packed = 0;
  for (size_t i = 0; i < kDigits; ++i) {
    packed |= unsigned{digits[i]} << (bits_per_digit * i);
  }
  return static_cast<uint16_t>(packed);
}

}  // namespace

DecodeTables make_decode_tables(BlockSize size) {
  DecodeTables tables = {};
  fill_modes(size, tables);
  fill_ranges(tables);
  for (unsigned code = 0; code < 256; ++code) {
    tables.digits[code] = digits_of_code<5>(code, IntegerRange::k3Levels, 2);
  }
  for (unsigned code = 0; code < 128; ++code) {
    tables.digits[256 + code] = digits_of_code<3>(code, IntegerRange::k5Levels, 3);
  }
  return tables;
}

std::vector<uint32_t> make_decode_patterns(BlockSize size) {
  constexpr unsigned kTexelsPerWord = 16;
  const unsigned words = decode_shape(size).pattern_words;
  std::vector<uint32_t> patterns(size_t{kMaxPartitions - 1} * kPartitionSeedCount * words);
  const PatternDrawer drawer(size);
  std::vector<uint8_t> drawn(size.texel_count());
  uint32_t* out = patterns.data();
  for (unsigned count = 2; count <= kMaxPartitions; ++count) {
    for (unsigned seed = 0; seed < kPartitionSeedCount; ++seed, out += words) {
      drawer.draw(count, seed, drawn);
      for (size_t i = 0; i < drawn.size(); ++i) {
        out[i / kTexelsPerWord] |= uint32_t{drawn[i]} << (2 * (i % kTexelsPerWord));
      }
    }
  }
  return patterns;
}

}  // namespace tessera::astc
