// Makes the tables of decoding on devices from those of the CPU.
#include "astc/cuda/decode_tables.h"

#include <algorithm>
#include <array>
#include <initializer_list>

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

void fill_ranges(ReadTables& tables) {
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
    tables.digit_worth[i] = static_cast<uint16_t>(1u << kRangeInfos[i].bits);
  }
}

void fill_endpoint_bytes(ReadTables& tables) {
  const auto set = [&](std::initializer_list<unsigned> modes, uint32_t first, uint32_t second) {
    for (const unsigned mode : modes) {
      tables.endpoint_bytes[mode] = first | (second << 16);
    }
  };
  set({0, 1, 4, 5}, 0x2000, 0x3111);  // grey
  set({6, 10}, 0x4210, 0x5210);       // a colour, its scale, two alphas
  set({8, 9, 12, 13}, 0x6420, 0x7531);
}

// Five trits or three quints of a code: a sequence of values that have no plain bits.
template <size_t kCount>
ReadTables::Digits digits_of_code(unsigned code, IntegerRange range) {
  std::array<uint8_t, kCount> digits;
  decode_sequence({code, 0}, 0, range, digits);
  ReadTables::Digits result = {};
  for (size_t i = 0; i < kCount; ++i) {
    (i < 4 ? result.four : result.fifth) |= uint32_t{digits[i]} << (8 * (i % 4));
  }
  return result;
}

}  // namespace

DecodeTables make_decode_tables(BlockSize size) {
  DecodeTables tables = {};
  fill_modes(size, tables);
  fill_ranges(tables.read);
  fill_endpoint_bytes(tables.read);
  for (unsigned code = 0; code < 256; ++code) {
    tables.read.digits[code] = digits_of_code<5>(code, IntegerRange::k3Levels);
  }
  for (unsigned code = 0; code < 128; ++code) {
    tables.read.digits[256 + code] = digits_of_code<3>(code, IntegerRange::k5Levels);
  }
  return tables;
}

std::vector<uint32_t> make_decode_patterns(BlockSize size) {
  constexpr unsigned kTexelsPerWord = 16;
  const unsigned words = decode_shape(size).pattern_words;
  std::vector<uint32_t> patterns(size_t{kMaxPartitions - 1} * kPartitionSeedCount * words + 1);
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
