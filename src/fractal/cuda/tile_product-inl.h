// Dot products of many ranges with many domains, turned in several ways, by the matrix units of a
// device. They multiply bytes and add in 32 bits: a sample of a range is a byte, one of a domain
// (0…1020) is two, a column each, so all sums are exact.
//
// A tile is 32 ranges (rows) and 32 turned domains (pairs of columns, low byte first). A step is 16
// samples. Words of four samples lie in memory in the order in which lanes load them; what a lane
// holds of a step and of the sums is fixed by the instruction (mma.m16n8k16 of PTX): with
// g = lane / 4 and t = lane % 4
//   rows:    word j is samples 4t…4t+3 of row 8j + g
//   columns: word n is samples 4t…4t+3 of column 8n + g
//   sums:    [m][n][2h + part] is row 16m + 8h + g with part `part` of the turned domain 4n + t
//
// A Warp has:
//   kLanes                  32
//   PerLane<T>              a T for each lane, reached with [lane]
//   shared                  floats that all lanes see
//   each_lane(work)         calls work(lane) for each lane
//   multiply(words, sums)   adds the products of a step
#pragma once

#include <cstddef>
#include <cstdint>

#include "spmd/host_device.h"

namespace tessera::fractal::device {

inline constexpr uint32_t kLanes = 32;
inline constexpr uint32_t kTileRows = 32;
inline constexpr uint32_t kTurnedPerTile = 32;
inline constexpr uint32_t kStepSamples = 16;
inline constexpr uint32_t kRowSlots = 4;     // rows that a lane has sums of: 8·slot + g
inline constexpr uint32_t kColumnSlots = 8;  // turned domains that a lane has sums of: 4·slot + t

struct alignas(16) FourWords {
  uint32_t word[4];
};

// What a lane holds of a step.
struct StepWords {
  FourWords rows;
  FourWords columns[2];
};

struct TileSums {
  int32_t sums[2][kColumnSlots][4];

  TESSERA_DEVICE_CODE void clear() {
    TESSERA_UNROLLED
    for (unsigned m = 0; m < 2; ++m) {
      TESSERA_UNROLLED
      for (unsigned n = 0; n < kColumnSlots; ++n) {
        TESSERA_UNROLLED
        for (unsigned i = 0; i < 4; ++i) {
          sums[m][n][i] = 0;
        }
      }
    }
  }
  // Σab of the lane's row 8·slot + g and its turned domain 4n + t. It fits for up to 4096 samples.
  TESSERA_DEVICE_CODE int32_t dot(unsigned slot, unsigned n) const {
    const int32_t* own = sums[slot / 2][n] + 2 * (slot % 2);
    return own[0] + 256 * own[1];
  }
};
inline constexpr uint32_t kMaxStepsOfSums = 4096 / kStepSamples;

// Where a word of packed rows or columns belongs.
struct WordPlace {
  uint32_t tile;
  uint32_t line;    // row of the tile, or column of its 64
  uint32_t sample;  // first of four
};
constexpr WordPlace row_word_place(uint32_t word, uint32_t steps) {
  const uint32_t lane = word / 4 % kLanes, step = word / 4 / kLanes % steps;
  return {word / 4 / kLanes / steps, word % 4 * 8 + lane / 4, step * kStepSamples + lane % 4 * 4};
}
constexpr WordPlace column_word_place(uint32_t word, uint32_t steps) {
  const uint32_t lane = word / 8 % kLanes, step = word / 8 / kLanes % steps;
  return {word / 8 / kLanes / steps, word % 8 * 8 + lane / 4, step * kStepSamples + lane % 4 * 4};
}
constexpr size_t row_words(size_t tiles, size_t steps) {
  return tiles * steps * kLanes * 4;
}
constexpr size_t column_words(size_t tiles, size_t steps) {
  return tiles * steps * kLanes * 8;
}

// The low or the high byte of four values.
template <class Value>
TESSERA_DEVICE_CODE uint32_t pack_bytes(uint32_t part, const Value& value) {
  uint32_t word = 0;
  TESSERA_UNROLLED
  for (uint32_t i = 0; i < 4; ++i) {
    word |= ((static_cast<uint32_t>(value(i)) >> (8 * part)) & 0xFFu) << (8 * i);
  }
  return word;
}

// Adds the products of `steps` steps; both pointers are those of the first step.
template <class Warp>
TESSERA_DEVICE_CODE void add_products(Warp& warp, const FourWords* rows, const FourWords* columns,
                                      uint32_t steps,
                                      typename Warp::template PerLane<TileSums>& sums) {
  for (uint32_t step = 0; step < steps; ++step) {
    typename Warp::template PerLane<StepWords> words;
    warp.each_lane([&](unsigned lane) {
      words[lane].rows = rows[step * kLanes + lane];
      words[lane].columns[0] = columns[(step * kLanes + lane) * 2];
      words[lane].columns[1] = columns[(step * kLanes + lane) * 2 + 1];
    });
    warp.multiply(words, sums);
  }
}

}  // namespace tessera::fractal::device
