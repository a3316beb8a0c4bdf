// Lists the block modes that are worth trying for each family on one block size, the most useful
// first. All of it follows from the standard and from a model of what pictures contain.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "astc/encode/candidates.h"
#include "astc/encode/families.h"
#include "astc/encode/model_blocks.h"
#include "astc/encode/weight_grid.h"
#include "astc/format/block_mode.h"

namespace tessera::astc {

class CandidateLists {
 public:
  explicit CandidateLists(BlockSize size);

  // The first `most` candidates of a family. Candidate::grid is an index of grids().
  std::vector<Candidate> candidates(const Family& family, size_t most);

  // In an order that does not depend on what has been asked for.
  const std::vector<GridSize>& grids() const { return grids_; }
  const TexelTaps& taps(size_t grid) { return grid_facts(grid).taps; }

 private:
  using Modes = std::vector<const BlockModeTable::Entry*>;

  // Families with the same key can use the same modes.
  struct ModeKey {
    unsigned partitions;
    bool dual_plane;
    unsigned color_values;
    bool operator==(const ModeKey&) const = default;
  };
  static ModeKey key_of(const Family& family) {
    return {family.partitions, family.dual_plane, family.color_values()};
  }
  struct UsefulMode {
    const BlockModeTable::Entry* entry;
    IntegerRange colors;
    uint16_t grid;
  };
  struct UsefulModes {
    ModeKey key;
    std::vector<UsefulMode> modes;
  };
  struct GridFacts {
    TexelTaps taps;
    float noise_gain = 0;
    ModelLosses losses{};
  };
  // Those of the same key and number of decoded channels have the same list.
  struct PickedList {
    ModeKey key;
    unsigned channels;
    CandidatePicker picker;
  };

  std::vector<UsefulMode> useful_modes(const Family& family);
  uint16_t grid_index(GridSize grid);
  const GridFacts& grid_facts(size_t grid);
  void estimate_errors(Candidate& candidate);
  CandidatePicker& picker_of(const Family& family);

  BlockSize size_;
  ModelBlocks model_;
  Modes modes_[2];  // of one plane and of two
  std::vector<GridSize> grids_;
  std::vector<UsefulModes> useful_;
  std::vector<GridFacts> grid_facts_;  // filled in when they are asked for
  std::deque<PickedList> lists_;
};

}  // namespace tessera::astc
