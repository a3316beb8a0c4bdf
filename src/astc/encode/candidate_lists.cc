// Finds the useful block modes of each family, and orders them.
#include "astc/encode/candidate_lists.h"

#include <algorithm>
#include <span>
#include <utility>

#include "astc/encode/encoder_scope.h"
#include "astc/encode/mode_model.h"
#include "astc/format/block_layout.h"

namespace tessera::astc {
namespace {

// Evenly spaced levels have a mean square rounding error of step²/12. An endpoint's error reaches a
// texel by the square of its weight, which is 1/3 in the mean, and there are two endpoints. Least
// squares and blue contraction then undo a part of it: the shares that remain were chosen on
// photographs, where they are worth 0.15 dB at 4x4 and 0.25 dB at 6x6 over 1 and 1 (0.5 to 0.7 and
// 0.25 to 0.4 do as well).
constexpr float kWeightErrorShare = 0.6F;
constexpr float kColorErrorShare = 0.35F;

constexpr unsigned kLeastGridEdge = 2;

// Something for each grid and weight range of a block size, with room for the neighbours behind the
// last ones.
template <class T>
class ByMode {
 public:
  ByMode(BlockSize size, T value)
      : is_3d_(size.is_3d()),
        down_(size.height + 2u),
        deep_(is_3d_ ? size.depth + 2u : 1u),
        values_((size.width + 2u) * down_ * deep_ * kRanges, value) {}
  // All grids of 2D have a z of 1.
  T& at(unsigned x, unsigned y, unsigned z, unsigned range) {
    return values_[((x * down_ + y) * deep_ + (is_3d_ ? z : 0)) * kRanges + range];
  }
  T& at(const BlockMode& mode) {
    return at(mode.grid.x, mode.grid.y, mode.grid.z, range_index(mode.weight_range));
  }
  bool is_3d() const { return is_3d_; }

 private:
  static constexpr size_t kRanges = kWeightRangeCount + 1;
  bool is_3d_;
  size_t down_;
  size_t deep_;
  std::vector<T> values_;
};

// Several patterns of bits can mean the same mode: the first ones.
std::vector<const BlockModeTable::Entry*> distinct_modes(BlockSize size, bool dual_plane) {
  ByMode<uint8_t> known(size, 0);
  std::vector<const BlockModeTable::Entry*> modes;
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    if (entry.mode.dual_plane == dual_plane && std::exchange(known.at(entry.mode), 1) == 0) {
      modes.push_back(&entry);
    }
  }
  return modes;
}

std::vector<uint16_t> bits_of(const std::vector<const BlockModeTable::Entry*>& modes) {
  std::vector<uint16_t> bits;
  bits.reserve(modes.size());
  for (const BlockModeTable::Entry* entry : modes) {
    bits.push_back(entry->mode_bits);
  }
  return bits;
}

// The most colours that are left by a mode with a larger grid or more levels.
int most_colors_behind(ByMode<int>& most_colors, unsigned x, unsigned y, unsigned z,
                       unsigned range) {
  const int most = std::max({most_colors.at(x + 1, y, z, range), most_colors.at(x, y + 1, z, range),
                             most_colors.at(x, y, z, range + 1)});
  return most_colors.is_3d() ? std::max(most, most_colors.at(x, y, z + 1, range)) : most;
}

// Grids have at least two weights along each axis that the block has.
size_t grid_choices(unsigned block_edge) {
  return block_edge == 1 ? 1 : block_edge - kLeastGridEdge + 1;
}

}  // namespace

std::vector<uint16_t> distinct_mode_bits(BlockSize size, bool dual_plane) {
  return bits_of(distinct_modes(size, dual_plane));
}

CandidateLists::CandidateLists(BlockSize size)
    : size_(size),
      modes_{distinct_modes(size, false), distinct_modes(size, true)},
      orders_(size),
      grids_(grid_choices(size.width) * grid_choices(size.height) * grid_choices(size.depth)) {}

uint16_t CandidateLists::grid_index(GridSize grid) const {
  const size_t z = size_.is_3d() ? grid.z - kLeastGridEdge : 0;
  const size_t row = z * grid_choices(size_.height) + grid.y - kLeastGridEdge;
  return static_cast<uint16_t>(row * grid_choices(size_.width) + grid.x - kLeastGridEdge);
}

GridSize CandidateLists::grid_size(size_t grid) const {
  const size_t across = grid_choices(size_.width), down = grid_choices(size_.height);
  const size_t z = size_.is_3d() ? grid / across / down + kLeastGridEdge : 1;
  return {static_cast<uint8_t>(grid % across + kLeastGridEdge),
          static_cast<uint8_t>(grid / across % down + kLeastGridEdge), static_cast<uint8_t>(z)};
}

const CandidateLists::GridFacts& CandidateLists::grid_facts(size_t grid) {
  GridFacts& facts = grids_[grid];
  if (facts.taps.empty()) {
    facts.taps = texel_taps(size_, grid_size(grid));
    facts.noise_gain = noise_gain(facts.taps);
  }
  return facts;
}

// The modes that leave room for the colours of a group, but for those that are worse than another
// one in every way, in the order of the standard.
std::vector<CandidateLists::UsefulMode> CandidateLists::useful_modes(const ModeGroup& group) const {
  const auto& modes = modes_[group.dual_plane ? 1 : 0];
  std::vector<UsefulMode> useful;
  useful.reserve(modes.size());
  ByMode<int> most_colors(size_, -1);  // of modes with at least that grid and range; -1: none
  for (const BlockModeTable::Entry* entry : modes) {
    const int bits =
        color_bit_count(entry->weight_bit_count, group.partitions, group.dual_plane, false);
    if (const auto colors = color_range(group.color_values, bits)) {
      useful.push_back({entry, *colors});
      most_colors.at(entry->mode) = static_cast<int>(*colors);
    }
  }
  for (unsigned x = size_.width; x > 0; --x) {
    for (unsigned y = size_.height; y > 0; --y) {
      for (unsigned z = size_.depth; z > 0; --z) {
        for (unsigned range = kWeightRangeCount; range-- > 0;) {
          int& most = most_colors.at(x, y, z, range);
          most = std::max(most, most_colors_behind(most_colors, x, y, z, range));
        }
      }
    }
  }
  std::erase_if(useful, [&](const UsefulMode& candidate) {
    const BlockMode& mode = candidate.entry->mode;
    return most_colors_behind(most_colors, mode.grid.x, mode.grid.y, mode.grid.z,
                              range_index(mode.weight_range)) >= static_cast<int>(candidate.colors);
  });
  return useful;
}

std::vector<CandidateLists::UsefulMode> CandidateLists::modes_by_model(const ModeGroup& group) {
  const std::vector<UsefulMode> useful = useful_modes(group);
  std::vector<ModeErrors> errors;
  errors.reserve(useful.size());
  for (const UsefulMode& mode : useful) {
    const Candidate candidate = make_candidate(mode);
    errors.push_back({mode.entry->mode.grid, candidate.weight_error, candidate.color_error});
  }
  std::vector<UsefulMode> result;
  result.reserve(useful.size());
  for (const size_t i : astc::modes_by_model(size_, errors, group.decoded_channels)) {
    result.push_back(useful[i]);
  }
  return result;
}

// Useful modes that have been learned to be used come first.
const std::vector<CandidateLists::UsefulMode>& CandidateLists::modes_in_order(
    const ModeGroup& group) {
  const size_t group_index = mode_group_index(group);
  std::vector<UsefulMode>& result = modes_of_groups_[group_index];
  if (!result.empty()) {
    return result;
  }
  if constexpr (kEncodesAll) {
    if (size_.is_3d()) {
      return result = modes_by_model(group);
    }
  }
  constexpr uint8_t kLast = 255;
  std::array<uint8_t, kBlockModeCount> place;
  place.fill(kLast);
  const std::vector<uint16_t>& order =
      orders_.of_group(group_index, bits_of(modes_[group.dual_plane ? 1 : 0]));
  for (size_t i = order.size(); i-- > 0;) {
    place[order[i]] = static_cast<uint8_t>(i);
  }
  result = useful_modes(group);
  const auto first_of_rest = std::stable_partition(
      result.begin(), result.end(),
      [&](const UsefulMode& mode) { return place[mode.entry->mode_bits] != kLast; });
  std::sort(result.begin(), first_of_rest, [&](const UsefulMode& a, const UsefulMode& b) {
    return place[a.entry->mode_bits] < place[b.entry->mode_bits];
  });
  return result;
}

Candidate CandidateLists::make_candidate(const UsefulMode& mode) {
  Candidate candidate;
  candidate.mode_bits = mode.entry->mode_bits;
  candidate.grid = grid_index(mode.entry->mode.grid);
  candidate.weight_range = mode.entry->mode.weight_range;
  candidate.color_range = mode.colors;
  candidate.weight_bit_count = mode.entry->weight_bit_count;
  const float weight_step = 1.0F / static_cast<float>(range_levels(candidate.weight_range) - 1);
  const float color_step = 255.0F / static_cast<float>(range_levels(candidate.color_range) - 1);
  candidate.weight_error =
      kWeightErrorShare * weight_step * weight_step / 12.0F * grid_facts(candidate.grid).noise_gain;
  candidate.color_error = kColorErrorShare * color_step * color_step / 12.0F * (2.0F / 3.0F);
  return candidate;
}

void CandidateLists::append_candidates(const Family& family, size_t most,
                                       std::vector<Candidate>& candidates) {
  if (most == 0) {
    return;
  }
  const size_t end = candidates.size() + std::min<size_t>(most, kMaxCandidates);
  for (UsefulMode mode : modes_in_order(mode_group(family))) {
    if (candidates.size() == end) {
      break;
    }
    if (family.mixes_modes()) {
      const auto colors = color_range(
          family.color_values(),
          color_bit_count(mode.entry->weight_bit_count, family.partitions, false, true));
      if (!colors) {
        continue;
      }
      mode.colors = *colors;
    }
    candidates.push_back(make_candidate(mode));
  }
}

}  // namespace tessera::astc
