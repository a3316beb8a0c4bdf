// What the encoder may choose from for one block size: weight grids, and for
// each kind of colour the pairs of weight and colour ranges that are worth
// trying. All of it follows from the standard; the tables are made at first
// use.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

// What a block's texels have in common decides how its endpoints are stored.
enum class ColorClass : uint8_t { kLuminance, kLuminanceAlpha, kRgb, kRgba };
inline constexpr unsigned kColorClassCount = 4;

constexpr unsigned stored_channels(ColorClass color_class) {
  return static_cast<unsigned>(color_class) + 1;
}

inline constexpr unsigned kMaxTexels2d = 144;
inline constexpr unsigned kMaxGridEdge = 12;
// Kept of each kind, with one plane and with two: more of them gain ever less (fewer than 32 cost
// 0.1 dB at 6x6 and 8x8), and leave vectors partly empty.
inline constexpr unsigned kMaxCandidates = 32;
inline constexpr unsigned kMaxDualPlaneCandidates = 16;

// A weight grid on one block size.
struct WeightGrid {
  // Weights that contribute to a texel, with their factors in sixteenths.
  struct Taps {
    uint8_t count;
    std::array<uint8_t, 4> grid;
    std::array<float, 4> factor;
  };

  GridSize size;
  bool is_identity = false;  // a weight a texel
  std::vector<Taps> taps;    // of each texel
  // Least squares from texels to grid, one axis at a time: grid.x rows of
  // block.x factors, and grid.y rows of block.y factors.
  std::vector<float> across;
  std::vector<float> down;
  float noise_gain = 1;  // mean square error of a texel's weight, per that of a stored weight
};

// A block mode with the colour range that it leaves.
struct Candidate {
  uint16_t mode_bits = 0;
  uint16_t grid = 0;  // index of CandidateTable::grids
  IntegerRange weight_range = IntegerRange::k2Levels;
  IntegerRange color_range = kSmallestColorRange;
  uint8_t weight_bit_count = 0;
  float weight_error = 0;  // mean square error of a texel, per squared distance of the endpoints
  float color_error = 0;   // mean square error of a channel from rounding the endpoints
};

class CandidateTable {
 public:
  explicit CandidateTable(BlockSize size);

  const std::vector<WeightGrid>& grids() const { return grids_; }
  const std::vector<Candidate>& candidates(ColorClass color_class, bool dual_plane) const {
    return candidates_[list_index(color_class, dual_plane)];
  }
  // Rows are frequencies (one more than the row before), columns are positions.
  const float* cosines_across() const { return cosines_across_.data(); }
  const float* cosines_down() const { return cosines_down_.data(); }

  static constexpr unsigned kListCount = 2 * kColorClassCount;
  static constexpr unsigned list_index(ColorClass color_class, bool dual_plane) {
    return 2 * static_cast<unsigned>(color_class) + (dual_plane ? 1 : 0);
  }

 private:
  uint16_t grid_index(BlockSize size, GridSize grid);

  std::vector<WeightGrid> grids_;
  std::array<std::vector<Candidate>, kListCount> candidates_;
  std::vector<float> cosines_across_;
  std::vector<float> cosines_down_;
};

// Made at first use. `size` is a 2D one.
const CandidateTable& candidate_table(BlockSize size);

}  // namespace tessera::astc
