// Extremes along the principal axis, then passes of least squares.
//
// First steps: the palette is taken to run from 1/16 to 15/16 of the range along the axis. In
// integers, without a division.
#if defined(TESSERA_BC_FIT_RANGE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_FIT_RANGE_INL_H_
#undef TESSERA_BC_FIT_RANGE_INL_H_
#else
#define TESSERA_BC_FIT_RANGE_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/measure-inl.h"
#include "bc/solve-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// A texel is past border k when 24·(position − low) >= border·range.
template <int kSteps>
TESSERA_INLINE void range_steps(const BlockLanes& block, const Positions& positions,
                                I16x2 steps[kTexelPairs]) {
  constexpr int kBorders[3] = {kSteps == 3 ? 5 : 7, kSteps == 3 ? 12 : 17, 19};
  const I32 range = positions.high - positions.low;
  I32 borders[3];
  for (int k = 0; k < kSteps; ++k) {
    borders[k] = range * all_lanes(kBorders[k]) - all_lanes(1);
  }
  const auto step_of = [&](size_t i) {
    const I32 along = (positions.along[i] - positions.low) * all_lanes(24);
    I32 passed = lanes::as_bits(along > borders[0]) + lanes::as_bits(along > borders[1]);
    if constexpr (kSteps == 3) {
      passed = passed + lanes::as_bits(along > borders[2]);
      return all_lanes(0) - passed;
    } else {
      return lanes::zero_unless(is_fitted(block, i), all_lanes(0) - passed);
    }
  };
  for (size_t i = 0; i < kTexelPairs; ++i) {
    steps[i] = lanes::as_i16x2(step_of(2 * i) | lanes::shift_left<16>(step_of(2 * i + 1)));
  }
}

template <int kSteps>
TESSERA_NOINLINE Fit fit_range(const BlockLanes& block, const Settings& settings) {
  const Color axis = principal_axis(moments(block), settings);
  Positions positions;
  project<kSteps == 2>(block, axis, positions);
  I16x2 steps[kTexelPairs];
  range_steps<kSteps>(block, positions, steps);
  const Ends ends = solve<kSteps>(block, steps, settings);
  Fit fit = measure<kSteps>(block, ends.first, ends.second, settings);
  refine<kSteps>(block, settings, settings.passes > 0 ? settings.passes - 1 : 0, fit);
  return fit;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_FIT_RANGE_INL_H_
