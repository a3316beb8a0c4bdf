#include "astc/encode/candidates.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <queue>
#include <utility>

#include "astc/format/block_layout.h"
#include "astc/format/infill.h"
#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

// Cosine by its power series, so that it is the same number with every C
// library; 0 ≤ angle ≤ π/2.
double cosine_of_first_quadrant(double angle) {
  double term = 1;
  double sum = 1;
  for (int i = 1; i <= 12; ++i) {
    term *= -angle * angle / ((2 * i - 1) * (2 * i));
    sum += term;
  }
  return sum;
}

double square_root(double value) {
  double root = value > 1 ? value : 1;
  for (int i = 0; i < 60; ++i) {
    root = 0.5 * (root + value / root);
  }
  return root;
}

// The orthonormal cosine transform of `length` samples.
std::vector<float> cosine_rows(unsigned length) {
  constexpr double kHalfPi = 1.5707963267948966;
  std::vector<float> rows;
  for (unsigned frequency = 0; frequency < length; ++frequency) {
    const double scale = square_root((frequency == 0 ? 1.0 : 2.0) / length);
    for (unsigned i = 0; i < length; ++i) {
      // The angle is π/2 · steps / length, of a period of 4·length steps.
      unsigned steps = frequency * (2 * i + 1) % (4 * length);
      steps = steps > 2 * length ? 4 * length - steps : steps;
      const bool negative = steps > length;
      steps = negative ? 2 * length - steps : steps;
      const double cosine = cosine_of_first_quadrant(kHalfPi * steps / length);
      rows.push_back(static_cast<float>(scale * (negative ? -cosine : cosine)));
    }
  }
  return rows;
}

// Solves the symmetric, positive definite system in place for several right
// sides, one a column.
void solve(std::vector<std::vector<double>>& matrix, std::vector<std::vector<double>>& right) {
  const size_t n = matrix.size();
  for (size_t pivot = 0; pivot < n; ++pivot) {
    for (size_t row = 0; row < n; ++row) {
      if (row == pivot) {
        continue;
      }
      const double factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (size_t column = 0; column < n; ++column) {
        matrix[row][column] -= factor * matrix[pivot][column];
      }
      for (size_t column = 0; column < right[row].size(); ++column) {
        right[row][column] -= factor * right[pivot][column];
      }
    }
  }
  for (size_t row = 0; row < n; ++row) {
    for (double& value : right[row]) {
      value /= matrix[row][row];
    }
  }
}

// Along one axis: the grid values whose interpolation is nearest to given texel
// values, as a matrix. The standard rounds products of two axes' factors, so in
// 2D this is exact but for that.
std::vector<float> least_squares_rows(unsigned block_edge, unsigned grid_edge) {
  const BlockSize line = {static_cast<uint8_t>(block_edge), 1, 1};
  const GridSize grid = {static_cast<uint8_t>(grid_edge), 1, 1};
  std::vector<std::vector<double>> normal(grid_edge, std::vector<double>(grid_edge, 0.0));
  std::vector<std::vector<double>> right(grid_edge, std::vector<double>(block_edge, 0.0));
  for (unsigned x = 0; x < block_edge; ++x) {
    const InfillTap tap = infill_tap(line, grid, x, 0, 0);
    for (unsigned i = 0; i < 4; ++i) {
      right[tap.grid[i]][x] += tap.factor[i] / 16.0;
      for (unsigned k = 0; k < 4; ++k) {
        normal[tap.grid[i]][tap.grid[k]] += tap.factor[i] * tap.factor[k] / 256.0;
      }
    }
  }
  solve(normal, right);
  std::vector<float> rows;
  for (const auto& row : right) {
    for (const double value : row) {
      rows.push_back(static_cast<float>(value));
    }
  }
  return rows;
}

WeightGrid make_weight_grid(BlockSize size, GridSize grid) {
  WeightGrid result;
  result.size = grid;
  result.is_identity = grid.x == size.x && grid.y == size.y;
  result.across = least_squares_rows(size.x, grid.x);
  result.down = least_squares_rows(size.y, grid.y);
  float gain = 0;
  for (const InfillTap& tap : infill_table(size).taps(grid)) {
    WeightGrid::Taps taps{};
    for (unsigned i = 0; i < 4; ++i) {
      if (tap.factor[i] != 0) {
        taps.grid[taps.count] = tap.grid[i];
        taps.factor[taps.count] = tap.factor[i];
        ++taps.count;
        gain += static_cast<float>(tap.factor[i] * tap.factor[i]) / 256.0F;
      }
    }
    result.taps.push_back(taps);
  }
  result.noise_gain = gain / static_cast<float>(size.texel_count());
  for (unsigned i = 0; i < grid.count(); ++i) {
    result.first_reach.push_back(static_cast<uint16_t>(result.reaches.size()));
    float curvature = WeightGrid::kLeastCurvature;
    for (size_t t = 0; t < result.taps.size(); ++t) {
      for (unsigned k = 0; k < result.taps[t].count; ++k) {
        if (result.taps[t].grid[k] == i) {
          const float share = result.taps[t].factor[k] / 16.0F;
          result.reaches.push_back({static_cast<uint8_t>(t), share});
          curvature += share * share;
        }
      }
    }
    result.curvature.push_back(curvature);
  }
  result.first_reach.push_back(static_cast<uint16_t>(result.reaches.size()));
  return result;
}

// Evenly spaced levels have a mean square rounding error of step²/12. An endpoint's error reaches a
// texel by the square of its weight, which is 1/3 in the mean, and there are two endpoints. Least
// squares and blue contraction then undo a part of it: the shares that remain were chosen on
// photographs, where they are worth 0.15 dB at 4x4 and 0.25 dB at 6x6 over 1 and 1 (0.5 to 0.7 and
// 0.25 to 0.4 do as well).
constexpr float kWeightErrorShare = 0.6F;
constexpr float kColorErrorShare = 0.35F;

void estimate_errors(const WeightGrid& grid, Candidate& candidate) {
  const float weight_step = 1.0F / static_cast<float>(range_levels(candidate.weight_range) - 1);
  const float color_step = 255.0F / static_cast<float>(range_levels(candidate.color_range) - 1);
  candidate.weight_error = kWeightErrorShare * weight_step * weight_step / 12.0F * grid.noise_gain;
  candidate.color_error = kColorErrorShare * color_step * color_step / 12.0F * (2.0F / 3.0F);
}

}  // namespace

uint16_t CandidateTable::grid_index(BlockSize size, GridSize grid) {
  const auto found = std::find_if(grids_.begin(), grids_.end(),
                                  [&](const WeightGrid& g) { return g.size == grid; });
  if (found == grids_.end()) {
    grids_.push_back(make_weight_grid(size, grid));
    return static_cast<uint16_t>(grids_.size() - 1);
  }
  return static_cast<uint16_t>(found - grids_.begin());
}

namespace {

// A block mode that could be a candidate.
struct Option {
  const BlockModeTable::Entry* entry;
  IntegerRange colors;
};

using Modes = std::vector<const BlockModeTable::Entry*>;

// Something for each grid and weight range, with room for the neighbours behind the last ones.
template <class T>
class ByMode {
 public:
  explicit ByMode(T value) : values_(kAcross * kDown * kRanges, value) {}
  T& at(unsigned x, unsigned y, unsigned range) {
    return values_[(x * kDown + y) * kRanges + range];
  }
  T& at(const BlockMode& mode) {
    return at(mode.grid.x, mode.grid.y, static_cast<unsigned>(mode.weight_range));
  }

  static constexpr unsigned kMostEdge = 12, kMostRange = kWeightRangeCount - 1;

 private:
  static constexpr size_t kAcross = kMostEdge + 2, kDown = kMostEdge + 2, kRanges = kMostRange + 2;
  std::vector<T> values_;
};

// Several patterns can mean the same mode: the first ones.
Modes distinct_modes(BlockSize size, bool dual_plane) {
  ByMode<uint8_t> known(0);
  Modes modes;
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    if (entry.mode.dual_plane == dual_plane && std::exchange(known.at(entry.mode), 1) == 0) {
      modes.push_back(&entry);
    }
  }
  return modes;
}

// The modes that leave room for the colours of a family, but for those that are worse than another
// one in every way.
std::vector<Option> useful_modes(const Modes& modes, const Family& family) {
  std::vector<Option> options;
  ByMode<int> most_colors(-1);  // of modes with at least that grid and range, -1: there are none
  for (const BlockModeTable::Entry* entry : modes) {
    const int bits = color_bit_count(entry->weight_bit_count, family.partitions, family.dual_plane,
                                     family.mixes_modes());
    if (const auto colors = color_range(family.color_values(), bits)) {
      options.push_back({entry, *colors});
      most_colors.at(entry->mode) = static_cast<int>(*colors);
    }
  }
  const auto behind = [&](unsigned x, unsigned y, unsigned range) {
    return std::max({most_colors.at(x + 1, y, range), most_colors.at(x, y + 1, range),
                     most_colors.at(x, y, range + 1)});
  };
  for (unsigned x = ByMode<int>::kMostEdge; x > 0; --x) {
    for (unsigned y = ByMode<int>::kMostEdge; y > 0; --y) {
      for (int range = ByMode<int>::kMostRange; range >= 0; --range) {
        const auto r = static_cast<unsigned>(range);
        most_colors.at(x, y, r) = std::max(most_colors.at(x, y, r), behind(x, y, r));
      }
    }
  }
  std::erase_if(options, [&](const Option& option) {
    const BlockMode& mode = option.entry->mode;
    return behind(mode.grid.x, mode.grid.y, static_cast<unsigned>(mode.weight_range)) >=
           static_cast<int>(option.colors);
  });
  return options;
}

// A stored luminance serves three channels.
unsigned decoded_channels(ColorClass color_class) {
  return static_cast<unsigned>(color_class) % 2 == 0 ? 3 : 4;
}

// A kind of picture content: how far apart a block's endpoints are (in 8-bit
// steps), and how the energy of its detail falls with the frequency: as 1 / (1/4 + (x·u)² + (y·v)²)
// in photographs, not at all in text, whose two colours need no weights between 0 and 1.
struct ModelBlock {
  float length;
  float x;
  float y;

  bool is_text() const { return x == 0.0F && y == 0.0F; }
};

constexpr size_t kModelBlocks = 40;

std::vector<ModelBlock> model_blocks() {
  std::vector<ModelBlock> blocks;
  for (const float length : {12.0F, 24.0F, 48.0F, 96.0F, 192.0F}) {
    for (const auto& [x, y] : {std::pair{1.0F, 1.0F},
                               {1.0F, 1.5F},
                               {1.5F, 1.0F},
                               {1.0F, 2.0F},
                               {2.0F, 1.0F},
                               {1.0F, 3.0F},
                               {3.0F, 1.0F}}) {
      blocks.push_back({length, x, y});
    }
    blocks.push_back({length, 0.0F, 0.0F});
  }
  assert(blocks.size() == kModelBlocks);
  return blocks;
}

float model_energy(const ModelBlock& block, unsigned u, unsigned v) {
  const float a = block.x * static_cast<float>(u), b = block.y * static_cast<float>(v);
  return 1.0F / (0.25F + a * a + b * b);
}

// Energies of a model block's detail: of all frequencies, and of those that a grid carries.
struct ModelEnergies {
  float all = 0;
  float kept = 0;
};

ModelEnergies model_energies(const ModelBlock& block, BlockSize size, GridSize grid) {
  ModelEnergies sums;
  for (unsigned v = 0; v < size.y; ++v) {
    for (unsigned u = v == 0 ? 1 : 0; u < size.x; ++u) {
      const float energy = model_energy(block, u, v);
      sums.all += energy;
      sums.kept += u < grid.x && v < grid.y ? energy : 0.0F;
    }
  }
  return sums;
}

// The model blocks, and what each grid makes of them.
class Model {
 public:
  explicit Model(BlockSize size) : size_(size), blocks_(model_blocks()) {}

  const std::vector<ModelBlock>& blocks() const { return blocks_; }

  // Of the grids of a table, which may have grown since the last call.
  void measure(const std::vector<WeightGrid>& grids) {
    for (size_t i = energies_.size(); i < grids.size(); ++i) {
      energies_.emplace_back();
      for (const ModelBlock& block : blocks_) {
        energies_.back().push_back(model_energies(block, size_, grids[i].size));
      }
    }
  }

  // Mean square error of a channel sum, by the same reckoning as the ranking of real blocks.
  float error(size_t block, const Candidate& candidate, unsigned channels) const {
    const float squared_length = blocks_[block].length * blocks_[block].length;
    const float variance = squared_length / 12.0F;  // of positions spread evenly over the line
    const float rounding =
        blocks_[block].is_text() ? 0.0F : squared_length * candidate.weight_error;
    const ModelEnergies& energies = energies_[candidate.grid][block];
    return variance * (energies.all - energies.kept) / energies.all + rounding +
           static_cast<float>(channels) * (candidate.color_error + 1.0F / 12.0F);
  }

 private:
  BlockSize size_;
  std::vector<ModelBlock> blocks_;
  std::vector<std::vector<ModelEnergies>> energies_;  // [grid][block]
};

// What each of the model blocks has, in whole vectors.
using PerModelBlock = std::array<float, kModelBlocks>;
static_assert(kModelBlocks % 8 == 0);

// Errors of the candidates on the model blocks, each relative to the best possible and weighted by
// the block's contrast.
std::vector<PerModelBlock> relative_errors(const Model& model, const std::vector<Candidate>& all,
                                           unsigned channels) {
  std::vector<PerModelBlock> errors(all.size());
  PerModelBlock best;
  best.fill(1e30F);
  for (size_t c = 0; c < all.size(); ++c) {
    for (size_t i = 0; i < kModelBlocks; ++i) {
      errors[c][i] = model.error(i, all[c], channels);
      best[i] = std::min(best[i], errors[c][i]);
    }
  }
  for (PerModelBlock& of_candidate : errors) {
    for (size_t i = 0; i < kModelBlocks; ++i) {
      of_candidate[i] *= model.blocks()[i].length / best[i];
    }
  }
  return errors;
}

// By how much the errors would fall together.
float gain_of(const PerModelBlock& now, const PerModelBlock& errors) {
  std::array<float, 8> sums = {};  // apart, so that they are summed at the same time
  for (size_t i = 0; i < kModelBlocks; i += sums.size()) {
    for (size_t k = 0; k < sums.size(); ++k) {
      sums[k] += std::max(now[i + k] - errors[i + k], 0.0F);
    }
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

// Picks the candidates that together serve the model blocks best: one after the other, each time
// the one that brings the sum of errors down most. What a candidate gains falls with every pick, so
// only those are reckoned again whose last known gain is the highest.
std::vector<Candidate> pick_candidates(const Model& model, const std::vector<Candidate>& all,
                                       unsigned channels) {
  const std::vector<PerModelBlock> errors = relative_errors(model, all, channels);
  PerModelBlock now;
  now.fill(1e6F);
  struct Known {
    float gain;
    size_t candidate;
    size_t picks;  // made when the gain was reckoned
    bool operator<(const Known& other) const {
      return gain != other.gain ? gain < other.gain : candidate > other.candidate;
    }
  };
  std::priority_queue<Known> queue;
  for (size_t c = 0; c < all.size(); ++c) {
    queue.push({gain_of(now, errors[c]), c, 0});
  }
  std::vector<Candidate> picked;
  while (picked.size() < kMaxCandidates && !queue.empty()) {
    const Known top = queue.top();
    queue.pop();
    if (top.picks < picked.size()) {
      queue.push({gain_of(now, errors[top.candidate]), top.candidate, picked.size()});
      continue;
    }
    picked.push_back(all[top.candidate]);
    for (size_t i = 0; i < kModelBlocks; ++i) {
      now[i] = std::min(now[i], errors[top.candidate][i]);
    }
  }
  return picked;
}

}  // namespace

CandidateTable::CandidateTable(BlockSize size)
    : cosines_across_(cosine_rows(size.x)), cosines_down_(cosine_rows(size.y)) {
  Model model(size);
  const Modes modes[2] = {distinct_modes(size, false), distinct_modes(size, true)};
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    if (family.mixes_modes()) {
      continue;
    }
    std::vector<Candidate> all;
    for (const Option& option : useful_modes(modes[family.dual_plane ? 1 : 0], family)) {
      Candidate candidate;
      candidate.mode_bits = option.entry->mode_bits;
      candidate.grid = grid_index(size, option.entry->mode.grid);
      candidate.weight_range = option.entry->mode.weight_range;
      candidate.color_range = option.colors;
      candidate.weight_bit_count = option.entry->weight_bit_count;
      estimate_errors(grids_[candidate.grid], candidate);
      all.push_back(candidate);
    }
    model.measure(grids_);
    candidates_[index] = pick_candidates(model, all, decoded_channels(family.color_class));
  }
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    if (family.mixes_modes()) {
      candidates_[index] = candidates_of_mixed(family);
    }
  }
  number_candidates();
}

void CandidateTable::number_candidates() {
  for (unsigned family = 0; family < kFamilyCount; ++family) {
    const std::vector<Candidate>& of_family = candidates_[family];
    std::vector<uint8_t> order(of_family.size());
    std::iota(order.begin(), order.end(), uint8_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](uint8_t a, uint8_t b) { return of_family[a].grid < of_family[b].grid; });
    place_[family].resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) {
      const Candidate& candidate = of_family[order[i]];
      const auto number = static_cast<uint16_t>(by_number_.size());
      if (i == 0 || candidate.grid != of_family[order[i - 1]].grid) {
        batches_[family].push_back({candidate.grid, number, number});
      }
      batches_[family].back().end = static_cast<uint16_t>(number + 1);
      place_[family][order[i]] = static_cast<uint8_t>(i);
      by_number_.push_back(&candidate);
    }
    first_number_[family + 1] = static_cast<unsigned>(by_number_.size());
  }
}

// The modes of blocks that are stored the plainer way throughout, which leave the most room, in
// their order.
std::vector<Candidate> CandidateTable::candidates_of_mixed(const Family& family) const {
  Family plainer = family;
  plainer.saved_pairs =
      static_cast<uint8_t>(static_cast<unsigned>(family.plainer_storage()) * family.partitions);
  std::vector<Candidate> result;
  for (Candidate candidate : candidates_[family_index(plainer)]) {
    const auto colors = color_range(
        family.color_values(),
        color_bit_count(candidate.weight_bit_count, family.partitions, family.dual_plane, true));
    if (colors) {
      candidate.color_range = *colors;
      estimate_errors(grids_[candidate.grid], candidate);
      result.push_back(candidate);
    }
  }
  return result;
}

const CandidateTable& candidate_table(BlockSize size) {
  static PerBlockSize<CandidateTable> tables;
  return tables.get(size);
}

}  // namespace tessera::astc
