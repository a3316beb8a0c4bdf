// A model of what pictures contain, and the order in which candidates serve it best.
#pragma once

#include <array>
#include <cstddef>
#include <queue>
#include <span>
#include <vector>

#include "astc/encode/candidates.h"
#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// Model blocks have one of five lengths, that is, distances between the endpoints, and one of eight
// shapes of their detail.
inline constexpr size_t kModelLengths = 5;
inline constexpr size_t kModelShapes = 8;
inline constexpr size_t kModelBlocks = kModelLengths * kModelShapes;

// What each of the model blocks has.
using PerModelBlock = std::array<float, kModelBlocks>;
// Mean square error, summed over channels, of the detail that a grid loses.
using ModelLosses = PerModelBlock;

class ModelBlocks {
 public:
  explicit ModelBlocks(BlockSize size);

  ModelLosses losses(GridSize grid) const;

 private:
  BlockSize size_;
  // Energy of each frequency, across and then down, of each shape; the constant one is left out.
  std::array<std::vector<float>, kModelShapes> energy_;
  std::array<float, kModelShapes> all_energy_{};
};

// Picks the candidates that together serve the model blocks best: one after the other, each time
// the one that brings the sum of errors down most.
class CandidatePicker {
 public:
  // `losses` are those of the candidates' grids.
  CandidatePicker(std::vector<Candidate> all, std::span<const ModelLosses* const> losses,
                  unsigned channels);

  // Picks until there are so many, or no more are left; returns those picked so far, which may be
  // more.
  const std::vector<Candidate>& pick(size_t count);

 private:
  struct Known {
    float gain;
    size_t candidate;
    size_t picks;  // made when the gain was reckoned
    bool operator<(const Known& other) const {
      return gain != other.gain ? gain < other.gain : candidate > other.candidate;
    }
  };

  // The rest in the order of the standard, when none of them gains anything any more.
  void pick_useless();

  std::vector<Candidate> all_;
  std::vector<PerModelBlock> errors_;  // each relative to the best possible
  PerModelBlock now_;
  std::priority_queue<Known> queue_;
  std::vector<Candidate> picked_;
};

}  // namespace tessera::astc
