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
// 8-bit steps. All numbers are whole and below 2^24, so floats hold them exactly.
template <class Shape>
TESSERA_NOINLINE F32 Fit<Shape>::exact_error() const {
  F32 base[kParts][kSlots], slope[kParts][kSlots];
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      base[p][i] = (rounded_.ends[p].low[i] * all_lanes_f32(rounding_.widen) +
                    all_lanes_f32(rounding_.offset)) *
                       all_lanes_f32(64) +
                   all_lanes_f32(32);
      slope[p][i] =
          (rounded_.ends[p].high[i] - rounded_.ends[p].low[i]) * all_lanes_f32(rounding_.widen);
    }
  }
  F32 error = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned t = 0; t < texel_count(); ++t) {
    F32 w[kPlanes];
    TESSERA_UNROLL
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      w[plane] = texels_.weight[plane][t];
    }
    F32 of_texel = all_lanes_f32(0);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      const F32 sum = of_part(t, [&](unsigned p) { return base[p][i]; }) +
                      of_part(t, [&](unsigned p) { return slope[p][i]; }) * texels_.of_slot(i, w);
      const F32 difference = LaneTexels<Texels>::decoded(sum, rounding_) - texels_.x.at(i, t);
      const F32 counted = weigh(i, difference * difference);
      of_texel =
          of_texel +
          (texels_.weighs_by_alpha && i != kAlphaSlot ? counted * texels_.visible[t] : counted);
    }
    error = error + inside_.keep(t, of_texel);
  }
  return error;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_ERROR_INL_H_
