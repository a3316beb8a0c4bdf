// Lists the block modes that are worth trying for each family on one block size, the most useful
// first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "astc/encode/candidate_order.h"
#include "astc/encode/candidates.h"
#include "astc/encode/families.h"
#include "astc/encode/weight_grid.h"
#include "astc/format/block_mode.h"

namespace tessera::astc {

// Mode bits of all modes of a block size with one plane or two, in the order of the standard; of
// several patterns of bits that mean the same mode, the first.
std::vector<uint16_t> distinct_mode_bits(BlockSize size, bool dual_plane);

class CandidateLists {
 public:
  explicit CandidateLists(BlockSize size);

  // Appends the first `most` candidates of a family. Candidate::grid is an index of all grids.
  void append_candidates(const Family& family, size_t most, std::vector<Candidate>& candidates);

  // All grids of the block size, row by row of their sizes and slice by slice.
  size_t grid_count() const { return grids_.size(); }
  GridSize grid_size(size_t grid) const;
  const TexelTaps& taps(size_t grid) { return grid_facts(grid).taps; }

 private:
  struct UsefulMode {
    const BlockModeTable::Entry* entry;
    IntegerRange colors;
  };
  struct GridFacts {
    TexelTaps taps;
    float noise_gain = 0;
  };

  std::vector<UsefulMode> useful_modes(const ModeGroup& group) const;
  std::vector<UsefulMode> modes_by_model(const ModeGroup& group);
  const std::vector<UsefulMode>& modes_in_order(const ModeGroup& group);
  uint16_t grid_index(GridSize grid) const;
  const GridFacts& grid_facts(size_t grid);
  Candidate make_candidate(const UsefulMode& mode);

  BlockSize size_;
  // With one plane and with two, each mode once.
  std::array<std::vector<const BlockModeTable::Entry*>, 2> modes_;
  ModeOrders orders_;                                                     // of 2D block sizes
  std::vector<GridFacts> grids_;                                          // made when asked for
  std::array<std::vector<UsefulMode>, kModeGroupCount> modes_of_groups_;  // made when asked for
};

}  // namespace tessera::astc
