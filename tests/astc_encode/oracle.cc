// Tries every pattern, block mode and way to store colours of one block.
#include "oracle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "astc/decode/reference_decode.h"
#include "astc/decode/sample_conversion.h"
#include "astc/encode/usable_seeds.h"
#include "astc/format/block_mode.h"
#include "astc/format/symbolic_block.h"
#include "oracle_colors.h"
#include "oracle_fit.h"
#include "oracle_lines.h"

namespace tessera::astc::oracle {
namespace {

// Block modes that share a weight grid and a number of planes.
struct ModeGroup {
  GridSize size;
  bool dual_plane;
  Grid grid;
  std::vector<BlockMode> modes;
};

std::vector<ModeGroup> group_modes(BlockSize size) {
  std::vector<ModeGroup> groups;
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    const BlockMode& mode = entry.mode;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ModeGroup& g) {
      return g.size == mode.grid && g.dual_plane == mode.dual_plane;
    });
    if (group == groups.end()) {
      groups.push_back({mode.grid, mode.dual_plane, make_grid(size, mode.grid), {}});
      group = groups.end() - 1;
    }
    // Some modes have more than one spelling.
    if (std::find(group->modes.begin(), group->modes.end(), mode) == group->modes.end()) {
      group->modes.push_back(mode);
    }
  }
  // Fine grids first: they more often lead to an error that rules out others.
  std::stable_sort(groups.begin(), groups.end(), [](const ModeGroup& a, const ModeGroup& b) {
    return a.size.count() > b.size.count();
  });
  return groups;
}

std::vector<unsigned> second_planes(Content content) {
  switch (content) {
    case Content::kGrey:
      return {};
    case Content::kGreyAlpha:
      return {3};
    case Content::kRgb:
      return {0, 1, 2};
    case Content::kRgba:
      break;
  }
  return {0, 1, 2, 3};
}

class Search {
 public:
  Search(std::span<const Rgba> texels, BlockSize size, const Options& options)
      : texels_(texels),
        size_(size),
        options_(options),
        fitter_(texels, size),
        groups_(group_modes(size)),
        samples_(
            texels.size() *
            (fitter_.content() == Content::kRgb || fitter_.content() == Content::kGrey ? 3 : 4)) {}

  Found run() {
    list_divisions();
    for (size_t i = 0; i < divisions_.size() && promises(divisions_[i].first); ++i) {
      fitter_.start(divisions_[i].second);
      for (const ModeGroup& group : groups_) {
        try_group(divisions_[i].second, group);
      }
    }
    for (Kept& kept : kept_) {
      fitter_.improve(*kept.division, kept.group->grid, kept.fit);
    }
    std::stable_sort(kept_.begin(), kept_.end(), by_error);
    const size_t polished = std::min<size_t>(options_.polished, kept_.size());
    for (size_t i = 0; i < polished && kept_.front().fit.error > 0; ++i) {
      fitter_.polish(*kept_[i].division, kept_[i].group->grid, kept_[i].fit);
    }
    for (const Kept& kept : kept_) {
      take(kept.fit);
    }
    return {best_.error, pack_block(best_.block, size_).value(), fits_};
  }

 private:
  struct Kept {
    Fit fit;
    const Division* division;
    const ModeGroup* group;
  };

  static bool by_error(const Kept& a, const Kept& b) { return a.fit.error < b.fit.error; }

  void list_divisions() {
    const auto add = [&](unsigned partitions, unsigned seed, unsigned plane2) {
      Division division = divide(size_, partitions, seed, plane2);
      const double residual = division_residual(texels_, division);
      divisions_.emplace_back(residual, std::move(division));
    };
    const auto add_all = [&](unsigned plane2, unsigned max_partitions) {
      add(1, 0, plane2);
      for (unsigned partitions = 2; partitions <= max_partitions; ++partitions) {
        for (const unsigned seed : usable_seeds(size_, partitions)) {
          add(partitions, seed, plane2);
        }
      }
    };
    add_all(Division::kNone, options_.max_partitions);
    for (const unsigned plane2 : second_planes(fitter_.content())) {
      add_all(plane2, options_.max_dual_plane_partitions);
    }
    std::stable_sort(divisions_.begin(), divisions_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
  }

  bool promises(double residual) const {
    return !options_.prune || error_bound(residual, samples_) < best_.error;
  }

  void try_group(const Division& division, const ModeGroup& group) {
    if (group.dual_plane != (division.planes() == 2)) {
      return;
    }
    if (options_.prune && group.size.count() < texels_.size() &&
        !promises(grid_residual(texels_, division, size_, group.size))) {
      return;
    }
    for (const BlockMode& mode : group.modes) {
      for (const ColorPlan& plan : color_plans(fitter_.content(), division.partitions, mode)) {
        ++fits_;
        // Further rounds of least squares hardly ever halve an error.
        const double hopeless = options_.prune ? 2.0 * best_.error : UINT32_MAX;
        keep({fitter_.fit(mode, group.grid, plan, hopeless), &division, &group});
      }
    }
  }

  // Into the list of the best, which is sorted.
  void keep(const Kept& candidate) {
    const bool is_full = kept_.size() == options_.refined;
    if (candidate.fit.error == UINT32_MAX ||
        (is_full && candidate.fit.error >= kept_.back().fit.error)) {
      return;
    }
    if (candidate.fit.error < best_.error) {
      Fit improved = candidate.fit;
      fitter_.improve(*candidate.division, candidate.group->grid, improved);
      take(improved);
    }
    kept_.insert(std::upper_bound(kept_.begin(), kept_.end(), candidate, by_error), candidate);
    if (kept_.size() > options_.refined) {
      kept_.pop_back();
    }
  }

  void take(const Fit& fit) {
    if (fit.error < best_.error) {
      best_ = fit;
    }
  }

  std::span<const Rgba> texels_;
  BlockSize size_;
  Options options_;
  Fitter fitter_;
  std::vector<ModeGroup> groups_;
  size_t samples_;
  std::vector<std::pair<double, Division>> divisions_;  // with their residuals
  std::vector<Kept> kept_;
  Fit best_;
  uint64_t fits_ = 0;
};

}  // namespace

Found search_block(std::span<const Rgba> texels, BlockSize size, const Options& options) {
  return Search(texels, size, options).run();
}

uint32_t squared_error(const Block128& bits, std::span<const Rgba> texels, BlockSize size) {
  std::vector<Texel> decoded(size.texel_count());
  decode_block(bits, size, DecodeMode::kLdrFloat16, decoded);
  uint32_t sum = 0;
  for (size_t t = 0; t < texels.size(); ++t) {
    for (unsigned i = 0; i < 4; ++i) {
      const int difference = texels[t][i] - unorm16_to_unorm8(decoded[t].rgba[i]);
      sum += static_cast<uint32_t>(difference * difference);
    }
  }
  return sum;
}

}  // namespace tessera::astc::oracle
