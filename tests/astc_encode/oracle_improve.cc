// Improves a fit of the plain search by single steps of its weights and colours.
#include <algorithm>

#include "oracle_fit.h"

namespace tessera::astc::oracle {
namespace {

constexpr unsigned kImprovements = 8;  // at most
constexpr unsigned kPolishes = 6;      // at most

// Levels by which a colour value is moved to leave a local minimum.
constexpr std::array kKicks = {-3, -2, -1, 1, 2, 3};

std::array<StoredColors, 4> load(const SymbolicBlock& block) {
  std::array<StoredColors, 4> colors;
  unsigned next = 0;
  for (unsigned p = 0; p < block.partition_count; ++p) {
    std::array<uint8_t, 8> codes{};
    for (unsigned i = 0; i < color_value_count(static_cast<unsigned>(block.endpoint_modes[p]));
         ++i) {
      codes[i] = block.color_codes[next++];
    }
    colors[p] = stored_colors(block.endpoint_modes[p], block.color_range, codes);
  }
  return colors;
}

}  // namespace

bool Fitter::improve_colors(const TexelWeights& weights, PartitionColors& colors, Fit& fit) const {
  bool better = false;
  const ColorTable& table = color_table(fit.block.color_range);
  const auto levels = static_cast<int>(range_levels(fit.block.color_range));
  const auto moved_by = [&](uint8_t code, int step) {
    const int rank = std::clamp(table.rank_of_code[code] + step, 0, levels - 1);
    return table.code_of_rank[static_cast<size_t>(rank)];
  };
  for (unsigned p = 0; p < division_->partitions; ++p) {
    uint32_t error = partition_error(p, colors[p].pair, weights);
    const unsigned values = color_value_count(static_cast<unsigned>(colors[p].mode));
    // Each value alone, and with the next one: most modes store the two ends of a channel in turn.
    for (unsigned i = 0; i < values * 9; ++i) {
      auto codes = colors[p].codes;
      const unsigned value = i / 9;
      codes[value] = moved_by(codes[value], static_cast<int>(i % 3) - 1);
      codes[(value + 1) % values] =
          moved_by(codes[(value + 1) % values], static_cast<int>(i / 3 % 3) - 1);
      if (codes == colors[p].codes) {
        continue;
      }
      const StoredColors moved = stored_colors(colors[p].mode, fit.block.color_range, codes);
      const uint32_t moved_error = partition_error(p, moved.pair, weights, error);
      if (moved_error < error) {
        fit.error -= error - moved_error;
        error = moved_error;
        colors[p] = moved;
        better = true;
      }
    }
  }
  store(colors, division_->partitions, fit.block);
  return better;
}

bool Fitter::improve_weights(const Grid& grid, const PartitionColors& colors, TexelWeights& weights,
                             Fit& fit) const {
  bool better = false;
  const WeightTable& table = weight_table(fit.block.mode.weight_range);
  const auto levels = static_cast<int>(range_levels(fit.block.mode.weight_range));
  const unsigned planes = division_->planes();
  for (unsigned i = 0; i < grid.reaches.size() * planes * 2; ++i) {
    const unsigned w = i / 2 / planes, plane = i / 2 % planes;
    uint8_t& code = fit.block.weight_codes[w * planes + plane];
    const uint8_t old_code = code;
    const int rank = table.rank_of_code[code] + (i % 2 != 0 ? 1 : -1);
    if (rank < 0 || rank >= levels) {
      continue;
    }
    code = table.code_of_rank[static_cast<size_t>(rank)];
    uint32_t before = 0, after = 0;
    std::vector<int> old_weights = weights[plane];
    for (const Grid::Reach& reach : grid.reaches[w]) {
      const EndpointPair& pair = colors[division_->partition_of[reach.texel]].pair;
      before += texel_error(reach.texel, pair, weights);
      weights[plane][reach.texel] =
          texel_weight(grid.taps[reach.texel], fit.block.weight_codes, planes, plane, table);
      after += texel_error(reach.texel, pair, weights);
    }
    if (after < before) {
      fit.error -= before - after;
      better = true;
    } else {
      code = old_code;
      weights[plane].swap(old_weights);
    }
  }
  return better;
}

void Fitter::improve(const Division& division, const Grid& grid, Fit& fit) {
  division_ = &division;
  PartitionColors colors = load(fit.block);
  const WeightTable& table = weight_table(fit.block.mode.weight_range);
  TexelWeights weights;
  for (unsigned plane = 0; plane < division.planes(); ++plane) {
    for (unsigned t = 0; t < texels_.size(); ++t) {
      weights[plane].push_back(
          texel_weight(grid.taps[t], fit.block.weight_codes, division.planes(), plane, table));
    }
  }
  improve(grid, weights, colors, fit);
}

void Fitter::improve(const Grid& grid, TexelWeights& weights, PartitionColors& colors,
                     Fit& fit) const {
  for (unsigned i = 0; i < kImprovements; ++i) {
    const bool weights_moved = improve_weights(grid, colors, weights, fit);
    if (!improve_colors(weights, colors, fit) && !weights_moved) {
      break;
    }
  }
}

Fit Fitter::best_kick(const Grid& grid, const Fit& fit) const {
  const ColorTable& table = color_table(fit.block.color_range);
  const auto levels = static_cast<int>(range_levels(fit.block.color_range));
  Fit best = fit;
  for (unsigned i = 0; i < fit.block.color_value_count() * kKicks.size(); ++i) {
    Fit kicked = fit;
    uint8_t& code = kicked.block.color_codes[i / kKicks.size()];
    const int rank = table.rank_of_code[code] + kKicks[i % kKicks.size()];
    if (rank < 0 || rank >= levels) {
      continue;
    }
    code = table.code_of_rank[static_cast<size_t>(rank)];
    PartitionColors colors = load(kicked.block);
    TexelWeights weights;
    choose_weights(segments_of(colors, division_->partitions), grid, kicked.block, weights);
    kicked.error = block_error(colors, weights);
    improve(grid, weights, colors, kicked);
    if (kicked.error < best.error) {
      best = kicked;
    }
  }
  return best;
}

void Fitter::polish(const Division& division, const Grid& grid, Fit& fit) {
  improve(division, grid, fit);
  for (unsigned i = 0; i < kPolishes; ++i) {
    const Fit next = best_kick(grid, fit);
    if (next.error == fit.error) {
      break;
    }
    fit = next;
  }
}

}  // namespace tessera::astc::oracle
