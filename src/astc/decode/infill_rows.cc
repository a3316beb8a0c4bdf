// Lays infill tables out for vectors.
#include "astc/decode/infill_rows.h"

#include <algorithm>

#include "astc/format/infill.h"
#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

constexpr unsigned kGroupTexels = 8;
constexpr uint8_t kSelectZero = 0x80;

// The first weight that a texel at the block's left or upper edge (x or y is 0) uses. There its
// factor is never zero, so the tap tells its position.
unsigned first_position(BlockSize size, GridSize grid, unsigned x, unsigned y) {
  return infill_tap(size, grid, x, y, 0).grid[0];
}

void make_columns(BlockSize size, GridSize grid, InfillGrid& out) {
  for (unsigned x = 0; x < out.groups * kGroupTexels; ++x) {
    InfillColumns& columns = out.columns[x / kGroupTexels];
    const unsigned left = x < size.width ? first_position(size, grid, x, 0) : 0;
    const unsigned right = std::min(left + 1, grid.x - 1u);  // beyond the edge the factor is zero
    const unsigned lane = x % kGroupTexels * 2;
    columns.left[lane] = static_cast<uint8_t>(left);
    columns.left[lane + 1] = kSelectZero;
    columns.right[lane] = static_cast<uint8_t>(right);
    columns.right[lane + 1] = kSelectZero;
  }
}

void make_row(BlockSize size, GridSize grid, unsigned y, InfillGrid& out) {
  const unsigned upper = first_position(size, grid, 0, y) / grid.x;
  const unsigned lower = std::min(upper + 1, grid.y - 1u);
  out.upper_row[y] = static_cast<uint8_t>(upper * grid.x);
  out.lower_row[y] = static_cast<uint8_t>(lower * grid.x);
  for (unsigned group = 0; group < out.groups; ++group) {
    InfillFactors factors{};
    for (unsigned lane = 0; lane < kGroupTexels; ++lane) {
      const unsigned x = group * kGroupTexels + lane;
      if (x < size.width) {
        const InfillTap tap = infill_tap(size, grid, x, y, 0);
        factors.upper_left[lane] = tap.factor[0];
        factors.upper_right[lane] = tap.factor[1];
        factors.lower_left[lane] = tap.factor[2];
        factors.lower_right[lane] = tap.factor[3];
      }
    }
    out.factors.push_back(factors);
  }
}

}  // namespace

InfillRows::InfillRows(BlockSize size) : grids_(kEdge * kEdge) {
  for (const BlockModeTable::Entry& entry : block_mode_table(size).entries()) {
    const GridSize grid = entry.mode.grid;
    InfillGrid& out = grids_[slot(grid)];
    if (out.groups != 0) {
      continue;
    }
    out.groups = static_cast<uint8_t>((size.width + kGroupTexels - 1) / kGroupTexels);
    out.is_identity = grid.x == size.width && grid.y == size.height;
    make_columns(size, grid, out);
    for (unsigned y = 0; y < size.height; ++y) {
      make_row(size, grid, y, out);
    }
  }
}

const InfillRows& infill_rows(BlockSize size) {
  static PerBlockSize<InfillRows> tables;
  return tables.get(size);
}

}  // namespace tessera::astc
