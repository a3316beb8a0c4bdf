// What the method fgac looks up: one piece of memory without pointers, so that it can be copied to
// a device as it is.
//
// fgac (Shawn Tsai, "ASTC Compression Acceleration Using CUDA") encodes opaque or transparent
// blocks of 4x4 with one partition, one plane and a weight for every texel. A warp works on a
// block: lanes are texels, levels, or entries of lists, in turn. It is here to be studied beside
// our own encoder; see docs/cuda.md.
#pragma once

#include <cstdint>

#include "astc/format/integer_range.h"

namespace tessera::astc {

inline constexpr unsigned kFgacTexels = 16;
inline constexpr unsigned kFgacMostModes = kWeightRangeCount;
inline constexpr unsigned kFgacCounts = 4;  // 2, 4, 6 or 8 stored integers
inline constexpr uint8_t kNoLevel = 0xFF;

// A range of integers, and how its sequences are stored.
struct FgacRange {
  uint16_t levels;
  uint8_t bits;
  uint8_t digit;  // Digit
};

// A block mode: sixteen weights of one range.
struct FgacMode {
  uint16_t mode_bits;
  uint8_t range;
  uint8_t color_level[kFgacCounts];  // the highest range that fits beside it, by count; or kNoLevel
  uint8_t unused;
};

struct FgacTables {
  FgacRange ranges[kRangeCount];
  uint32_t mode_count;
  FgacMode modes[kFgacMostModes];
  uint8_t weight_value[kWeightRangeCount][32];  // 0…64, by rank
  uint8_t weight_code[kWeightRangeCount][32];   // by rank
  uint8_t color_code[kRangeCount][256];         // the nearest
  uint8_t color_value[kRangeCount][256];        // of a code, 0…255
  float level_error[kRangeCount];  // mean squared error of a sample that is rounded to a range
  uint8_t trit_code[243];
  uint8_t quint_code[125];
};

// Made at the first call.
const FgacTables& fgac_tables();

}  // namespace tessera::astc
