// Finds the useful block modes of each family, and orders them.
#include "astc/encode/candidate_lists.h"

#include <algorithm>
#include <utility>

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

// Something for each grid and weight range of a block size, with room for the neighbours behind the
// last ones.
template <class T>
class ByMode {
 public:
  ByMode(BlockSize size, T value)
      : down_(size.height + 2u), values_((size.width + 2u) * down_ * kRanges, value) {}
  T& at(unsigned x, unsigned y, unsigned range) {
    return values_[(x * down_ + y) * kRanges + range];
  }
  T& at(const BlockMode& mode) {
    return at(mode.grid.x, mode.grid.y, range_index(mode.weight_range));
  }

 private:
  static constexpr size_t kRanges = kWeightRangeCount + 1;
  size_t down_;
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

// A stored luminance serves three channels.
unsigned decoded_channels(ColorClass color_class) {
  return static_cast<unsigned>(color_class) % 2 == 0 ? 3 : 4;
}

// The most colours that are left by a mode with a larger grid or more levels.
int most_colors_behind(ByMode<int>& most_colors, unsigned x, unsigned y, unsigned range) {
  return std::max({most_colors.at(x + 1, y, range), most_colors.at(x, y + 1, range),
                   most_colors.at(x, y, range + 1)});
}

}  // namespace

CandidateLists::CandidateLists(BlockSize size)
    : size_(size), model_(size), modes_{distinct_modes(size, false), distinct_modes(size, true)} {
  // All families are looked at, so that grids have the same order whatever is asked for.
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family& family = family_of_index(index);
    const ModeKey key = key_of(family);
    const bool is_known = std::any_of(useful_.begin(), useful_.end(),
                                      [&](const UsefulModes& u) { return u.key == key; });
    if (!family.mixes_modes() && !is_known) {
      useful_.push_back({key, useful_modes(family)});
    }
  }
  grid_facts_.resize(grids_.size());
}

// The modes that leave room for the colours of a family, but for those that are worse than another
// one in every way.
std::vector<CandidateLists::UsefulMode> CandidateLists::useful_modes(const Family& family) {
  std::vector<UsefulMode> useful;
  ByMode<int> most_colors(size_, -1);  // of modes with at least that grid and range; -1: none
  for (const BlockModeTable::Entry* entry : modes_[family.dual_plane ? 1 : 0]) {
    const int bits =
        color_bit_count(entry->weight_bit_count, family.partitions, family.dual_plane, false);
    if (const auto colors = color_range(family.color_values(), bits)) {
      useful.push_back({entry, *colors, 0});
      most_colors.at(entry->mode) = static_cast<int>(*colors);
    }
  }
  for (unsigned x = size_.width; x > 0; --x) {
    for (unsigned y = size_.height; y > 0; --y) {
      for (unsigned range = kWeightRangeCount; range-- > 0;) {
        int& most = most_colors.at(x, y, range);
        most = std::max(most, most_colors_behind(most_colors, x, y, range));
      }
    }
  }
  std::erase_if(useful, [&](const UsefulMode& candidate) {
    const BlockMode& mode = candidate.entry->mode;
    return most_colors_behind(most_colors, mode.grid.x, mode.grid.y,
                              range_index(mode.weight_range)) >= static_cast<int>(candidate.colors);
  });
  for (UsefulMode& mode : useful) {
    mode.grid = grid_index(mode.entry->mode.grid);
  }
  return useful;
}

uint16_t CandidateLists::grid_index(GridSize grid) {
  const auto found = std::find(grids_.begin(), grids_.end(), grid);
  const auto index = static_cast<uint16_t>(found - grids_.begin());
  if (found == grids_.end()) {
    grids_.push_back(grid);
  }
  return index;
}

const CandidateLists::GridFacts& CandidateLists::grid_facts(size_t grid) {
  GridFacts& facts = grid_facts_[grid];
  if (facts.taps.empty()) {
    facts.taps = texel_taps(size_, grids_[grid]);
    facts.noise_gain = noise_gain(facts.taps);
    facts.losses = model_.losses(grids_[grid]);
  }
  return facts;
}

void CandidateLists::estimate_errors(Candidate& candidate) {
  const float weight_step = 1.0F / static_cast<float>(range_levels(candidate.weight_range) - 1);
  const float color_step = 255.0F / static_cast<float>(range_levels(candidate.color_range) - 1);
  candidate.weight_error =
      kWeightErrorShare * weight_step * weight_step / 12.0F * grid_facts(candidate.grid).noise_gain;
  candidate.color_error = kColorErrorShare * color_step * color_step / 12.0F * (2.0F / 3.0F);
}

CandidatePicker& CandidateLists::picker_of(const Family& family) {
  const ModeKey key = key_of(family);
  const unsigned channels = decoded_channels(family.color_class);
  for (PickedList& list : lists_) {
    if (list.key == key && list.channels == channels) {
      return list.picker;
    }
  }
  std::vector<Candidate> all;
  std::vector<const ModelLosses*> losses;
  const auto useful = std::find_if(useful_.begin(), useful_.end(),
                                   [&](const UsefulModes& u) { return u.key == key; });
  for (const UsefulMode& mode : useful->modes) {
    Candidate& candidate = all.emplace_back();
    candidate.mode_bits = mode.entry->mode_bits;
    candidate.grid = mode.grid;
    candidate.weight_range = mode.entry->mode.weight_range;
    candidate.color_range = mode.colors;
    candidate.weight_bit_count = mode.entry->weight_bit_count;
    estimate_errors(candidate);
    losses.push_back(&grid_facts(mode.grid).losses);
  }
  lists_.push_back({key, channels, CandidatePicker(std::move(all), losses, channels)});
  return lists_.back().picker;
}

std::vector<Candidate> CandidateLists::candidates(const Family& family, size_t most) {
  most = std::min<size_t>(most, kMaxCandidates);
  if (!family.mixes_modes()) {
    const std::vector<Candidate>& picked = picker_of(family).pick(most);
    return {picked.begin(), picked.begin() + static_cast<ptrdiff_t>(std::min(most, picked.size()))};
  }
  // The modes of blocks that store all partitions in the reduced way, which leave the most room, in
  // their order.
  Family reduced = family;
  reduced.saved_pairs =
      static_cast<uint8_t>(static_cast<unsigned>(family.reduced_storage()) * family.partitions);
  CandidatePicker& picker = picker_of(reduced);
  std::vector<Candidate> result;
  for (size_t i = 0; i < kMaxCandidates && result.size() < most; ++i) {
    const std::vector<Candidate>& picked = picker.pick(i + 1);
    if (picked.size() <= i) {
      break;
    }
    Candidate candidate = picked[i];
    const auto colors = color_range(
        family.color_values(),
        color_bit_count(candidate.weight_bit_count, family.partitions, family.dual_plane, true));
    if (colors) {
      candidate.color_range = *colors;
      estimate_errors(candidate);
      result.push_back(candidate);
    }
  }
  return result;
}

}  // namespace tessera::astc
