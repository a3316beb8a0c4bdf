// What decoding on a device looks up: plain numbers, one table per block size.
#pragma once

#include <cstdint>
#include <vector>

#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

// A block mode; without weights the mode is illegal.
struct DeviceBlockMode {
  uint8_t grid_x, grid_y;
  uint8_t weight_range;
  uint8_t is_dual_plane;
  uint8_t weight_count, weight_bits;
  uint8_t unused[2];
};

inline constexpr uint8_t kNoColorRange = 0xFF;

// What reading values takes, for all block sizes: little enough for the memory that threads share.
struct alignas(16) ReadTables {
  uint8_t color_ranges[kMaxColorValues / 2 + 1][kBlockBits];  // [values / 2][bits left for them]
  uint8_t color_values[kColorRangeCount][256];                // of codes
  uint8_t weight_values[kWeightRangeCount][32];
  uint8_t range_bits[kRangeCount];    // plain bits of a value
  uint8_t range_digits[kRangeCount];  // a Digit
  // Of an endpoint mode: which of a partition's values are red, green, blue and alpha of the first
  // colour, four bits each, and of the second one. Alpha means nothing where the mode has none.
  uint32_t endpoint_bytes[kEndpointModeCount];
  // What a digit counts in the codes of a range: the number of its plain bits' values.
  uint16_t digit_worth[kRangeCount];
  // Of the codes of groups: five trits for 256 codes, then three quints for 128; a byte each.
  struct Digits {
    uint32_t four, fifth;
  } digits[256 + 128];

  // Of so many values.
  constexpr uint32_t sequence_bits(uint32_t range, uint32_t count) const {
    const uint32_t plain = range_bits[range] * count;
    return range_digits[range] == static_cast<uint32_t>(Digit::kTrit) ? plain + (8 * count + 4) / 5
           : range_digits[range] == static_cast<uint32_t>(Digit::kQuint)
               ? plain + (7 * count + 2) / 3
               : plain;
  }
};

struct DecodeTables {
  DeviceBlockMode modes[kBlockModeCount];
  ReadTables read;
};

// What follows from the size of a block.
struct DecodeShape {
  uint32_t width, height;
  uint32_t step_x, step_y;  // from a texel to the next in the grid, in 1024ths of it
  uint32_t pattern_words;   // of a pattern
};

constexpr DecodeShape decode_shape(BlockSize size) {
  const auto step = [](uint32_t edge) { return (1024 + edge / 2) / (edge - 1); };
  return {size.width, size.height, step(size.width), step(size.height),
          (size.texel_count() + 15) / 16};
}

DecodeTables make_decode_tables(BlockSize size);

// The partition of each texel in two bits, sixteen texels a word: pattern_words words for each seed
// of 2, then 3, then 4 partitions. One more word may be read behind them.
std::vector<uint32_t> make_decode_patterns(BlockSize size);

}  // namespace tessera::astc
