// Several guesses of the steps along the axis, each solved by least squares; the best is kept.
//
// For a pair (α, β) the palette is taken to run from low + α·range to high − β·range. Positions are
// normalised to 0…255 first, so that the steps of a guess are one product, one sum, one shift and
// two clamps for two texels at once, with constants: no sort, no division.
#if defined(TESSERA_BC_FIT_STARTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_FIT_STARTS_INL_H_
#undef TESSERA_BC_FIT_STARTS_INL_H_
#else
#define TESSERA_BC_FIT_STARTS_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/measure-inl.h"
#include "bc/solve-inl.h"
#include "bc/start_table.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// Positions 0…255 of two texels.
template <bool kSomeExcluded>
TESSERA_INLINE void normalized_positions(const BlockLanes& block, const Settings& settings,
                                         I16x2 normalized[kTexelPairs]) {
  const Color axis = principal_axis(moments(block), settings);
  Positions positions;
  project<kSomeExcluded>(block, axis, positions);
  const F32 range = lanes::to_f32(lanes::max(positions.high - positions.low, all_lanes(1)));
  const F32 scale = reciprocal(range) * lanes::all_lanes_f32(255.5F);
  // That of an excluded texel may be anything: nobody looks at it.
  const auto position_of = [&](size_t i) {
    return lanes::truncate_to_i32(lanes::to_f32(positions.along[i] - positions.low) * scale);
  };
  for (size_t i = 0; i < kTexelPairs; ++i) {
    const I32 low = position_of(2 * i), high = position_of(2 * i + 1);
    normalized[i] = lanes::as_i16x2((low & all_lanes(0xFFFF)) | lanes::shift_left<16>(high));
  }
}

template <int kSteps>
TESSERA_INLINE void start_steps(const I16x2 normalized[kTexelPairs],
                                const I16x2 fitted[kTexelPairs], const StartLine& line,
                                I16x2 steps[kTexelPairs]) {
  const I16x2 slope = lanes::all_lanes_i16x2(line.slope);
  const I16x2 offset = lanes::all_lanes_i16x2(line.offset);
  const I16x2 zero = lanes::all_lanes_i16x2(0);
  const I16x2 last = lanes::all_lanes_i16x2(kSteps);
  for (size_t i = 0; i < kTexelPairs; ++i) {
    const I16x2 step =
        lanes::shift_right_arithmetic<kStartFractionBits>(normalized[i] * slope + offset);
    steps[i] = lanes::min(lanes::max(step, zero), last);
    if constexpr (kSteps == 2) {
      steps[i] = steps[i] & fitted[i];
    }
  }
}

// All ones in the halves of fitted texels.
TESSERA_INLINE void fitted_pairs(const BlockLanes& block, I16x2 fitted[kTexelPairs]) {
  for (size_t i = 0; i < kTexelPairs; ++i) {
    const I32 low = lanes::as_bits(is_fitted(block, 2 * i)) & all_lanes(0xFFFF);
    const I32 high = lanes::as_bits(is_fitted(block, 2 * i + 1));
    fitted[i] = lanes::as_i16x2(low | lanes::shift_left<16>(high));
  }
}

struct StartSource {
  I16x2 normalized[kTexelPairs];
  I16x2 fitted[kTexelPairs];  // three colours only
};

template <int kSteps>
TESSERA_INLINE StepSums start_sums(const BlockLanes& block, const StartSource& source,
                                   uint32_t start) {
  I16x2 steps[kTexelPairs];
  start_steps<kSteps>(source.normalized, source.fitted,
                      kSteps == 3 ? kThirdsLines[start] : kHalvesLines[start], steps);
  return step_sums(block, steps);
}

template <int kSteps>
TESSERA_INLINE Ends best_on_lattice(const BlockLanes& block, const StartSource& source,
                                    const Settings& settings) {
  Ends best = solve<kSteps, false>(start_sums<kSteps>(block, source, 0), settings);
  for (uint32_t i = 1; i < settings.start_count; ++i) {
    const Ends ends = solve<kSteps, false>(start_sums<kSteps>(block, source, i), settings);
    const LaneMask better = ends.error < best.error;
    best = {lanes::select(better, ends.first, best.first),
            lanes::select(better, ends.second, best.second), lanes::min(ends.error, best.error)};
  }
  return best;
}

template <int kSteps>
TESSERA_INLINE Fit best_exact(const BlockLanes& block, const StartSource& source,
                              const Settings& settings) {
  Fit best = {};
  for (uint32_t i = 0; i < settings.start_count; ++i) {
    const Ends ends = solve<kSteps>(start_sums<kSteps>(block, source, i), settings);
    const Fit fit = measure<kSteps>(block, ends.first, ends.second, settings);
    best = i == 0 ? fit : select(fit.error4 < best.error4, fit, best);
  }
  return best;
}

template <int kSteps>
TESSERA_NOINLINE Fit fit_starts(const BlockLanes& block, const Settings& settings) {
  StartSource source;
  normalized_positions<kSteps == 2>(block, settings, source.normalized);
  if constexpr (kSteps == 2) {
    fitted_pairs(block, source.fitted);
  }
  Fit fit;
  if (settings.ranking == Ranking::kExact) {
    fit = best_exact<kSteps>(block, source, settings);
  } else {
    const Ends ends = best_on_lattice<kSteps>(block, source, settings);
    fit = measure<kSteps>(block, ends.first, ends.second, settings);
  }
  refine<kSteps>(block, settings, settings.passes, fit);
  return fit;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_FIT_STARTS_INL_H_
