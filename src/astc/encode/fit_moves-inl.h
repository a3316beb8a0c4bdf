// Fitting, the last step of careful fits: stored colour values are moved to the next level, up or
// down, where that lowers the error.
// To fit weights anew for every move of every value takes longer than all passes of least squares.
// So moves are ranked first: the sums of least squares tell what a move changes while weights stay,
// and what of it goes along the line, which new weights can make good. The most promising moves are
// tried, best first, with new weights and the exact error.
#if defined(TESSERA_ASTC_FIT_MOVES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_MOVES_INL_H_
#undef TESSERA_ASTC_FIT_MOVES_INL_H_
#else
#define TESSERA_ASTC_FIT_MOVES_INL_H_
#endif

#include "astc/encode/fit_class-inl.h"
#include "astc/encode/sorted_insert-inl.h"
#include "astc/encode/stored_levels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// How much of what a move changes along the line counts as made good by new weights. It is more
// than all of it so that moves are tried, too, that seem to cost a little.
inline constexpr float kMadeGood = 1.3F;

// A value of a partition gets the code of the level above or below.
struct Move {
  static constexpr unsigned kPartShift = 3, kCodeShift = 8;

  I32 bits;

  static TESSERA_INLINE Move of(unsigned part, unsigned value, I32 code) {
    return {lanes::shift_left<kCodeShift>(code) |
            all_lanes(static_cast<int32_t>(part << kPartShift | value))};
  }
  TESSERA_INLINE I32 code() const { return lanes::shift_right_logical<kCodeShift>(bits); }
  TESSERA_INLINE LaneMask is_of(unsigned part, unsigned value) const {
    constexpr int32_t kPlaceMask = (1 << kCodeShift) - 1;
    return (bits & all_lanes(kPlaceMask)) ==
           all_lanes(static_cast<int32_t>(part << kPartShift | value));
  }
};

// What is known of the error of one partition near its present endpoints.
template <class Shape>
TESSERA_INLINE void Fit<Shape>::error_near(const LineSums<kSlots, kPlanes>& s, unsigned p,
                                           ErrorNear& near) const {
  const Endpoints<kSlots>& ends = rounded_.ends[p];
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const ErrorForm form = error_form(s, i);
    const F32 wx = s.wx[i] * all_lanes_f32(1.0F / 64);
    near.form[i] = form;
    near.slope_low[i] = ends.low[i] * form.aa + ends.high[i] * form.ab - (s.x[i] - wx);
    near.slope_high[i] = ends.low[i] * form.ab + ends.high[i] * form.bb - wx;
    near.along[i] = weigh(i, ends.high[i] - ends.low[i]);
  }
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    near.per_length[plane] = safe_ratio(all_lanes_f32(1), squared_length_[plane][p]);
  }
}

// By how much the error is likely to change when the ends of a partition become `moved`.
template <class Shape>
TESSERA_INLINE F32 Fit<Shape>::change_by_move(const ErrorNear& near, unsigned p,
                                              const Endpoints<kSlots>& moved) const {
  const Endpoints<kSlots>& ends = rounded_.ends[p];
  F32 change = all_lanes_f32(0);
  F32 along_low[kPlanes], along_high[kPlanes];
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    along_low[plane] = along_high[plane] = all_lanes_f32(0);
  }
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const F32 low = moved.low[i] - ends.low[i], high = moved.high[i] - ends.high[i];
    const F32 slope = low * near.slope_low[i] + high * near.slope_high[i];
    change = change + weigh(i, slope + slope + near.form[i].at(low, high));
    TESSERA_UNROLL
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      along_low[plane] = along_low[plane] + in_plane(plane, i, low * near.along[i]);
      along_high[plane] = along_high[plane] + in_plane(plane, i, high * near.along[i]);
    }
  }
  F32 made_good = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned plane = 0; plane < kPlanes; ++plane) {
    const F32 along = near.form[0].at(along_low[plane], along_high[plane]);
    made_good = made_good + along * near.per_length[plane];
  }
  return change - made_good * all_lanes_f32(kMadeGood);
}

// What the decoder makes of the stored levels of a partition, by each lane's family.
template <class Shape>
TESSERA_RARE void Fit<Shape>::decode_moved(unsigned p, const F32* levels,
                                           Endpoints<kSlots>& moved) const {
  Endpoints<kSlots> of_family;
  for (unsigned k = 0; k < batch_.families.count(); ++k) {
    Endpoints<kSlots>& ends = k == 0 ? moved : of_family;
    decode_levels<kSlots>(batch_.families[k], reduced_[p], opaque_[p], levels, ends);
    if (k > 0) {
      take_decoded(batch_.families.lanes_of(k), of_family, moved);
    }
  }
}

template <class Shape>
TESSERA_RARE void Fit<Shape>::rank_moves(const LineSums<kSlots, kPlanes>& s, unsigned p,
                                         BestMoves& best) const {
  ErrorNear near;
  error_near(s, p, near);
  const ColorCodeTables& colors = batch_.context.tables.colors;
  const ColorCodes level_of = {colors.level_of_code.data(), batch_.first_color_entry};
  const Endpoints<kSlots>& ends = rounded_.ends[p];
  const LaneMask is_plain = !rounded_.has_offsets[p];  // offsets mean something else
  F32 levels[2 * kSlots];
  stored_levels(level_of, ends, levels);
  // Of values that a lane does not store a move changes nothing there, and is never entered.
  const Family& family = batch_.families.first();
  const unsigned stored = family.values_of_part(family.storage());
  for (unsigned value = 0; value < stored; ++value) {
    const F32 present = levels[value];
    for (unsigned up = 0; up < 2; ++up) {
      const ColorCodes next = {up != 0 ? colors.code_above.data() : colors.code_below.data(),
                               level_of.first};
      const I32 code = next.entry(ends.codes[value]);
      levels[value] = lanes::to_f32(level_of.entry(code));
      Endpoints<kSlots> moved;
      decode_moved(p, levels, moved);
      const F32 change = lanes::zero_unless(is_plain, change_by_move(near, p, moved));
      insert_sorted(change, Move::of(p, value, code).bits, best.count, best.change, best.move);
    }
    levels[value] = present;
  }
}

// In the lanes that are to be moved.
template <class Shape>
TESSERA_RARE void Fit<Shape>::make_move(const Move& move, LaneMask lanes_to_move) {
  const ColorCodes level_of = {batch_.context.tables.colors.level_of_code.data(),
                               batch_.first_color_entry};
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    Endpoints<kSlots>& ends = rounded_.ends[p];
    LaneMask is_here = lanes::every_lane(false);
    for (unsigned value = 0; value < 2 * kSlots; ++value) {
      const LaneMask is_moved = lanes_to_move & move.is_of(p, value);
      ends.codes[value] = lanes::select(is_moved, move.code(), ends.codes[value]);
      is_here = is_here | is_moved;
    }
    if (lanes::any_lane(is_here)) {
      F32 levels[2 * kSlots];
      stored_levels(level_of, ends, levels);
      Endpoints<kSlots> moved;
      decode_moved(p, levels, moved);
      take_decoded(is_here, moved, ends);
    }
  }
}

// Whether any lane has got better: where none has, another round would try the same moves again.
template <class Shape>
TESSERA_RARE bool Fit<Shape>::move_endpoints(unsigned tries, F32& least) {
  rounded_weights_between();
  LineSums<kSlots, kPlanes> sums[kParts];
  sum_parts(sums);
  BestMoves best(tries);
  TESSERA_UNROLL
  for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
    rank_moves(sums[p], p, best);
  }
  const F32 least_before = least;
  for (unsigned i = 0; i < best.count; ++i) {
    const LaneMask is_promising = best.change[i] < all_lanes_f32(0);
    if (!lanes::any_lane(is_promising)) {
      break;
    }
    const RoundedLines<kSlots, kParts> before = rounded_;
    make_move({best.move[i]}, is_promising);
    const F32 error = error_of_endpoints();
    const LaneMask worse = !(error < least);
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      take_ends(worse, before.ends[p], rounded_.ends[p]);
    }
    least = lanes::min(error, least);
  }
  return lanes::any_lane(least < least_before);
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_MOVES_INL_H_
