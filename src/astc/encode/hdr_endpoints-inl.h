// HDR endpoints to stored codes: two colours (endpoint modes 11, 14 and 15), one colour and how
// much darker the other is (7), two luminances (2 and 3). Each has ways to divide its bits between
// a colour and the differences from it, which decides how finely they can be told. The finest one
// that has room for a line's differences is tried, and the one that has room for everything; the
// better one is taken. format/hdr_endpoints.cc reads what is written here.
#if defined(TESSERA_ASTC_HDR_ENDPOINTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_HDR_ENDPOINTS_INL_H_
#undef TESSERA_ASTC_HDR_ENDPOINTS_INL_H_
#else
#define TESSERA_ASTC_HDR_ENDPOINTS_INL_H_
#endif

#include "astc/encode/hdr_codes-inl.h"
#include "astc/encode/hdr_pair_modes-inl.h"
#include "astc/encode/round_lines-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// --- Two colours ---

// What the last two values of a pair are made of: the division, the largest component, the bits of
// other numbers (HdrPairModes::kExtraBits), and the unit.
struct HdrLastValues {
  I32 mode, major, word;
  F32 unit, per_unit;
};

// d0 and d1, with the bits of other numbers above them, and the darker colour's last components.
TESSERA_INLINE LaneMask store_hdr_last_differences(const HdrLine<3>& line, const HdrLastValues& of,
                                                   F32 c_at, const HdrCodes& codes, F32 low_at[3],
                                                   const F32 high_at[3], I32 entries[6]) {
  const I32 extra = lanes::gather(HdrPairModes::kExtraBits, of.mode);
  const I32 bits_of_d = lanes::gather(HdrPairModes::kBitsOfD, of.mode);
  const I32 mask_of_d = lanes::shift_left(all_lanes(1), bits_of_d) - all_lanes(1);
  const F32 most_d = lanes::to_f32(lanes::shift_right_logical<1>(mask_of_d));
  const I32 kind_of_d = all_lanes(8 + ColorCodeTables::kSignedKinds) - bits_of_d;
  LaneMask missing = lanes::every_lane(false);
  for (unsigned i = 0; i < 2; ++i) {
    const F32 wanted =
        (high_at[1 + i] - c_at - line.wanted_low(1 + i, high_at[1 + i])) * of.per_unit;
    const I32 d =
        rounded_with_sign(lanes::min(lanes::max(wanted, all_lanes_f32(-1) - most_d), most_d));
    const I32 top = lanes::shift_left<7>(lanes::shift_right_logical(of.major, static_cast<int>(i)) &
                                         all_lanes(1)) |
                    lanes::shift_left<6>(bit_at(of.word, nibble(extra, static_cast<int>(i + 2)))) |
                    lanes::shift_left<5>(bit_at(of.word, nibble(extra, static_cast<int>(i + 4))));
    const I32 above_d = all_lanes(0xFF) ^ mask_of_d;
    // For seven bits of d, the bit above it is the highest of `top` alone.
    entries[4 + i] = codes.entry_of_kind(kind_of_d, (top & above_d) | (d & mask_of_d));
    const I32 sign = lanes::shift_right_logical<1>(mask_of_d + all_lanes(1));
    const I32 d_at = ((HdrCodes::level(entries[4 + i]) & mask_of_d) ^ sign) - sign;
    low_at[1 + i] = high_at[1 + i] - c_at - lanes::to_f32(d_at) * of.unit;
    missing = missing | not_kept(entries[4 + i]);
  }
  return missing;
}

// The line by the differences, in the division of each lane; channels are in the order of the
// format, the largest one first. Writes values 0 to 5, and the ends as decoded; returns the lanes
// whose range of levels lacks a value that was needed.
TESSERA_INLINE LaneMask store_hdr_differences(const HdrLine<3>& line, I32 mode, I32 major,
                                              const HdrCodes& codes, F32 low_at[3], F32 high_at[3],
                                              I32 entries[6]) {
  const I32 finer = lanes::shift_right_logical<1>(mode);  // 0…3: the unit is 8 >> finer
  const F32 unit = lanes::to_f32(lanes::shift_right_logical(all_lanes(8), finer));
  const F32 per_unit =
      lanes::to_f32(lanes::shift_left(all_lanes(1), finer)) * all_lanes_f32(0.125F);
  const I32 extra = lanes::gather(HdrPairModes::kExtraBits, mode);
  const auto bit7 = [](I32 bit) { return lanes::shift_left<7>(bit & all_lanes(1)); };
  const auto bit6 = [](I32 bit) { return lanes::shift_left<6>(bit); };
  const I32 low6 = all_lanes(63);

  const I32 most_a = lanes::shift_left(all_lanes(512), finer) - all_lanes(1);
  const I32 a = lanes::min(rounded(line.high[0] * per_unit), most_a);
  entries[0] = codes.keeping(0, a & all_lanes(0xFF));
  high_at[0] = lanes::to_f32((a & all_lanes(0xF00)) | HdrCodes::level(entries[0])) * unit;

  const I32 most_c = lanes::gather(HdrPairModes::kMaskOfC, mode);
  const I32 c =
      lanes::min(rounded((high_at[0] - line.wanted_low(0, high_at[0])) * per_unit), most_c);
  entries[1] = codes.keeping(
      2, bit7(mode) | bit6(lanes::shift_right_logical<8>(a) & all_lanes(1)) | (c & low6));
  const F32 c_at =
      lanes::to_f32((c & all_lanes(0xC0)) | (HdrCodes::level(entries[1]) & low6)) * unit;
  low_at[0] = high_at[0] - c_at;

  const I32 most_b = lanes::gather(HdrPairModes::kMaskOfB, mode);
  I32 b[2];
  for (unsigned i = 0; i < 2; ++i) {
    b[i] = lanes::min(rounded((high_at[0] - line.high[i + 1]) * per_unit), most_b);
  }
  const I32 word = lanes::shift_right_logical<9>(a) |
                   lanes::shift_left<3>(lanes::shift_right_logical<6>(c)) |
                   lanes::shift_left<5>(lanes::shift_right_logical<6>(b[0])) |
                   lanes::shift_left<7>(lanes::shift_right_logical<6>(b[1]));
  LaneMask missing = not_kept(entries[1]);
  for (unsigned i = 0; i < 2; ++i) {
    const I32 top = bit7(lanes::shift_right_logical(mode, static_cast<int>(i + 1))) |
                    bit6(bit_at(word, nibble(extra, static_cast<int>(i))));
    entries[2 + i] = codes.keeping(2, top | (b[i] & low6));
    const I32 b_at = (b[i] & all_lanes(0xC0)) | (HdrCodes::level(entries[2 + i]) & low6);
    high_at[1 + i] = high_at[0] - lanes::to_f32(b_at) * unit;
  }
  missing = missing | store_hdr_last_differences(line, {mode, major, word, unit, per_unit}, c_at,
                                                 codes, low_at, high_at, entries);
  return missing | not_kept(entries[2]) | not_kept(entries[3]);
}

// The colours themselves, eight bits of red and green and seven of blue.
template <unsigned kSlots>
TESSERA_INLINE void store_hdr_directly(const F32 a[kSlots], const F32 b[kSlots],
                                       const ErrorForm form[kSlots], const HdrCodes& codes,
                                       Endpoints<kSlots>& ends) {
  ends.error = all_lanes_f32(0);
  for (unsigned i = 0; i < 3; ++i) {
    // A line's scale of 256 is that of eight bits.
    const bool is_blue = i == 2;
    const float unit = is_blue ? 2.0F : 1.0F;
    const I32 top = all_lanes(is_blue ? 0x80 : 0), most = all_lanes(is_blue ? 0x7F : 0xFF);
    const int32_t kept = is_blue ? 1 : 0;
    const auto store = [&](F32 value, F32& decoded, I32& code) {
      const I32 stored = lanes::min(rounded(value * all_lanes_f32(1 / unit)), most);
      const I32 entry = codes.keeping(kept, stored | top);
      decoded = lanes::to_f32(HdrCodes::level(entry) & most) * all_lanes_f32(unit);
      code = HdrCodes::code(entry);
    };
    store(a[i], ends.low[i], ends.codes[2 * i]);
    const F32 missed = ends.low[i] - a[i];
    store(b[i] - form[i].ab_per_bb * missed, ends.high[i], ends.codes[2 * i + 1]);
    ends.error = ends.error + form[i].at(missed, ends.high[i] - b[i]);
  }
}

// Red, green and blue; the codes of alpha, if there is any, are not touched. Returns the lanes
// whose ends came out in the reverse order.
template <unsigned kSlots>
TESSERA_NOINLINE LaneMask quantize_hdr_pair(const F32 a[kSlots], const F32 b[kSlots],
                                            const ErrorForm form[kSlots], const HdrCodes& codes,
                                            Endpoints<kSlots>& ends) {
  store_hdr_directly<kSlots>(a, b, form, codes, ends);
  HdrLine<3> line(a, b, form);
  const MajorChannel major(line.high);
  major.exchange(line.low);
  major.exchange(line.high);
  major.exchange(line.back);
  const F32 c = line.high[0] - line.low[0];
  const F32 d0 = line.high[1] - line.low[1] - c, d1 = line.high[2] - line.low[2] - c;
  const HdrPairChoice choice = choose_hdr_pair_mode(
      line.high[0] - lanes::min(line.high[1], line.high[2]), lanes::absolute(c),
      lanes::max(lanes::absolute(d0), lanes::absolute(d1)));
  F32 low_at[3], high_at[3];
  I32 entries[6];
  const LaneMask missing =
      store_hdr_differences(line, choice.mode, major.number(), codes, low_at, high_at, entries);
  major.exchange(low_at);
  major.exchange(high_at);
  Endpoints<kSlots> other;
  line.template finish<kSlots>(low_at, high_at, a, b, form, other);
  const LaneMask better = !(missing | choice.is_direct) & (other.error < ends.error);
  TESSERA_UNROLL
  for (unsigned i = 0; i < 3; ++i) {
    ends.low[i] = lanes::select(better, other.low[i], ends.low[i]);
    ends.high[i] = lanes::select(better, other.high[i], ends.high[i]);
  }
  TESSERA_UNROLL
  for (unsigned i = 0; i < 6; ++i) {
    ends.codes[i] = lanes::select(better, HdrCodes::code(entries[i]), ends.codes[i]);
  }
  ends.error = lanes::select(better, other.error, ends.error);
  return better & line.exchange;
}

// --- Alpha ---

// Two 8-bit values; the line has alpha as a 256th of 16-bit numbers.
TESSERA_INLINE void store_ldr_alpha(F32 a, F32 b, const ErrorForm& form, const ColorCodes& codes,
                                    Endpoints<4>& ends) {
  constexpr float kWiden = 257.0F / 256;
  const auto store = [&](F32 value, F32& decoded, I32& code) {
    const F32 wanted = lanes::min(lanes::max(value * all_lanes_f32(1 / kWiden), all_lanes_f32(0)),
                                  all_lanes_f32(255));
    const QuantizedColor q = quantize_color(wanted, codes);
    decoded = q.value * all_lanes_f32(kWiden);
    code = q.code;
  };
  store(a, ends.low[3], ends.codes[6]);
  const F32 missed = ends.low[3] - a;
  store(b - form.ab_per_bb * missed, ends.high[3], ends.codes[7]);
  ends.error = ends.error + form.at(missed, ends.high[3] - b);
}

// Seven bits each, or a base and a step from it in units of 16, 8 or 4: the finest that has room.
TESSERA_INLINE void store_hdr_alpha(F32 a, F32 b, const ErrorForm& form, const HdrCodes& codes,
                                    Endpoints<4>& ends) {
  const I32 seven = all_lanes(0x7F);
  const auto store = [&](F32 value, F32& decoded, I32& code) {
    const I32 stored = lanes::min(rounded(value * all_lanes_f32(0.5F)), seven);
    const I32 entry = codes.keeping(1, stored | all_lanes(0x80));
    decoded = lanes::to_f32(HdrCodes::level(entry) & seven) * all_lanes_f32(2);
    code = HdrCodes::code(entry);
  };
  F32 low, high;
  I32 code_low, code_high;
  store(a, low, code_low);
  store(b - form.ab_per_bb * (low - a), high, code_high);
  F32 least = form.at(low - a, high - b);
  for (int mode = 0; mode < 3; ++mode) {
    const float unit = static_cast<float>(16 >> mode) / kHdrUnits;
    const int32_t most = (256 << mode) - 1, half = 32 >> mode;
    const I32 base = lanes::min(rounded(a * all_lanes_f32(1 / unit)), all_lanes(most));
    const I32 first = codes.keeping(1, (base & seven) | all_lanes((mode & 1) << 7));
    const I32 base_at = (base & all_lanes(~0x7F)) | (HdrCodes::level(first) & seven);
    const F32 at = lanes::to_f32(base_at) * all_lanes_f32(unit);
    const F32 wanted = (b - form.ab_per_bb * (at - a) - at) * all_lanes_f32(1 / unit);
    const I32 step =
        rounded_with_sign(lanes::min(lanes::max(wanted, all_lanes_f32(static_cast<float>(-half))),
                                     all_lanes_f32(static_cast<float>(half - 1))));
    const I32 top = all_lanes((mode >> 1) << 7) |
                    lanes::shift_left(lanes::shift_right_logical<7>(base), 6 - mode);
    const I32 second = codes.keeping(ColorCodeTables::kSignedKinds + 2 + mode,
                                     top | (step & all_lanes(2 * half - 1)));
    const I32 step_at =
        ((HdrCodes::level(second) & all_lanes(2 * half - 1)) ^ all_lanes(half)) - all_lanes(half);
    const F32 end = lanes::min(
        lanes::max(lanes::to_f32(base_at + step_at) * all_lanes_f32(unit), all_lanes_f32(0)),
        all_lanes_f32(kMostHdr / kHdrUnits));
    const F32 error = form.at(at - a, end - b);
    const LaneMask better = (error < least) & !(not_kept(first) | not_kept(second));
    least = lanes::select(better, error, least);
    low = lanes::select(better, at, low);
    high = lanes::select(better, end, high);
    code_low = lanes::select(better, HdrCodes::code(first), code_low);
    code_high = lanes::select(better, HdrCodes::code(second), code_high);
  }
  ends.low[3] = low;
  ends.high[3] = high;
  ends.codes[6] = code_low;
  ends.codes[7] = code_high;
  ends.error = ends.error + least;
}

// --- One colour, and how much darker the other is ---

// The six divisions of endpoint mode 7, which stores the largest component, how much less the
// others are (the last division: themselves), and how much darker the other colour is.
struct HdrScaleModes {
  static constexpr float kUnit[6] = {2, 2, 4, 8, 16, 32};
  static constexpr int32_t kMaskOfRed[6] = {0x7FF, 0x7FF, 0x3FF, 0x1FF, 0xFF, 0x7F};
  static constexpr int32_t kMaskOfOthers[6] = {0x1F, 0x3F, 0x1F, 0x3F, 0x7F, 0x7F};
  static constexpr int32_t kMaskOfScale[6] = {0x7F, 0x1F, 0xFF, 0x7F, 0x3F, 0x7F};
  // Bits of green and blue, and of scale, that lie side by side at the end of a value.
  static constexpr int32_t kFreeOthers[6] = {5, 6, 5, 6, 7, 7};
  static constexpr int32_t kFreeScale[6] = {7, 5, 8, 7, 6, 7};
  // As in HdrPairModes, for X0 to X6 in a word of: red's bits 6 to 10, green's 5 and 6, blue's 5
  // and 6, the scale's 5 to 7.
  static constexpr int32_t kExtraBits[6] = {0x9A04123, 0x3407152, 0x9AB0123,
                                            0x9A07152, 0x9107856, 0x9A07856};
};

// The values of a division for a brighter colour, the largest component first, and the scale.
TESSERA_INLINE LaneMask store_hdr_scaled(const F32 high[3], F32 scale, I32 mode, I32 major,
                                         const HdrCodes& codes, F32 high_at[3], F32& scale_at,
                                         I32 entries[4]) {
  const F32 unit = lanes::gather(HdrScaleModes::kUnit, mode);
  const F32 per_unit = all_lanes_f32(1) / unit;
  const I32 extra = lanes::gather(HdrScaleModes::kExtraBits, mode);
  const LaneMask is_absolute = mode == all_lanes(5);
  const LaneMask is_last = mode > all_lanes(3);
  // Four bits tell the largest component and the division: the highest two of value 0, the highest
  // of 1 and of 2.
  I32 selector = mode | lanes::shift_left<2>(major);
  selector = lanes::select(is_last, all_lanes(12) | major, selector);
  selector = lanes::select(is_absolute, all_lanes(15), selector);
  const auto extra_bit = [&](I32 word, int i) { return bit_at(word, nibble(extra, i)); };

  const I32 most_red = lanes::gather(HdrScaleModes::kMaskOfRed, mode);
  const I32 red = lanes::min(rounded(high[0] * per_unit), most_red);
  entries[0] =
      codes.keeping(2, lanes::shift_left<6>(selector & all_lanes(3)) | (red & all_lanes(63)));
  const I32 red_at = (red & all_lanes(~63)) | (HdrCodes::level(entries[0]) & all_lanes(63));
  high_at[0] = lanes::to_f32(red_at) * unit;

  const I32 most_other = lanes::gather(HdrScaleModes::kMaskOfOthers, mode);
  I32 other[2];
  for (unsigned i = 0; i < 2; ++i) {
    const F32 wanted = lanes::select(is_absolute, high[1 + i], high_at[0] - high[1 + i]);
    other[i] = lanes::min(rounded(wanted * per_unit), most_other);
  }
  const I32 most_scale = lanes::gather(HdrScaleModes::kMaskOfScale, mode);
  const I32 stored_scale = lanes::min(rounded(scale * per_unit), most_scale);
  const I32 word = lanes::shift_right_logical<6>(red) |
                   lanes::shift_left<5>(lanes::shift_right_logical<5>(other[0])) |
                   lanes::shift_left<7>(lanes::shift_right_logical<5>(other[1])) |
                   lanes::shift_left<9>(lanes::shift_right_logical<5>(stored_scale));
  const I32 free_bits = lanes::gather(HdrScaleModes::kFreeOthers, mode);
  const I32 free_mask = lanes::shift_left(all_lanes(1), free_bits) - all_lanes(1);
  LaneMask missing = not_kept(entries[0]);
  for (int i = 0; i < 2; ++i) {
    const I32 top =
        lanes::shift_left<7>(lanes::shift_right_logical(selector, 2 + i) & all_lanes(1)) |
        lanes::shift_left<6>(extra_bit(word, 2 * i)) |
        lanes::shift_left<5>(extra_bit(word, 2 * i + 1));
    I32& entry = entries[1 + i];
    entry = codes.entry_of_kind(all_lanes(8) - free_bits,
                                (top & (all_lanes(0xFF) ^ free_mask)) | (other[i] & free_mask));
    const F32 at = lanes::to_f32(HdrCodes::level(entry) & free_mask) * unit;
    high_at[1 + i] = lanes::select(is_absolute, at, high_at[0] - at);
    missing = missing | not_kept(entry);
  }
  const I32 free_scale = lanes::gather(HdrScaleModes::kFreeScale, mode);
  const I32 scale_mask = lanes::shift_left(all_lanes(1), free_scale) - all_lanes(1);
  const I32 top = lanes::shift_left<7>(extra_bit(word, 4)) |
                  lanes::shift_left<6>(extra_bit(word, 5)) |
                  lanes::shift_left<5>(extra_bit(word, 6));
  entries[3] =
      codes.entry_of_kind(all_lanes(8) - free_scale,
                          (top & (all_lanes(0xFF) ^ scale_mask)) | (stored_scale & scale_mask));
  scale_at = lanes::to_f32(HdrCodes::level(entries[3]) & scale_mask) * unit;
  return missing | not_kept(entries[3]);
}

// The finest division with room for the differences, but for the last one.
TESSERA_INLINE I32 choose_hdr_scale_mode(F32 others, F32 scale) {
  I32 mode = all_lanes(4);
  for (int32_t i = 3; i >= 0; --i) {
    const auto most = [&](int32_t mask) {
      return all_lanes_f32(static_cast<float>(mask) * HdrScaleModes::kUnit[i]);
    };
    const LaneMask fits = !((others > most(HdrScaleModes::kMaskOfOthers[i])) |
                            (scale > most(HdrScaleModes::kMaskOfScale[i])));
    mode = lanes::select(fits, all_lanes(i), mode);
  }
  return mode;
}

TESSERA_NOINLINE void quantize_hdr_scaled(const F32 a[3], const F32 b[3], const ErrorForm form[3],
                                          const HdrCodes& codes, Endpoints<3>& ends) {
  HdrLine<3> line(a, b, form);
  F32 scale =
      (line.high[0] - line.low[0] + line.high[1] - line.low[1] + line.high[2] - line.low[2]) *
      all_lanes_f32(1.0F / 3);
  scale = lanes::max(scale, all_lanes_f32(0));
  // For that scale, the best brighter colour by least squares.
  F32 high[3];
  for (unsigned i = 0; i < 3; ++i) {
    const F32 low_low = lanes::select(line.exchange, form[i].bb, form[i].aa);
    const F32 high_high = lanes::select(line.exchange, form[i].aa, form[i].bb);
    const F32 by_low = low_low + form[i].ab, by_high = high_high + form[i].ab;
    const F32 wanted = by_low * (line.low[i] + scale) + by_high * line.high[i];
    high[i] = clamp_hdr(safe_ratio(wanted, by_low + by_high));
  }
  bool is_first = true;
  const MajorChannel major(high);
  // Divisions keep differences; the last one keeps the components as they are.
  for (const bool is_absolute : {false, true}) {
    F32 ordered[3] = {high[0], high[1], high[2]}, high_at[3], low_at[3], scale_at;
    I32 entries[4], mode = all_lanes(5);
    if (!is_absolute) {
      major.exchange(ordered);
      mode = choose_hdr_scale_mode(ordered[0] - lanes::min(ordered[1], ordered[2]), scale);
    }
    const LaneMask missing =
        store_hdr_scaled(ordered, scale, mode, major.number(), codes, high_at, scale_at, entries);
    if (!is_absolute) {
      major.exchange(high_at);
    }
    for (unsigned i = 0; i < 3; ++i) {
      low_at[i] = high_at[i] - scale_at;
    }
    Endpoints<3> found;
    line.finish<3>(low_at, high_at, a, b, form, found);
    found.error = lanes::select(missing, all_lanes_f32(kImpossible), found.error);
    for (unsigned i = 0; i < 6; ++i) {
      found.codes[i] = i < 4 ? HdrCodes::code(entries[i % 4]) : all_lanes(0);
    }
    if (is_first) {
      ends = found;
      is_first = false;
      continue;
    }
    const LaneMask better = found.error < ends.error;
    take_ends(better, found, ends);
    ends.error = lanes::min(found.error, ends.error);
  }
}

// --- Two luminances ---

// Eight bits each, of the line's order; in the reverse order half a step inside.
TESSERA_INLINE void store_hdr_luminances(const HdrLine<1>& line, const F32* a, const F32* b,
                                         const ErrorForm* form, const HdrCodes& codes,
                                         Endpoints<1>& ends) {
  const I32 most = all_lanes(0xFF);
  const auto store = [&](F32 value) { return codes.keeping(0, lanes::min(rounded(value), most)); };
  const auto value = [](I32 entry) {
    return lanes::to_f32(HdrCodes::level(entry)) * all_lanes_f32(16);
  };
  const F32 per_step = all_lanes_f32(1.0F / 16), half = all_lanes_f32(8);
  const I32 high = store(line.high[0] * per_step);
  F32 high_at = value(high);
  const I32 low = store(line.wanted_low(0, high_at) * per_step);
  F32 low_at = value(low);
  line.finish<1>(&low_at, &high_at, a, b, form, ends);
  // The order of the two must not turn round.
  ends.error = lanes::select(HdrCodes::level(high) < HdrCodes::level(low),
                             all_lanes_f32(kImpossible), ends.error);
  ends.codes[0] = HdrCodes::code(low);
  ends.codes[1] = HdrCodes::code(high);

  const I32 above = store((line.high[0] + half) * per_step);
  high_at = value(above) - half;
  const I32 below = store((line.wanted_low(0, high_at) - half) * per_step);
  low_at = value(below) + half;
  Endpoints<1> inside;
  line.finish<1>(&low_at, &high_at, a, b, form, inside);
  const LaneMask better =
      (HdrCodes::level(below) < HdrCodes::level(above)) & (inside.error < ends.error);
  inside.codes[0] = HdrCodes::code(above);
  inside.codes[1] = HdrCodes::code(below);
  take_ends(better, inside, ends);
  ends.error = lanes::select(better, inside.error, ends.error);
  // Ends so near that rounding turned them round: both as the brighter one.
  const LaneMask is_turned = !(ends.error < all_lanes_f32(kImpossible));
  F32 both[1] = {value(high)};
  Endpoints<1> flat;
  line.finish<1>(both, both, a, b, form, flat);
  flat.codes[0] = flat.codes[1] = HdrCodes::code(high);
  take_ends(is_turned, flat, ends);
  ends.error = lanes::select(is_turned, flat.error, ends.error);
}

// A luminance in steps of 2 or 4, and how much more the other is: up to 30 or 124.
TESSERA_INLINE void store_hdr_luminance_step(const HdrLine<1>& line, const F32* a, const F32* b,
                                             const ErrorForm* form, const HdrCodes& codes,
                                             Endpoints<1>& ends) {
  ends.error = all_lanes_f32(kImpossible);
  for (int coarse = 0; coarse < 2; ++coarse) {
    const float unit = coarse != 0 ? 4.0F : 2.0F;
    const int32_t most_base = coarse != 0 ? 0x3FF : 0x7FF, most_step = coarse != 0 ? 31 : 15;
    const I32 base =
        lanes::min(rounded(line.low[0] * all_lanes_f32(1 / unit)), all_lanes(most_base));
    const I32 first = codes.keeping(1, (base & all_lanes(0x7F)) | all_lanes(coarse << 7));
    const I32 base_at = (base & all_lanes(~0x7F)) | (HdrCodes::level(first) & all_lanes(0x7F));
    F32 low_at = lanes::to_f32(base_at) * all_lanes_f32(unit);
    const I32 step = lanes::min(rounded((line.high[0] - low_at) * all_lanes_f32(1 / unit)),
                                all_lanes(most_step));
    const I32 second = codes.keeping(
        4 - coarse, lanes::shift_left(lanes::shift_right_logical<7>(base), 4 + coarse) | step);
    F32 high_at = low_at + lanes::to_f32(HdrCodes::level(second) & all_lanes(most_step)) *
                               all_lanes_f32(unit);
    Endpoints<1> found;
    line.finish<1>(&low_at, &high_at, a, b, form, found);
    found.codes[0] = HdrCodes::code(first);
    found.codes[1] = HdrCodes::code(second);
    if (coarse == 0) {
      take_ends(lanes::every_lane(true), found, ends);
    }
    const LaneMask better = (found.error < ends.error) & !(not_kept(first) | not_kept(second));
    take_ends(better, found, ends);
    ends.error = lanes::select(better, found.error, ends.error);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_HDR_ENDPOINTS_INL_H_
