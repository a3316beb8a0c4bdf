// Fitting, weights: the ideal ones between given endpoints, and rounded ones of the grid.
#if defined(TESSERA_ASTC_FIT_WEIGHTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_WEIGHTS_INL_H_
#undef TESSERA_ASTC_FIT_WEIGHTS_INL_H_
#else
#define TESSERA_ASTC_FIT_WEIGHTS_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Rounded weights of the grid, as the decoder sees them, for the ideal ones of the texels.
template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::fit_grid(unsigned plane, F32* grid_weight) const {
  const LaneLevels& levels = batch_.levels;
  const F32* ideal = texels_.weight[plane];
  if (Shape::is_identity(batch_.grid)) {
    TESSERA_UNROLL
    for (unsigned t = 0; t < texel_count(); ++t) {
      grid_weight[t] = quantize_weight(ideal[t], levels);
    }
    return;
  }
  decimate(batch_.grid, batch_.context.size, ideal, grid_weight);
  for (unsigned i = 0; i < batch_.grid.size.count(); ++i) {
    grid_weight[i] = quantize_weight(grid_weight[i], levels);
  }
  const unsigned sweeps = batch_.context.weight_sweeps;
  if (sweeps == 0) {
    return;
  }
  if (!is_divided() && !inside_.test) {
    descend<false>(batch_.grid, levels, ideal, nullptr, sweeps, grid_weight);
    return;
  }
  F32 importance[kLaneTexels];
  TESSERA_UNROLL
  for (unsigned t = 0; t < texel_count(); ++t) {
    importance[t] = inside_.keep(
        t, is_divided() ? of_part(t, [&](unsigned p) { return squared_length_[plane][p]; })
                        : all_lanes_f32(1));
  }
  descend<true>(batch_.grid, levels, ideal, importance, sweeps, grid_weight);
}

// Replaces ideal weights of texels by what the decoder makes of rounded ones.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::round_weights() {
  F32 grid_weight[kLaneTexels];
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    if (Shape::is_identity(batch_.grid)) {
      fit_grid(plane, texels_.weight[plane]);
    } else {
      fit_grid(plane, grid_weight);
      infill(batch_.grid, grid_weight, texels_.weight[plane]);
    }
  }
}

template <class Shape>
TESSERA_INLINE void Fit<Shape>::project(unsigned plane, unsigned p, Projection& result) const {
  result.squared_length = result.start = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const F32 step = in_plane(plane, i, rounded_.ends[p].high[i] - rounded_.ends[p].low[i]);
    result.direction[i] = weigh(i, step);
    result.squared_length = result.squared_length + result.direction[i] * step;
    result.start = result.start + rounded_.ends[p].low[i] * result.direction[i];
  }
}

// Ideal weights between given endpoints.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::weights_between() {
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    Projection of[kParts];
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      project(plane, p, of[p]);
      squared_length_[plane][p] = of[p].squared_length;
    }
    if (texels_.weighs_by_alpha) {
      weights_between_by_alpha(plane, of);
      continue;
    }
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      const F32 scale = safe_ratio(all_lanes_f32(64), of[p].squared_length);
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        of[p].direction[i] = of[p].direction[i] * scale;
      }
      of[p].start = of[p].start * scale;
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < texel_count(); ++t) {
      texels_.weight[plane][t] =
          of_part(t, [&](unsigned p) { return position(t, of[p].direction) - of[p].start; });
    }
  }
}

// Colours count by the texel's alpha, alpha itself fully.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::weights_between_by_alpha(unsigned plane, const Projection* of) {
  TESSERA_UNROLL
  for (unsigned t = 0; t < texel_count(); ++t) {
    texels_.weight[plane][t] = of_part(t, [&](unsigned p) {
      const F32 step = in_plane(
          plane, kAlphaSlot % kSlots,
          rounded_.ends[p].high[kAlphaSlot % kSlots] - rounded_.ends[p].low[kAlphaSlot % kSlots]);
      const F32 alpha_direction = of[p].direction[kAlphaSlot % kSlots];
      const F32 alpha_length = alpha_direction * step;
      const F32 alpha_position =
          (texels_.x.at(kAlphaSlot % kSlots, t) - rounded_.ends[p].low[kAlphaSlot % kSlots]) *
          alpha_direction;
      const F32 all = position(t, of[p].direction) - of[p].start;
      const F32 length = (of[p].squared_length - alpha_length) * texels_.visible[t] + alpha_length;
      return safe_ratio(
          ((all - alpha_position) * texels_.visible[t] + alpha_position) * all_lanes_f32(64),
          length);
    });
  }
}

// Ideal weights of texels become rounded ones of the grid, and texels_.weight what the decoder
// sees.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::store_weights(FitResult& result) {
  F32 grid_weight[kLaneTexels];
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    F32* const rounded = Shape::is_identity(batch_.grid) ? texels_.weight[plane] : grid_weight;
    fit_grid(plane, rounded);
    const unsigned points =
        Shape::is_identity(batch_.grid) ? texel_count() : batch_.grid.size.count();
    if (Shape::needs_codes(batch_.context)) {
      TESSERA_UNROLL
      for (unsigned i = 0; i < points; ++i) {
        result.weights[i * kPlanes + plane] = rounded[i];
      }
    }
    if (Shape::needs_error(batch_.context) && !Shape::is_identity(batch_.grid)) {
      infill(batch_.grid, grid_weight, texels_.weight[plane]);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_WEIGHTS_INL_H_
