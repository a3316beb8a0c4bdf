// A weight grid on one block size: how texels and stored weights depend on each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/encode/flat_memory.h"
#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

inline constexpr unsigned kMaxTexels2d = 144;
inline constexpr unsigned kMaxTexels = kMaxBlockTexels;

struct WeightGrid {
  // Something to divide by where no texel counts.
  static constexpr float kLeastCurvature = 1e-6F;

  // Weights that contribute to a texel, with their factors in sixteenths. What is behind the last
  // one has the factor 0. Devices load all of it at once.
  struct alignas(16) Taps {
    std::array<float, 4> factor;
    std::array<uint8_t, 4> grid;
    uint8_t count;
  };
  // The same the other way round: a texel that a weight reaches, with its share of the texel's.
  struct alignas(8) Reach {
    uint32_t texel;
    float share;
  };

  GridSize size;
  bool is_identity = false;         // one weight per texel
  uint8_t shape_slot = 0;           // where PlaneShape::lost has this grid
  float noise_gain = 1;             // see noise_gain()
  FlatArray<Taps> taps;             // of each texel
  FlatArray<Reach> reaches;         // of grid point after grid point
  FlatArray<uint16_t> first_reach;  // of each grid point, and the end
  FlatArray<float> curvature;       // of each grid point: the sum of its squared shares
  // Least squares from texels to grid, one axis at a time: grid.x rows of block.x factors, grid.y
  // rows of block.y factors and, in 3D, grid.z rows of block.z factors. In 3D, where interpolation
  // is no product of the axes', they are near to it.
  FlatArray<float> across;
  FlatArray<float> down;
  FlatArray<float> deep;  // empty in 2D
};

using TexelTaps = std::vector<WeightGrid::Taps>;
TexelTaps texel_taps(BlockSize size, GridSize grid);

// Mean square error of a texel's weight, per that of a stored weight.
float noise_gain(const TexelTaps& taps);

// Along one axis: the share of the energy of each cosine (cosine_rows.h) that interpolation between
// so many grid points can follow. Rows are grid edges from 1 to the block's edge, columns are
// frequencies.
std::vector<float> kept_shares(unsigned block_edge, std::span<const float> cosines);

// Makes the grids of one block size, which share the least squares of their edges.
class WeightGridMaker {
 public:
  explicit WeightGridMaker(BlockSize size) : size_(size) {}

  // `grid` has been placed by the writer.
  void make(GridSize grid_size, const TexelTaps& taps, FlatWriter& writer, WeightGrid& grid);

 private:
  static constexpr unsigned kEdges = 13;  // edges of grids and blocks run to 12
  using Rows = std::vector<float>;
  using RowsOfEdge = std::array<Rows, kEdges>;

  const Rows& least_squares(unsigned block_edge, unsigned grid_edge);

  BlockSize size_;
  std::array<RowsOfEdge, kEdges> rows_;  // by the block's edge
};

}  // namespace tessera::astc
