// How the texels of a plane lie along its line, as far as the estimates need it: how long the line
// is, and how much a coarser weight grid would lose.
#if defined(TESSERA_ASTC_SHAPE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_SHAPE_INL_H_
#undef TESSERA_ASTC_SHAPE_INL_H_
#else
#define TESSERA_ASTC_SHAPE_INL_H_
#endif

#include "astc/encode/candidates.h"
#include "astc/encode/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// How the texels lie along the line of one plane.
struct PlaneShape {
  F32 squared_length;
  // Squared distances from the nearest of 2, 3, 4 and 5 evenly spaced levels: with so few, what
  // rounding costs depends on where the texels lie. Text has only two positions, and loses nothing.
  static constexpr unsigned kMeasuredRanges = 4;
  F32 rounding[kMeasuredRanges];
  // Energy lost by a grid of (x, y): at index (y − 1)·block.x + x − 1.
  F32 lost[kMaxTexels2d];
};

// coefficient[v][u] = Σ down[v][y] · across[u][x] · position[y][x]
HWY_INLINE void frequencies(const CandidateTable& table, BlockSize size, const F32* position,
                            F32* coefficient) {
  F32 rows[kMaxTexels2d];
  const LineLayout along_rows = {1, size.x}, along_columns = {size.x, 1};
  transform_lines(size.x, table.cosines_across(), size.x, size.y, position, along_rows, rows,
                  along_rows);
  transform_lines(size.y, table.cosines_down(), size.y, size.x, rows, along_columns, coefficient,
                  along_columns);
}

// Turns coefficients into the energy that is lost by keeping the first x · y of them.
HWY_INLINE void lost_energies(BlockSize size, F32* energy) {
  const F32 zero = all_lanes_f32(0);
  for (unsigned v = 0; v < size.y; ++v) {
    F32 row = zero;
    for (unsigned u = 0; u < size.x; ++u) {
      row = row + energy[v * size.x + u] * energy[v * size.x + u];
      energy[v * size.x + u] = v == 0 ? row : row + energy[(v - 1) * size.x + u];
    }
  }
  const F32 all = energy[size.texel_count() - 1];
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    energy[i] = all - energy[i];
  }
}

HWY_NOINLINE inline void measure_rounding(BlockSize size, const F32* position, F32 low, F32 length,
                                          PlaneShape& shape) {
  const F32 per_length = all_lanes_f32(1) / lanes::max(length, all_lanes_f32(0.125F));
  for (unsigned range = 0; range < PlaneShape::kMeasuredRanges; ++range) {
    const auto steps = static_cast<float>(range + 1);
    const F32 scale = per_length * all_lanes_f32(steps);
    F32 sum = all_lanes_f32(0);
    for (unsigned i = 0; i < size.texel_count(); ++i) {
      const F32 place = (position[i] - low) * scale;
      const F32 nearest = lanes::to_f32(lanes::truncate_to_i32(place + all_lanes_f32(0.5F)));
      sum = sum + (place - nearest) * (place - nearest);
    }
    shape.rounding[range] = sum * length * length * all_lanes_f32(1 / (steps * steps));
  }
}

// `rounds`: the rounding errors are wanted, too.
HWY_INLINE void measure_shape(const CandidateTable& table, BlockSize size, bool rounds,
                              const F32* position, PlaneShape& shape) {
  F32 low = all_lanes_f32(1e30F), high = all_lanes_f32(-1e30F);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    low = lanes::min(low, position[i]);
    high = lanes::max(high, position[i]);
  }
  shape.squared_length = (high - low) * (high - low);
  if (rounds) {
    measure_rounding(size, position, low, high - low, shape);
  }
  frequencies(table, size, position, shape.lost);
  lost_energies(size, shape.lost);
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_SHAPE_INL_H_
