// Fitting, the start: weights from the texels' positions on a line for each partition and plane.
#if defined(TESSERA_ASTC_FIT_START_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_START_INL_H_
#undef TESSERA_ASTC_FIT_START_INL_H_
#else
#define TESSERA_ASTC_FIT_START_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

template <class Shape>
TESSERA_INLINE auto Fit<Shape>::start_directions(unsigned plane) const -> Directions {
  Directions result;
  if (plane == 1) {
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        result.of[p][i] = in_plane(1, i, all_lanes_f32(1));
      }
    }
    return result;
  }
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    axis_of_part(p, result.of[p]);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      result.of[p][i] = in_plane(0, i, result.of[p][i]);
    }
  }
  return result;
}

template <class Shape>
TESSERA_INLINE void Fit<Shape>::axis_of_part(unsigned p, F32 direction[kSlots]) const {
  const EndpointStart start = Shape::start(batch_.context);
  if (!is_divided() && start == EndpointStart::kPca) {
    axis_of_block(direction);
    return;
  }
  const auto weight = [&](unsigned t) {  // 1 for texels that count
    F32 w = inside_.keep(t, all_lanes_f32(1));
    for_parts(t, [&](unsigned q, LaneMask is_in) {
      if (q == p) {
        w = lanes::zero_unless(is_in, w);
      }
    });
    return w;
  };
  PartAxes<kSlots, Shape::kPacksTexels> axes(texels_.x, texels_.size, weight);
  if (start == EndpointStart::kPca) {
    Covariances c = axes.covariances();
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      TESSERA_UNROLL
      for (unsigned k = 0; k < kSlots; ++k) {
        c.at[i][k] = c.at[i][k] * all_lanes_f32(root_weight(i) * root_weight(k));
      }
    }
    weighted_axis(c, direction);
  } else {
    axes.simple_axis(start, direction);
  }
}

// The ranking knows the line of all colour channels; others follow from its covariances.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::axis_of_block(F32 direction[kSlots]) const {
  if constexpr (kIsGrey || kDual) {
    Covariances c;
    gather_slot_covariances<kSlots>(batch_.block, batch_.chunk, c);
    weighted_axis(c, direction);
  } else {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      direction[i] =
          lanes::gather(batch_.chunk.axis(i), batch_.block) * all_lanes_f32(root_weight(i));
    }
  }
}

// `c` is of channels scaled by the roots of their weights; the direction is to be taken with
// texels as they are.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::weighted_axis(Covariances& c, F32 direction[kSlots]) const {
  exclude_plane2(c);
  const Axis axis = principal_axis<kSlots>(c);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    direction[i] = axis.direction[i] * all_lanes_f32(root_weight(i));
  }
}

template <class Shape>
TESSERA_INLINE void Fit<Shape>::exclude_plane2(Covariances& c) const {
  if constexpr (kDual) {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      TESSERA_UNROLL
      for (unsigned k = 0; k < kSlots; ++k) {
        c.at[i][k] = lanes::zero_unless(!(texels_.in_plane2[i] | texels_.in_plane2[k]), c.at[i][k]);
      }
    }
  }
}

// Ideal weights 0…64 between the extreme positions along the axes.
template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::weights_from_axes() {
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    const Directions directions = start_directions(plane);
    F32* weight = texels_.weight[plane];
    F32 low[kParts], high[kParts];
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      low[p] = all_lanes_f32(1e30F);
      high[p] = all_lanes_f32(-1e30F);
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < texel_count(); ++t) {
      weight[t] = of_part(t, [&](unsigned p) { return position(t, directions.of[p]); });
      if constexpr (kMany) {
        for_parts(t, [&](unsigned p, LaneMask is_in) {
          low[p] = lanes::select(is_in, lanes::min(low[p], weight[t]), low[p]);
          high[p] = lanes::select(is_in, lanes::max(high[p], weight[t]), high[p]);
        });
      } else {
        low[0] = lanes::min(low[0], weight[t]);
        high[0] = lanes::max(high[0], weight[t]);
      }
    }
    F32 scale[kParts];
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      scale[p] = safe_ratio(all_lanes_f32(64), high[p] - low[p]);
      squared_length_[plane][p] = squared(high[p] - low[p]);
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < texel_count(); ++t) {
      weight[t] = of_part(t, [&](unsigned p) { return (weight[t] - low[p]) * scale[p]; });
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_START_INL_H_
