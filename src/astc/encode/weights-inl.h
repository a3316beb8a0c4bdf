// Weights: from ideal ones of texels to stored ones of the grid, and back.
#if defined(TESSERA_ASTC_WEIGHTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_WEIGHTS_INL_H_
#undef TESSERA_ASTC_WEIGHTS_INL_H_
#else
#define TESSERA_ASTC_WEIGHTS_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/lines-inl.h"
#include "astc/encode/round_weights-inl.h"
#include "astc/encode/weight_grid.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Least squares from texels to grid points: along rows, then columns, then from slice to slice.
TESSERA_NOINLINE void decimate_volume(const WeightGrid& grid, KernelSize size,
                                      const F32* texel_weight, F32* grid_weight) {
  F32 rows[kLaneTexels], layers[kLaneTexels];
  const unsigned width = grid.size.x, layer = width * grid.size.y;
  transform_lines(size.width, grid.across.data(), width, size.row_count(), texel_weight,
                  {1, size.width}, rows, {1, width});
  for (unsigned z = 0; z < size.depth; ++z) {
    transform_lines(size.height, grid.down.data(), grid.size.y, width,
                    rows + z * size.height * width, {width, 1}, layers + z * layer, {width, 1});
  }
  transform_lines(size.depth, grid.deep.data(), grid.size.z, layer, layers, {layer, 1}, grid_weight,
                  {layer, 1});
}

TESSERA_NOINLINE void decimate(const WeightGrid& grid, KernelSize size, const F32* texel_weight,
                               F32* grid_weight) {
  if (size.is_3d()) {
    decimate_volume(grid, size, texel_weight, grid_weight);
    return;
  }
  F32 rows[kLaneTexels];
  const unsigned width = grid.size.x;
  transform_lines(size.width, grid.across.data(), width, size.height, texel_weight, {1, size.width},
                  rows, {1, width});
  transform_lines(size.height, grid.down.data(), grid.size.y, width, rows, {width, 1}, grid_weight,
                  {width, 1});
}

// The weights that contribute to a texel, times their factors: whole numbers below 2^24.
TESSERA_INLINE F32 sum_of_taps(const WeightGrid::Taps& of_texel, const F32* grid_weight) {
  if constexpr (kForDevice) {
    const WeightGrid::Taps taps = of_texel;
    F32 sum = all_lanes_f32(0);
    for (unsigned k = 0; k < 4; ++k) {
      sum = sum + grid_weight[taps.grid[k]] * all_lanes_f32(taps.factor[k]);
    }
    return sum;
  } else {
    F32 sum = grid_weight[of_texel.grid[0]] * all_lanes_f32(of_texel.factor[0]);
    for (unsigned k = 1; k < of_texel.count; ++k) {
      sum = sum + grid_weight[of_texel.grid[k]] * all_lanes_f32(of_texel.factor[k]);
    }
    return sum;
  }
}

// Moves rounded grid weights one after the other to the level that brings the texels' weights
// nearest to the ideal ones, given the others: what rounding each by itself leaves is corrected by
// its neighbours. `importance` is the squared length of a texel's line, null where all texels are
// on one line; a sweep goes over all weights.
template <bool kWeighs>
TESSERA_NOINLINE void descend(const WeightGrid& grid, const LaneLevels& levels, const F32* ideal,
                              const F32* importance, unsigned sweeps, F32* grid_weight) {
  const auto texel_count = static_cast<unsigned>(grid.taps.size());
  const WeightGrid::Taps* const all_taps = grid.taps.data();
  const WeightGrid::Reach* const reaches = grid.reaches.data();
  const uint16_t* const first_reach = grid.first_reach.data();
  F32 rest[kLaneTexels];  // ideal − present, times importance
  for (unsigned t = 0; t < texel_count; ++t) {
    const F32 sum = sum_of_taps(all_taps[t], grid_weight);
    rest[t] = ideal[t] - sum * all_lanes_f32(1.0F / 16);
    if constexpr (kWeighs) {
      rest[t] = rest[t] * importance[t];
    }
  }
  for (unsigned sweep = 0; sweep < sweeps; ++sweep) {
    for (unsigned i = 0; i < grid.size.count(); ++i) {
      const WeightGrid::Reach* const first = reaches + first_reach[i];
      const WeightGrid::Reach* const end = reaches + first_reach[i + 1];
      F32 slope = all_lanes_f32(0), curvature = all_lanes_f32(WeightGrid::kLeastCurvature);
      for (const WeightGrid::Reach* r = first; r != end; ++r) {
        slope = slope + rest[r->texel] * all_lanes_f32(r->share);
        if constexpr (kWeighs) {
          curvature = curvature + importance[r->texel] * all_lanes_f32(r->share * r->share);
        }
      }
      // Where all texels count alike, the same number by the same way: a block must not depend on
      // what others of its chunk are.
      if constexpr (!kWeighs) {
        curvature = all_lanes_f32(grid.curvature[i]);
      }
      const F32 way = slope * lanes::quick_reciprocal(curvature);
      const F32 moved = quantize_weight(grid_weight[i] + way, levels);
      const F32 step = moved - grid_weight[i];
      grid_weight[i] = moved;
      for (const WeightGrid::Reach* r = first; r != end; ++r) {
        const F32 change = step * all_lanes_f32(r->share);
        rest[r->texel] = rest[r->texel] - (kWeighs ? change * importance[r->texel] : change);
      }
    }
  }
}

// The decoder's interpolation, exact: whole numbers below 2^24.
TESSERA_NOINLINE void infill(const WeightGrid& grid, const F32* grid_weight, F32* texel_weight) {
  const size_t texel_count = grid.taps.size();
  const WeightGrid::Taps* const all_taps = grid.taps.data();
  for (size_t i = 0; i < texel_count; ++i) {
    const F32 sum = sum_of_taps(all_taps[i], grid_weight) + all_lanes_f32(8);
    texel_weight[i] = lanes::truncate(sum * all_lanes_f32(1.0F / 16));
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_WEIGHTS_INL_H_
