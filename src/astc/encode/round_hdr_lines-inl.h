// The ends of a block's lines become stored codes of HDR endpoint modes, in the ways that the
// block's family allows: round_lines-inl.h for HDR.
#if defined(TESSERA_ASTC_ROUND_HDR_LINES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ROUND_HDR_LINES_INL_H_
#undef TESSERA_ASTC_ROUND_HDR_LINES_INL_H_
#else
#define TESSERA_ASTC_ROUND_HDR_LINES_INL_H_
#endif

#include "astc/encode/hdr_endpoints-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The mean of red, green and blue as a line of one channel, whose error counts for all three.
template <unsigned kSlots>
TESSERA_INLINE void grey_line(const Line<kSlots>& line, Line<1>& grey) {
  if constexpr (kSlots == 1) {
    grey = line;
  } else {
    const F32 zero = all_lanes_f32(0);
    grey.low[0] = grey.high[0] = zero;
    ErrorForm& sum = grey.form[0];
    sum = {zero, zero, zero, zero};
    F32 count = zero;
    for (unsigned i = 0; i < 3; ++i) {
      const ErrorForm& form = line.form[i];
      const F32 counts = form.aa + form.ab + form.ab + form.bb;
      grey.low[0] = grey.low[0] + line.low[i] * counts;
      grey.high[0] = grey.high[0] + line.high[i] * counts;
      count = count + counts;
      sum.aa = sum.aa + form.aa;
      sum.ab = sum.ab + form.ab;
      sum.bb = sum.bb + form.bb;
    }
    sum.ab_per_bb = safe_ratio(sum.ab, sum.bb);
    grey.low[0] = safe_ratio(grey.low[0], count);
    grey.high[0] = safe_ratio(grey.high[0], count);
  }
}

template <unsigned kSlots>
TESSERA_INLINE void take_grey(const Endpoints<1>& grey, Endpoints<kSlots>& ends) {
  for (unsigned i = 0; i < kSlots; ++i) {
    ends.low[i] = grey.low[0];
    ends.high[i] = grey.high[0];
  }
  for (unsigned i = 0; i < 2 * kSlots; ++i) {
    ends.codes[i] = i < 2 ? grey.codes[i % 2] : all_lanes(0);  // the rest is not stored
  }
  ends.error = grey.error;
}

template <unsigned kSlots>
TESSERA_INLINE void round_hdr_grey(const Line<kSlots>& line, const HdrCodes& codes,
                                   Endpoints<kSlots>& ends) {
  Line<1> grey;
  grey_line(line, grey);
  Endpoints<1> found;
  store_hdr_luminances(HdrLine<1>(grey.low, grey.high, grey.form), grey.low, grey.high, grey.form,
                       codes, found);
  take_grey(found, ends);
}

// Luminances in both ways; partitions share the mode, which is the one higher with steps.
template <unsigned kSlots, unsigned kParts>
TESSERA_NOINLINE void round_hdr_greys(const RoundingTask& task, const Line<kSlots>* lines,
                                      const HdrCodes& codes, RoundedLines<kSlots, kParts>& result) {
  Endpoints<1> steps[kParts];
  F32 gain = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    round_hdr_grey(lines[p], codes, result.ends[p]);
    Line<1> grey;
    grey_line(lines[p], grey);
    store_hdr_luminance_step(HdrLine<1>(grey.low, grey.high, grey.form), grey.low, grey.high,
                             grey.form, codes, steps[p]);
    gain = gain + (result.ends[p].error - steps[p].error);
  }
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    Endpoints<kSlots> of_steps;
    take_grey(steps[p], of_steps);
    result.has_offsets[p] = gain > all_lanes_f32(0);
    take_ends(result.has_offsets[p], of_steps, result.ends[p]);
  }
}

// One partition, in the way that it is stored. Families with alpha store two whole colours.
template <unsigned kSlots>
TESSERA_INLINE void round_hdr_line(const RoundingTask& task, ColorStorage storage,
                                   const Line<kSlots>& line, const HdrCodes& codes,
                                   Endpoints<kSlots>& ends) {
  if constexpr (kSlots == 3) {
    if (storage == ColorStorage::kScaled) {
      quantize_hdr_scaled(line.low, line.high, line.form, codes, ends);
      return;
    }
    if (storage == ColorStorage::kGrey) {
      round_hdr_grey(line, codes, ends);
      return;
    }
  }
  [[maybe_unused]] const LaneMask turned =
      quantize_hdr_pair<kSlots>(line.low, line.high, line.form, codes, ends);
  if constexpr (kSlots == 4) {  // alpha follows the order of the colours
    const F32 low = lanes::select(turned, line.high[3], line.low[3]);
    const F32 high = lanes::select(turned, line.low[3], line.high[3]);
    ErrorForm form = line.form[3];
    form.aa = lanes::select(turned, line.form[3].bb, form.aa);
    form.bb = lanes::select(turned, line.form[3].aa, form.bb);
    form.ab_per_bb = safe_ratio(form.ab, form.bb);
    if (task.hdr_alpha) {
      store_hdr_alpha(low, high, form, codes, ends);
    } else {
      store_ldr_alpha(low, high, form, {task.colors.nearest.data(), codes.first}, ends);
    }
  }
}

template <unsigned kSlots, unsigned kParts>
TESSERA_INLINE void round_hdr_lines(const RoundingTask& task, const Line<kSlots>* lines,
                                    RoundedLines<kSlots, kParts>& result) {
  const HdrCodes codes = {task.colors.kept_bits.data(), task.first_color_entry};
  const ColorStorage storage = kSlots == 1 ? ColorStorage::kGrey : task.family.storage();
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
    result.has_offsets[p] = lanes::every_lane(false);
  }
  if (storage == ColorStorage::kGrey) {
    round_hdr_greys(task, lines, codes, result);
    return;
  }
  if constexpr (kSlots > 1) {
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < task.partitions; ++p) {
      round_hdr_line<kSlots>(task, storage, lines[p], codes, result.ends[p]);
      if (kParts > 1 && task.family.mixes_modes()) {
        Endpoints<kSlots> reduced;
        round_hdr_line<kSlots>(task, task.family.reduced_storage(), lines[p], codes, reduced);
        take_ends(task.reduced[p], reduced, result.ends[p]);
      }
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ROUND_HDR_LINES_INL_H_
