// How the texels of a plane lie along its line, as far as the estimates need it: how long the line
// is, and how much a coarser weight grid would lose.
#if defined(TESSERA_ASTC_SHAPE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_SHAPE_INL_H_
#undef TESSERA_ASTC_SHAPE_INL_H_
#else
#define TESSERA_ASTC_SHAPE_INL_H_
#endif

#include "astc/encode/encode_tables.h"
#include "astc/encode/encoder_scope.h"
#include "astc/encode/lines-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// How the texels lie along the line of one plane.
struct PlaneShape {
  F32 squared_length;
  // Squared distances from 2, 3, 4 and 5 evenly spaced levels: with so few, what rounding costs
  // depends on where the texels lie. Text has only two positions, and loses nothing.
  static constexpr unsigned kMeasuredRanges = 4;
  F32 rounding[kMeasuredRanges];
  // Energy lost by a grid of (x, y, z): at index ((z − 1)·block.y + y − 1)·block.x + x − 1, which
  // is WeightGrid::shape_slot. No grid of 2D blocks has x or y = 1, and what is there means
  // nothing.
  F32 lost[kLaneTexels];
};

// out[w][v][u] = Σ deep[w][z] · down[v][y] · across[u][x] · in[z][y][x]; `out` may be `in`.
TESSERA_NOINLINE void transform_volume(const AxisMatrices& matrices, KernelSize size, const F32* in,
                                       F32* out) {
  F32 rows[kLaneTexels], layers[kLaneTexels];
  const unsigned layer = size.width * size.height;
  const LineLayout along_rows = {1, size.width}, along_columns = {size.width, 1};
  transform_lines(size.width, matrices.across.data(), size.width, size.row_count(), in, along_rows,
                  rows, along_rows);
  for (unsigned z = 0; z < size.depth; ++z) {
    transform_lines(size.height, matrices.down.data(), size.height, size.width, rows + z * layer,
                    along_columns, layers + z * layer, along_columns);
  }
  transform_lines(size.depth, matrices.deep.data(), size.depth, layer, layers, {layer, 1}, out,
                  {layer, 1});
}

// The same for any block. Of 2D blocks, outputs with u or v below `first` are not written.
TESSERA_SHARED void transform_block(const AxisMatrices& matrices, KernelSize size, unsigned first,
                                    const F32* in, F32* out) {
  if (size.is_3d()) {
    transform_volume(matrices, size, in, out);
    return;
  }
  F32 rows[kLaneTexels];
  const LineLayout along_rows = {1, size.width}, along_columns = {size.width, 1};
  transform_lines(size.width, matrices.across.data() + first * size.width, size.width - first,
                  size.height, in, along_rows, rows + first, along_rows);
  transform_lines(size.height, matrices.down.data() + first * size.height, size.height - first,
                  size.width - first, rows + first, along_columns, out + first * size.width + first,
                  along_columns);
}

// The same with cosines, for all outputs.
TESSERA_SHARED void transform_to_cosines(const AxisMatrices& matrices, KernelSize size,
                                         const F32* in, F32* out) {
  if (size.is_3d()) {
    transform_volume(matrices, size, in, out);
    return;
  }
  F32 rows[kLaneTexels];
  transform_cosines(size.width, matrices.across.data(), size.height, in, rows, {1, size.width});
  transform_cosines(size.height, matrices.down.data(), size.width, rows, out, {size.width, 1});
}

// Turns coefficients into the energy that is lost by each grid: of each frequency, the grid keeps a
// share that is the product of those along the axes.
TESSERA_INLINE void lost_energies(const EncodeTables& tables, KernelSize size, F32* energy) {
  F32 all = all_lanes_f32(0);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    energy[i] = energy[i] * energy[i];
    all = all + energy[i];
  }
  constexpr unsigned kSmallestGrid = 2;  // an edge of it
  transform_block(tables.kept, size, kSmallestGrid - 1, energy, energy);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    energy[i] = all - energy[i];
  }
}

// A value of a texel, times the texel's share where there are shares.
template <bool kHasShares>
TESSERA_INLINE F32 counted(F32 value, const F32* shares, unsigned texel) {
  if constexpr (kHasShares) {
    return value * shares[texel];
  }
  return value;
}

// For each number of levels: the nearest level of each texel, then the straight line from levels to
// positions by least squares, as fitting will move the ends (with two levels to the means of both
// halves, a quarter of the error if positions are spread evenly). A texel counts by its share,
// where texels have shares, which are 1 in the mean.
template <bool kHasShares>
TESSERA_NOINLINE void measure_rounding(KernelSize size, const F32* position, const F32* shares,
                                       F32 low, F32 length, PlaneShape& shape) {
  const F32 per_length = all_lanes_f32(1) / lanes::max(length, all_lanes_f32(0.125F));
  const F32 per_texel = all_lanes_f32(1.0F / static_cast<float>(size.texel_count()));
  F32 place[kLaneTexels];  // 0…1
  F32 p = all_lanes_f32(0), pp = p;
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    place[i] = (position[i] - low) * per_length;
    const F32 q = counted<kHasShares>(place[i], shares, i);
    p = p + q;
    pp = pp + q * place[i];
  }
  pp = pp - p * p * per_texel;
  for (unsigned range = 0; range < PlaneShape::kMeasuredRanges; ++range) {
    const F32 steps = all_lanes_f32(static_cast<float>(range + 1));
    F32 l = all_lanes_f32(0), ll = l, lp = l;
    for (unsigned i = 0; i < size.texel_count(); ++i) {
      const F32 level = lanes::truncate(place[i] * steps + all_lanes_f32(0.5F));
      const F32 q = counted<kHasShares>(level, shares, i);
      l = l + q;
      ll = ll + q * level;
      lp = lp + q * place[i];
    }
    ll = lanes::max(ll - l * l * per_texel, all_lanes_f32(0.01F));
    lp = lp - l * p * per_texel;
    const F32 rest = lanes::max(pp - lp * lp * lanes::quick_reciprocal(ll), all_lanes_f32(0));
    shape.rounding[range] = rest * length * length;
  }
}

// `rounds`: the rounding errors are wanted, too. `shares` may be null: all texels count the same.
TESSERA_SHARED void measure_shape(const EncodeTables& tables, KernelSize size, bool rounds,
                                  const F32* position, const F32* shares, PlaneShape& shape) {
  F32 low = all_lanes_f32(1e30F), high = all_lanes_f32(-1e30F);
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    low = lanes::min(low, position[i]);
    high = lanes::max(high, position[i]);
  }
  shape.squared_length = (high - low) * (high - low);
  if (rounds && kEncodesAll && shares == nullptr) {
    measure_rounding<false>(size, position, nullptr, low, high - low, shape);
  } else if (rounds) {
    F32 equal[kLaneTexels];  // what is compiled for browsers has one copy of the function alone
    for (unsigned i = 0; shares == nullptr && i < size.texel_count(); ++i) {
      equal[i] = all_lanes_f32(1);
    }
    measure_rounding<true>(size, position, shares == nullptr ? equal : shares, low, high - low,
                           shape);
  }
  transform_to_cosines(tables.cosines, size, position, shape.lost);
  lost_energies(tables, size, shape.lost);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_SHAPE_INL_H_
