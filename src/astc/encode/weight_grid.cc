// Makes weight grids: taps and their reverse, and the least squares from texels to grid.
#include "astc/encode/weight_grid.h"

#include <algorithm>

#include "astc/encode/cosine_rows.h"
#include "astc/format/infill.h"

namespace tessera::astc {
namespace {

// Grids have at most 12 weights along an edge, blocks at most 12 texels.
constexpr size_t kMaxEdge = 12;
using Matrix = std::array<std::array<double, kMaxEdge>, kMaxEdge>;

// Solves the symmetric, positive definite system of n rows in place for several right sides, each
// of them a column.
void solve(size_t n, size_t columns, Matrix& matrix, Matrix& right) {
  for (size_t pivot = 0; pivot < n; ++pivot) {
    for (size_t row = 0; row < n; ++row) {
      if (row == pivot) {
        continue;
      }
      const double factor = matrix[row][pivot] / matrix[pivot][pivot];
      for (size_t column = 0; column < n; ++column) {
        matrix[row][column] -= factor * matrix[pivot][column];
      }
      for (size_t column = 0; column < columns; ++column) {
        right[row][column] -= factor * right[pivot][column];
      }
    }
  }
  for (size_t row = 0; row < n; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      right[row][column] /= matrix[row][row];
    }
  }
}

// Along one axis: the grid values whose interpolation is nearest to given texel values, as a
// matrix. The standard rounds products of two axes' factors, so in 2D this is exact but for that.
std::vector<float> least_squares_rows(unsigned block_edge, unsigned grid_edge) {
  const BlockSize line = {block_edge, 1, 1};
  const GridSize grid = {static_cast<uint8_t>(grid_edge), 1, 1};
  Matrix normal{};
  Matrix right{};
  for (unsigned x = 0; x < block_edge; ++x) {
    const InfillTap tap = infill_tap(line, grid, x, 0, 0);
    for (unsigned i = 0; i < 4; ++i) {
      right[tap.grid[i]][x] += tap.factor[i] / 16.0;
      for (unsigned k = 0; k < 4; ++k) {
        normal[tap.grid[i]][tap.grid[k]] += tap.factor[i] * tap.factor[k] / 256.0;
      }
    }
  }
  solve(grid_edge, block_edge, normal, right);
  std::vector<float> rows;
  rows.reserve(size_t{grid_edge} * block_edge);
  for (unsigned row = 0; row < grid_edge; ++row) {
    for (unsigned x = 0; x < block_edge; ++x) {
      rows.push_back(static_cast<float>(right[row][x]));
    }
  }
  return rows;
}

// Taps sorted by grid point; those of one point in the order of their texels.
void place_reaches(const TexelTaps& taps, FlatWriter& writer, WeightGrid& grid) {
  const unsigned points = grid.size.count();
  const std::span<uint16_t> first = writer.place(grid.first_reach, points + 1);
  for (const WeightGrid::Taps& of_texel : taps) {
    for (unsigned k = 0; k < of_texel.count; ++k) {
      ++first[of_texel.grid[k] + 1u];
    }
  }
  for (unsigned i = 0; i < points; ++i) {
    first[i + 1] = static_cast<uint16_t>(first[i + 1] + first[i]);
  }
  const std::span<WeightGrid::Reach> reaches = writer.place(grid.reaches, first[points]);
  const std::span<float> curvature = writer.place(grid.curvature, points);
  std::fill(curvature.begin(), curvature.end(), WeightGrid::kLeastCurvature);
  std::array<uint16_t, kMaxWeights> next;
  std::copy_n(first.begin(), points, next.begin());
  for (size_t t = 0; t < taps.size(); ++t) {
    for (unsigned k = 0; k < taps[t].count; ++k) {
      const unsigned point = taps[t].grid[k];
      const float share = taps[t].factor[k] / 16.0F;
      reaches[next[point]++] = {static_cast<uint32_t>(t), share};
      curvature[point] += share * share;
    }
  }
}

}  // namespace

TexelTaps texel_taps(BlockSize size, GridSize grid) {
  std::array<InfillTap, kMaxTexels> infill;
  make_infill_taps(size, grid, infill);
  TexelTaps result(size.texel_count());
  for (size_t t = 0; t < result.size(); ++t) {
    WeightGrid::Taps& taps = result[t];
    for (unsigned i = 0; i < 4; ++i) {
      // Those of factor 0 are overwritten by the next.
      taps.grid[taps.count & 3] = infill[t].grid[i];
      taps.factor[taps.count & 3] = infill[t].factor[i];
      taps.count = static_cast<uint8_t>(taps.count + (infill[t].factor[i] != 0 ? 1 : 0));
    }
    if (taps.count < 4) {
      taps.grid[taps.count] = 0;  // of any that is left, the factor is 0
    }
  }
  return result;
}

std::vector<float> kept_shares(unsigned block_edge, std::span<const float> cosines) {
  std::vector<float> shares(size_t{block_edge} * block_edge, 0.0F);
  if (shares.empty()) {
    return shares;
  }
  shares[0] = 1;  // one point keeps the mean
  for (unsigned grid_edge = 2; grid_edge <= block_edge; ++grid_edge) {
    std::array<InfillTap, kMaxEdge> taps;
    make_infill_taps({block_edge, 1, 1}, {static_cast<uint8_t>(grid_edge), 1, 1}, taps);
    const std::vector<float> nearest = least_squares_rows(block_edge, grid_edge);
    for (unsigned frequency = 0; frequency < block_edge; ++frequency) {
      const auto cosine = cosines.subspan(size_t{frequency} * block_edge, block_edge);
      std::array<float, kMaxEdge> at_grid{};
      for (unsigned i = 0; i < grid_edge; ++i) {
        for (unsigned x = 0; x < block_edge; ++x) {
          at_grid[i] += nearest[i * block_edge + x] * cosine[x];
        }
      }
      float share = 0;  // the cosine times what interpolation makes of it
      for (unsigned x = 0; x < block_edge; ++x) {
        for (unsigned i = 0; i < 4; ++i) {
          share += cosine[x] * (taps[x].factor[i] / 16.0F) * at_grid[taps[x].grid[i]];
        }
      }
      shares[(grid_edge - 1u) * block_edge + frequency] = share;
    }
  }
  return shares;
}

float noise_gain(const TexelTaps& taps) {
  float gain = 0;
  for (const WeightGrid::Taps& of_texel : taps) {
    for (unsigned i = 0; i < of_texel.count; ++i) {
      gain += of_texel.factor[i] * of_texel.factor[i] / 256.0F;
    }
  }
  return gain / static_cast<float>(taps.size());
}

const WeightGridMaker::Rows& WeightGridMaker::least_squares(unsigned block_edge,
                                                            unsigned grid_edge) {
  Rows& rows = rows_[block_edge][grid_edge];
  if (rows.empty()) {
    rows = least_squares_rows(block_edge, grid_edge);
  }
  return rows;
}

void WeightGridMaker::make(GridSize grid_size, const TexelTaps& taps, FlatWriter& writer,
                           WeightGrid& grid) {
  grid.size = grid_size;
  grid.is_identity = grid_size.count() == size_.texel_count();
  grid.shape_slot = static_cast<uint8_t>(
      ((grid_size.z - 1u) * size_.height + grid_size.y - 1u) * size_.width + grid_size.x - 1u);
  grid.noise_gain = noise_gain(taps);
  writer.place(grid.taps, std::span(taps));
  place_reaches(taps, writer, grid);
  writer.place(grid.across, std::span(least_squares(size_.width, grid_size.x)));
  writer.place(grid.down, std::span(least_squares(size_.height, grid_size.y)));
  if (size_.is_3d()) {
    writer.place(grid.deep, std::span(least_squares(size_.depth, grid_size.z)));
  }
}

}  // namespace tessera::astc
