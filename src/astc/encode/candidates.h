// What the encoder may choose from for one block size: weight grids, and for each family the block
// modes that are worth trying, with the colour ranges that they leave. All of it follows from the
// standard; the tables are made at first use.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "astc/encode/families.h"
#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

inline constexpr unsigned kMaxTexels2d = 144;
inline constexpr unsigned kMaxGridEdge = 12;
// Kept of each family, the most useful first; presets use a part of them.
inline constexpr unsigned kMaxCandidates = 256;

// A weight grid on one block size.
struct WeightGrid {
  // Something to divide by where no texel counts.
  static constexpr float kLeastCurvature = 1e-6F;

  // Weights that contribute to a texel, with their factors in sixteenths.
  struct Taps {
    uint8_t count;
    std::array<uint8_t, 4> grid;
    std::array<float, 4> factor;
  };

  GridSize size;
  bool is_identity = false;  // a weight a texel
  std::vector<Taps> taps;    // of each texel
  // The same the other way round: the texels that a weight reaches, with its share of theirs.
  struct Reach {
    uint8_t texel;
    float share;
  };
  std::vector<Reach> reaches;         // of grid point after grid point
  std::vector<uint16_t> first_reach;  // of each grid point, and the end
  std::vector<float> curvature;       // of each grid point: the sum of its squared shares
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
  const std::vector<Candidate>& candidates(unsigned family) const { return candidates_[family]; }
  // Candidates of all families are numbered through, family by family, and in each family those of
  // one grid after those of another.
  unsigned first_number(unsigned family) const { return first_number_[family]; }
  unsigned number(unsigned family, unsigned candidate) const {
    return first_number_[family] + place_[family][candidate];
  }
  // Candidates of a family that share a grid: blocks of all of them are fitted together.
  struct Batch {
    uint16_t grid;
    uint16_t first;  // number
    uint16_t end;
  };
  const std::vector<Batch>& batches(unsigned family) const { return batches_[family]; }
  const Candidate& candidate_of_number(unsigned number) const { return *by_number_[number]; }
  // Rows are frequencies (one more than the row before), columns are positions.
  const float* cosines_across() const { return cosines_across_.data(); }
  const float* cosines_down() const { return cosines_down_.data(); }

 private:
  uint16_t grid_index(BlockSize size, GridSize grid);
  std::vector<Candidate> candidates_of_mixed(const Family& family) const;
  void number_candidates();

  std::vector<WeightGrid> grids_;
  std::array<std::vector<Candidate>, kFamilyCount> candidates_;
  std::array<unsigned, kFamilyCount + 1> first_number_{};
  std::array<std::vector<uint8_t>, kFamilyCount> place_;
  std::array<std::vector<Batch>, kFamilyCount> batches_;
  std::vector<const Candidate*> by_number_;
  std::vector<float> cosines_across_;
  std::vector<float> cosines_down_;
};

// Made at first use. `size` is a 2D one.
const CandidateTable& candidate_table(BlockSize size);

}  // namespace tessera::astc
