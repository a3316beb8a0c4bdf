// Fitting, endpoints: by least squares for given weights, then rounded to the colour range.
#if defined(TESSERA_ASTC_FIT_LINES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_LINES_INL_H_
#undef TESSERA_ASTC_FIT_LINES_INL_H_
#else
#define TESSERA_ASTC_FIT_LINES_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

template <class Shape>
TESSERA_SHARED void Fit<Shape>::sum_parts(LineSums<kSlots, kPlanes>* sums) const {
  if (kHasAlpha && texels_.weighs_by_alpha) {
    sum_visible_lines(sums);
  } else if (inside_.test) {
    sum_lines<true>(sums);
  } else {
    sum_lines<false>(sums);
  }
}

template <class Shape>
TESSERA_INLINE void Fit<Shape>::solve_endpoints() {
  LineSums<kSlots, kPlanes> sums[kParts];
  sum_parts(sums);
  Line<kSlots> lines[kParts];
  // There is at least one, which the compiler should know.
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && (p == 0 || p < partitions()); ++p) {
    solve_line(sums[p], lines[p]);
  }
  RoundedLines<kSlots, kParts> of_family;
  for (unsigned k = 0; k < batch_.families.count(); ++k) {
    RoundedLines<kSlots, kParts>& rounded = k == 0 ? rounded_ : of_family;
    if constexpr (Texels::kIsHdr) {
      round_hdr_lines(rounding_task(k), lines, rounded);
    } else {
      round_lines(rounding_task(k), lines, rounded);
    }
    if (k > 0) {
      take_lines(batch_.families.lanes_of(k), partitions(), of_family, rounded_);
    }
  }
}

// All numbers are whole and below 2^24, so the first part is exactly what the others leave.
template <class Shape>
template <bool kTest>
TESSERA_INLINE void Fit<Shape>::sum_lines(LineSums<kSlots, kPlanes>* sums) const {
  sum_texels<kTest>(
      texels_, [&](unsigned t) { return inside_.mask(t); }, sums[0]);
  sums[0].set[0].n = inside_.count();
  TESSERA_UNROLL
  for (unsigned p = 1; kMany && p < kParts && p < partitions(); ++p) {
    sum_texels<true>(
        texels_, [&](unsigned t) { return in_part<kTest>(t, p); }, sums[p]);
    sums[0].subtract(sums[p]);
  }
  TESSERA_UNROLL
  for (unsigned p = 0; kHasAlpha && p < kParts && p < partitions(); ++p) {
    sums[p].set[1] = sums[p].set[0];
  }
}

// The same with colours that count by the texel's alpha.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::sum_visible_lines(LineSums<kSlots, kPlanes>* sums) const {
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    sum_visible_texels(
        texels_, [&](unsigned t) { return kMany ? in_part<true>(t, p) : inside_.mask(t); },
        sums[p]);
  }
}

// More than none: a partition whose texels all lie outside the picture may be anything.
template <class Shape>
TESSERA_INLINE F32 Fit<Shape>::counted_texels(const WeightSums<kPlanes>& set) const {
  return kMany || kHasAlpha ? lanes::max(set.n, all_lanes_f32(1.0F / 256)) : set.n;
}

// Without what errors of the channel count.
template <class Shape>
TESSERA_INLINE ErrorForm Fit<Shape>::error_form(const LineSums<kSlots, kPlanes>& s,
                                                unsigned slot) const {
  const WeightSums<kPlanes>& set = s.set[slot == kAlphaSlot ? 1 : 0];
  const F32 n = counted_texels(set);
  ErrorForm form;
  const F32 share = texels_.of_slot(slot, set.w) * all_lanes_f32(1.0F / 64);
  form.bb = texels_.of_slot(slot, set.ww) * all_lanes_f32(1.0F / 4096);
  form.ab = share - form.bb;
  form.aa = n - share - form.ab;
  form.ab_per_bb = safe_ratio(form.ab, form.bb);
  return form;
}

template <class Shape>
TESSERA_INLINE void Fit<Shape>::solve_line(const LineSums<kSlots, kPlanes>& s,
                                           Line<kSlots>& line) const {
  const auto clamp = [](F32 v) {
    return lanes::min(lanes::max(v, all_lanes_f32(0)), all_lanes_f32(LaneTexels<Texels>::kMost));
  };
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const WeightSums<kPlanes>& set = s.set[i == kAlphaSlot ? 1 : 0];
    const F32 n = counted_texels(set);
    const F32 w = texels_.of_slot(i, set.w), ww = texels_.of_slot(i, set.ww);
    // The quotients are the same for the channels of a plane, which the compiler sees.
    const F32 slope = (n * s.wx[i] - w * s.x[i]) * safe_ratio(all_lanes_f32(1), n * ww - w * w);
    const F32 start = (s.x[i] - slope * w) * (all_lanes_f32(1) / n);
    line.low[i] = clamp(start);
    line.high[i] = clamp(start + slope * all_lanes_f32(64));
    ErrorForm& form = line.form[i];
    form = error_form(s, i);
    if (Shape::weighs_channels(batch_.context)) {
      form.aa = weigh(i, form.aa);
      form.ab = weigh(i, form.ab);
      form.bb = weigh(i, form.bb);
    }
  }
}

template <class Shape>
TESSERA_INLINE RoundingTask Fit<Shape>::rounding_task(unsigned family) const {
  return {batch_.context.tables.colors,
          batch_.families[family],
          batch_.first_color_entry,
          partitions(),
          Shape::tries_offsets(batch_.context),
          reduced_,
          opaque_,
          Texels::kIsHdr,
          batch_.context.settings.hdr_alpha};
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_LINES_INL_H_
