// Interpolates weights of the grid.
#include "astc/format/infill.h"

#include <algorithm>
#include <utility>

#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

// A texel's place in the grid along one axis: whole steps and sixteenths.
struct GridPosition {
  unsigned whole;
  unsigned fraction;
};

GridPosition grid_position(unsigned texel, unsigned block_edge, unsigned grid_edge) {
  if (block_edge == 1) {
    return {0, 0};
  }
  const unsigned scale = (1024 + block_edge / 2) / (block_edge - 1);
  const unsigned position = (scale * texel * (grid_edge - 1) + 32) >> 6;
  return {position >> 4, position & 0xF};
}

InfillTap tap_2d(GridSize grid, GridPosition s, GridPosition t) {
  const unsigned base = s.whole + t.whole * grid.x;
  const unsigned both = (s.fraction * t.fraction + 8) >> 4;
  const std::array<unsigned, 4> offsets = {0, 1, grid.x, grid.x + 1u};
  const std::array<unsigned, 4> factors = {16 - s.fraction - t.fraction + both, s.fraction - both,
                                           t.fraction - both, both};
  InfillTap tap{};
  for (unsigned i = 0; i < 4; ++i) {
    tap.factor[i] = static_cast<uint8_t>(factors[i]);
    tap.grid[i] = static_cast<uint8_t>(factors[i] != 0 ? base + offsets[i] : 0);
  }
  return tap;
}

// Simplex interpolation walks from the cell's low corner to its high corner, one axis at a time,
// the axis with the largest fraction first. Each corner's factor is the drop from one fraction to
// the next.
InfillTap tap_3d(GridSize grid, GridPosition s, GridPosition t, GridPosition r) {
  struct Axis {
    unsigned fraction;
    unsigned stride;
  };
  std::array<Axis, 3> axes = {
      {{s.fraction, 1}, {t.fraction, grid.x}, {r.fraction, unsigned{grid.x} * grid.y}}};
  std::stable_sort(axes.begin(), axes.end(),
                   [](const Axis& a, const Axis& b) { return a.fraction > b.fraction; });
  const std::array<unsigned, 4> factors = {16 - axes[0].fraction,
                                           axes[0].fraction - axes[1].fraction,
                                           axes[1].fraction - axes[2].fraction, axes[2].fraction};
  unsigned corner = s.whole + (t.whole + r.whole * grid.y) * grid.x;
  InfillTap tap{};
  for (unsigned i = 0; i < 4; ++i) {
    tap.factor[i] = static_cast<uint8_t>(factors[i]);
    tap.grid[i] = static_cast<uint8_t>(factors[i] != 0 ? corner : 0);
    corner += i < 3 ? axes[i].stride : 0;
  }
  return tap;
}

}  // namespace

InfillTap infill_tap(BlockSize size, GridSize grid, unsigned x, unsigned y, unsigned z) {
  const GridPosition s = grid_position(x, size.width, grid.x);
  const GridPosition t = grid_position(y, size.height, grid.y);
  if (!size.is_3d()) {
    return tap_2d(grid, s, t);
  }
  return tap_3d(grid, s, t, grid_position(z, size.depth, grid.z));
}

void make_infill_taps(BlockSize size, GridSize grid, std::span<InfillTap> taps) {
  constexpr size_t kMaxEdge = 12;  // texels
  std::array<GridPosition, kMaxEdge> across;
  for (unsigned x = 0; x < size.width; ++x) {
    across[x] = grid_position(x, size.width, grid.x);
  }
  size_t texel = 0;
  for (unsigned z = 0; z < size.depth; ++z) {
    const GridPosition r = grid_position(z, size.depth, grid.z);
    for (unsigned y = 0; y < size.height; ++y) {
      const GridPosition t = grid_position(y, size.height, grid.y);
      for (unsigned x = 0; x < size.width; ++x) {
        taps[texel++] = size.is_3d() ? tap_3d(grid, across[x], t, r) : tap_2d(grid, across[x], t);
      }
    }
  }
}

InfillTable::InfillTable(BlockSize size) : texel_count_(size.texel_count()) {
  std::array<bool, kEdge * kEdge * kDepth> made{};
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    const GridSize grid = entry.mode.grid;
    if (std::exchange(made[slot(grid)], true)) {
      continue;
    }
    offsets_[slot(grid)] = static_cast<uint32_t>(taps_.size());
    taps_.resize(taps_.size() + texel_count_);
    make_infill_taps(size, grid, std::span(taps_).last(texel_count_));
  }
}

const InfillTable& infill_table(BlockSize size) {
  static PerBlockSize<InfillTable> tables;
  return tables.get(size);
}

}  // namespace tessera::astc
