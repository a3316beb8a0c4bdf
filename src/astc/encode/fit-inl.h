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

// Codes and modes of each lane in the order of its own family. The first family stores the most
// values, so every lane's are set.
template <class Shape>
TESSERA_SHARED void Fit<Shape>::store_colors(FitResult& result) const {
  I32 codes[kMaxColorValues];
  for (unsigned k = 0; k < batch_.families.count(); ++k) {
    const RoundingTask task = rounding_task(k);
    stored_codes(task, rounded_, k == 0 ? result.colors : codes);
    const I32 fields = mode_fields(task, rounded_);
    if (k == 0) {
      result.mode_fields = fields;
      continue;
    }
    const LaneMask lanes_of = batch_.families.lanes_of(k);
    for (unsigned i = 0; i < task.family.color_values(); ++i) {
      result.colors[i] = lanes::select(lanes_of, codes[i], result.colors[i]);
    }
    result.mode_fields = lanes::select(lanes_of, fields, result.mode_fields);
  }
}

template <class Shape>
TESSERA_NOINLINE void Fit<Shape>::finish(FitResult& result) {
  store_weights(result);
  if (Shape::needs_codes(batch_.context)) {
    store_colors(result);
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
    if (pass == 0) {
      best = rounded_;
    } else {
      take_lines(better, partitions(), rounded_, best);
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
