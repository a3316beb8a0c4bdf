// Stage 5: endpoints and weights for lane_count() blocks at a time.
//   1. Weights from the texels' positions on a line, one for each partition and plane
//      (fit_start-inl.h).
//   2. As often as asked: weights rounded (fit_weights-inl.h), endpoints by least squares for them,
//      rounded to the colour range (fit_lines-inl.h); weights again, from the positions between the
//      rounded endpoints.
//   3. Weights rounded for good; the exact error of what the decoder will see (fit_error-inl.h).
// Here are the passes that put these together.
#if defined(TESSERA_ASTC_FIT_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_INL_H_
#undef TESSERA_ASTC_FIT_INL_H_
#else
#define TESSERA_ASTC_FIT_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"
#include "astc/encode/fit_error-inl.h"
#include "astc/encode/fit_lines-inl.h"
#include "astc/encode/fit_moves-inl.h"
#include "astc/encode/fit_start-inl.h"
#include "astc/encode/fit_weights-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// One pass of least squares.
template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::improve() {
  round_weights();
  solve_endpoints();
  weights_between();
}

template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::finish(FitResult& result) {
  store_weights(result);
  if (Shape::needs_codes(batch_.context)) {
    stored_codes(rounding_task(), rounded_, result.colors);
    result.mode_fields = mode_fields(rounding_task(), rounded_);
  }
  if (Shape::needs_error(batch_.context)) {
    result.error = exact_error();
  }
}

// The passes go on from rounded weights; the best endpoints of all of them are kept.
template <class Shape>
TESSERA_RARE void Fit<Shape>::keep_best_pass(FitResult& result) {
  F32 least = all_lanes_f32(1e30F);
  RoundedLines<kSlots, kParts> best;
  round_weights();
  for (unsigned pass = 0; pass < batch_.context.passes; ++pass) {
    solve_endpoints();
    const F32 error = error_of_endpoints();
    const LaneMask better = error < least;
    least = lanes::min(error, least);
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      if (pass == 0) {
        best.ends[p] = rounded_.ends[p];
        best.has_offsets[p] = rounded_.has_offsets[p];
        continue;
      }
      take_ends(better, rounded_.ends[p], best.ends[p]);
      best.has_offsets[p] = (better & rounded_.has_offsets[p]) | (!better & best.has_offsets[p]);
    }
  }
  rounded_ = best;
  if constexpr (!Texels::kIsHdr) {
    unsigned rest = batch_.context.endpoint_moves;
    while (rest > 0) {
      const unsigned now = rest < kMovesAtOnce ? rest : kMovesAtOnce;
      rest = move_endpoints(now, least) ? rest - now : 0;
    }
  }
  weights_between();
  finish(result);
}

// The exact error with the best weights for the endpoints; the weights are left rounded.
template <class Shape>
TESSERA_INLINE F32 Fit<Shape>::error_of_endpoints() {
  rounded_weights_between();
  return exact_error();
}

template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::rounded_weights_between() {
  weights_between();
  round_weights();
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_INL_H_
