// Fitting, the exact error of what the decoder will see.
#if defined(TESSERA_ASTC_FIT_ERROR_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_ERROR_INL_H_
#undef TESSERA_ASTC_FIT_ERROR_INL_H_
#else
#define TESSERA_ASTC_FIT_ERROR_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Sum of squared differences between the texels and what the decoder makes of the block, in
// 8-bit steps. Values are whole numbers or 64ths with no more than 24 bits, so floats hold them
// exactly; of 8-bit texels that are not weighted, so are the sums.
template <class Shape>
TESSERA_NOINLINE F32 Fit<Shape>::exact_error() const {
  F32 base[kParts][kSlots],
      slope[kParts][kSlots];  // of 16-bit values, for a weight of 0 and for each step of it
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      base[p][i] = rounded_.ends[p].low[i] * all_lanes_f32(rounding_.widen) +
                   all_lanes_f32(rounding_.offset + 0.5F);
      slope[p][i] = (rounded_.ends[p].high[i] - rounded_.ends[p].low[i]) *
                    all_lanes_f32(rounding_.widen / 64);
    }
  }
  F32 error[kSlots];
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    error[i] = all_lanes_f32(0);
  }
  TESSERA_UNROLL
  for (unsigned t = 0; t < texel_count(); ++t) {
    F32 w[kPlanes];
    TESSERA_UNROLL
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      w[plane] = texels_.weight[plane][t];
    }
    F32 squared[kSlots];
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      const F32 value = of_part(t, [&](unsigned p) { return base[p][i]; }) +
                        of_part(t, [&](unsigned p) { return slope[p][i]; }) * texels_.of_slot(i, w);
      const F32 difference = LaneTexels<Texels>::decoded(value, rounding_) - texels_.x.at(i, t);
      squared[i] = difference * difference;
      if (kHasAlpha && texels_.weighs_by_alpha && i != kAlphaSlot) {
        squared[i] = squared[i] * texels_.visible[t];
      }
    }
    if (inside_.test) {
      const LaneMask counts = inside_.mask(t);
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        squared[i] = lanes::zero_unless(counts, squared[i]);
      }
    }
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      error[i] = error[i] + squared[i];
    }
  }
  F32 all = weigh(0, error[0]);
  TESSERA_UNROLL
  for (unsigned i = 1; i < kSlots; ++i) {
    all = all + weigh(i, error[i]);
  }
  return all;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_ERROR_INL_H_
