// What the roundings of HDR endpoints share: values whose highest bits belong to other numbers, and
// lines in the units of the format.
#if defined(TESSERA_ASTC_HDR_CODES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_HDR_CODES_INL_H_
#undef TESSERA_ASTC_HDR_CODES_INL_H_
#else
#define TESSERA_ASTC_HDR_CODES_INL_H_
#endif

#include "astc/encode/endpoints-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Endpoints are 12-bit numbers here; Endpoints and lines have them divided by this.
inline constexpr float kHdrUnits = 16.0F;
inline constexpr float kMostHdr = 4095.0F;
// The error of what cannot be stored.
inline constexpr float kImpossible = 1e30F;

// ColorCodeTables::kept_bits, with the first entry of each lane's range.
struct HdrCodes {
  const int32_t* table;
  I32 first;

  // Of each lane's kind: that many highest bits are kept.
  TESSERA_INLINE I32 entry_of_kind(I32 kind, I32 value) const {
    const I32 of_kind = kind * all_lanes(256 * static_cast<int32_t>(kColorRangeCount));
    return lanes::gather(table, of_kind + first + value);
  }
  TESSERA_INLINE I32 keeping(int32_t bits, I32 value) const {
    return entry_of_kind(all_lanes(bits), value);
  }
  static TESSERA_INLINE I32 level(I32 entry) { return entry & all_lanes(0xFF); }
  static TESSERA_INLINE I32 code(I32 entry) {
    return lanes::shift_right_logical<8>(entry) & all_lanes(0xFF);
  }
};

// Where an entry's level does not have the bits that were to be kept.
TESSERA_INLINE LaneMask not_kept(I32 entries) {
  return (entries & all_lanes(ColorCodeTables::kNotKept)) > all_lanes(0);
}

// To nearest; 0 for what is negative.
TESSERA_INLINE I32 rounded(F32 v) {
  return lanes::truncate_to_i32(lanes::max(v + all_lanes_f32(0.5F), all_lanes_f32(0)));
}

// To nearest, for −2^15 and above.
TESSERA_INLINE I32 rounded_with_sign(F32 v) {
  constexpr float kLift = 32768.0F;
  return lanes::truncate_to_i32(v + all_lanes_f32(kLift + 0.5F)) - all_lanes(32768);
}

TESSERA_INLINE F32 clamp_hdr(F32 v) {
  return lanes::min(lanes::max(v, all_lanes_f32(0)), all_lanes_f32(kMostHdr));
}

// Numbers 0 to 31 of eight rows, four bits each.
TESSERA_INLINE I32 nibble(I32 word, int i) {
  return lanes::shift_right_logical(word, 4 * i) & all_lanes(15);
}

TESSERA_INLINE I32 bit_at(I32 word, I32 position) {
  return lanes::shift_right_logical(word, position) & all_lanes(1);
}

// The ends of a line of kChannels channels in 12-bit units, the brighter one apart. What one end
// misses, the other can make up for in part, as the weights tell: `back` is how much.
template <unsigned kChannels>
struct HdrLine {
  LaneMask exchange;  // the brighter end is the line's first
  F32 low[kChannels], high[kChannels];
  F32 back[kChannels];

  TESSERA_INLINE HdrLine(const F32 a[], const F32 b[], const ErrorForm form[]) {
    F32 rise = b[0] - a[0];
    TESSERA_UNROLL
    for (unsigned i = 1; i < kChannels; ++i) {
      rise = rise + (b[i] - a[i]);
    }
    exchange = rise < all_lanes_f32(0);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kChannels; ++i) {
      low[i] = lanes::select(exchange, b[i], a[i]) * all_lanes_f32(kHdrUnits);
      high[i] = lanes::select(exchange, a[i], b[i]) * all_lanes_f32(kHdrUnits);
      back[i] = safe_ratio(form[i].ab, lanes::select(exchange, form[i].bb, form[i].aa));
    }
  }

  // Where the darker end had best be when the brighter one came to lie at `high_at`.
  TESSERA_INLINE F32 wanted_low(unsigned i, F32 high_at) const {
    return low[i] - back[i] * (high_at - high[i]);
  }

  // Both ends as the decoder sees them, and their error.
  template <unsigned kSlots>
  TESSERA_INLINE void finish(const F32 low_at[], const F32 high_at[], const F32 a[], const F32 b[],
                             const ErrorForm form[], Endpoints<kSlots>& ends) const {
    ends.error = all_lanes_f32(0);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kChannels; ++i) {
      ends.low[i] = clamp_hdr(low_at[i]) * all_lanes_f32(1 / kHdrUnits);
      ends.high[i] = clamp_hdr(high_at[i]) * all_lanes_f32(1 / kHdrUnits);
      const F32 at_a = lanes::select(exchange, ends.high[i], ends.low[i]);
      const F32 at_b = lanes::select(exchange, ends.low[i], ends.high[i]);
      ends.error = ends.error + form[i].at(at_a - a[i], at_b - b[i]);
    }
  }
};

// Which of three channels is the largest; it changes places with red.
struct MajorChannel {
  LaneMask is_green, is_blue;

  TESSERA_INLINE explicit MajorChannel(const F32 color[3])
      : is_green((color[1] > color[0]) & !(color[2] > color[1])),
        is_blue((color[2] > color[0]) & (color[2] > color[1])) {}

  TESSERA_INLINE void exchange(F32 color[3]) const {
    const F32 red = color[0];
    color[0] = lanes::select(is_green, color[1], lanes::select(is_blue, color[2], red));
    color[1] = lanes::select(is_green, red, color[1]);
    color[2] = lanes::select(is_blue, red, color[2]);
  }
  TESSERA_INLINE I32 number() const {
    return lanes::zero_unless(is_green, all_lanes(1)) | lanes::zero_unless(is_blue, all_lanes(2));
  }
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_HDR_CODES_INL_H_
