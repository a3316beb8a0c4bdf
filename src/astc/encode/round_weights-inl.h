// Weights rounded to the levels of each lane's range.
#if defined(TESSERA_ASTC_ROUND_WEIGHTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ROUND_WEIGHTS_INL_H_
#undef TESSERA_ASTC_ROUND_WEIGHTS_INL_H_
#else
#define TESSERA_ASTC_ROUND_WEIGHTS_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/weight_levels.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// A weight rounded in its half of the range: see weight_levels.h.
struct FoldedWeight {
  F32 level;
  LaneMask above;  // in the upper half
};

// Of each lane's range.
struct LaneLevels {
  F32 step, offset, last, per_step;
};

TESSERA_INLINE LaneLevels lane_levels(const WeightLevels& levels) {
  return {all_lanes_f32(levels.step), all_lanes_f32(levels.offset), all_lanes_f32(levels.last),
          all_lanes_f32(levels.per_step)};
}

// `weight` may be outside 0…64.
TESSERA_INLINE FoldedWeight fold_and_round(F32 weight, const LaneLevels& levels) {
  const LaneMask above = weight > all_lanes_f32(32);
  const F32 folded =
      lanes::max(lanes::select(above, all_lanes_f32(64) - weight, weight), all_lanes_f32(0));
  const F32 nearest = lanes::truncate(folded * levels.per_step + all_lanes_f32(0.5F));
  return {lanes::min(nearest, levels.last), above};
}

// The weight as the decoder sees it, 0…64.
TESSERA_INLINE F32 unfolded(const FoldedWeight& folded, const LaneLevels& levels) {
  const F32 value = lanes::truncate(folded.level * levels.step + levels.offset);
  return lanes::select(folded.above, all_lanes_f32(64) - value, value);
}

TESSERA_INLINE F32 quantize_weight(F32 weight, const LaneLevels& levels) {
  return unfolded(fold_and_round(weight, levels), levels);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ROUND_WEIGHTS_INL_H_
