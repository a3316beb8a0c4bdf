// Endpoints to stored codes. RGB endpoints have two ways of being stored: as they are, or "blue
// contracted" (red and green as 2r − b and 2g − b), which halves their steps for greyish colours.
// The order of the two endpoints tells the decoder which, so endpoints may come out exchanged.
// Weights are fitted afterwards.
#if defined(TESSERA_ASTC_ENDPOINTS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ENDPOINTS_INL_H_
#undef TESSERA_ASTC_ENDPOINTS_INL_H_
#else
#define TESSERA_ASTC_ENDPOINTS_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/color_codes.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

template <unsigned kSlots>
struct Endpoints {
  F32 low[kSlots], high[kSlots];  // as the decoder will see them
  I32 codes[2 * kSlots];          // in stored order
  F32 error;                      // by the error form
};

// Of some lanes: what the decoder sees, without the codes.
template <unsigned kSlots>
TESSERA_INLINE void take_decoded(LaneMask better, const Endpoints<kSlots>& from,
                                 Endpoints<kSlots>& to) {
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    to.low[i] = lanes::select(better, from.low[i], to.low[i]);
    to.high[i] = lanes::select(better, from.high[i], to.high[i]);
  }
}

// The decoder's ends of a colour that is stored without alpha.
TESSERA_INLINE void add_opaque_alpha(const Endpoints<3>& color, Endpoints<4>& ends) {
  for (unsigned i = 0; i < 3; ++i) {
    ends.low[i] = color.low[i];
    ends.high[i] = color.high[i];
  }
  ends.low[3] = ends.high[3] = all_lanes_f32(255);
}

struct QuantizedColor {
  F32 value;
  I32 code;
};

// One of the tables of color_codes.h, with the first entry of each lane's range.
struct ColorCodes {
  const int32_t* table;
  I32 first;

  TESSERA_INLINE I32 entry(I32 value) const { return lanes::gather(table, first + value); }
};

// `value` is 0…255; `codes` are those of the nearest levels.
TESSERA_INLINE QuantizedColor quantize_color(F32 value, const ColorCodes& codes) {
  const I32 entry = codes.entry(lanes::truncate_to_i32(value + all_lanes_f32(0.5F)));
  return {lanes::to_f32(entry & all_lanes(0xFF)), lanes::shift_right_logical<8>(entry)};
}

TESSERA_INLINE F32 squared(F32 v) {
  return v * v;
}

TESSERA_INLINE F32 half_rounded_down(F32 v) {
  return lanes::truncate(v * all_lanes_f32(0.5F));
}

// 0 where the divisor is not positive.
TESSERA_INLINE F32 safe_ratio(F32 dividend, F32 divisor) {
  const LaneMask usable = divisor > all_lanes_f32(0);
  return lanes::zero_unless(usable, dividend / lanes::select(usable, divisor, all_lanes_f32(1)));
}

// How a channel's squared error grows with the errors p and q of its two endpoints:
// aa·p² + 2·ab·p·q + bb·q². It follows from the weights of the texels.
struct ErrorForm {
  F32 aa, ab, bb;
  F32 ab_per_bb;

  TESSERA_INLINE F32 at(F32 p, F32 q) const { return aa * p * p + (ab + ab) * p * q + bb * q * q; }
  // Where the second endpoint had best be, when the first one came to lie off by p.
  TESSERA_INLINE F32 second(F32 wanted, F32 p) const {
    return lanes::min(lanes::max(wanted - ab_per_bb * p, all_lanes_f32(0)), all_lanes_f32(255));
  }
};

// One of the two colours of a pair, quantised for one way of storing.
template <unsigned kSlots>
struct StoredColor {
  F32 decoded[kSlots];
  I32 code[kSlots];
  F32 sum;  // of stored red, green and blue
};

template <unsigned kSlots>
TESSERA_INLINE void store_straight(const F32 color[kSlots], const ColorCodes& codes,
                                   StoredColor<kSlots>& stored) {
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const QuantizedColor q = quantize_color(color[i], codes);
    stored.decoded[i] = q.value;
    stored.code[i] = q.code;
  }
  if constexpr (kSlots >= 3) {
    stored.sum = stored.decoded[0] + stored.decoded[1] + stored.decoded[2];
  } else {
    stored.sum = all_lanes_f32(0);
  }
}

// Values out of range are clamped; the error tells. Blue and alpha are the same as straight.
template <unsigned kSlots>
TESSERA_INLINE void store_contracted(const F32 color[kSlots], const ColorCodes& codes,
                                     const StoredColor<kSlots>& straight,
                                     StoredColor<kSlots>& stored) {
  for (unsigned i = 2; i < kSlots; ++i) {
    stored.decoded[i] = straight.decoded[i];
    stored.code[i] = straight.code[i];
  }
  const F32 blue = stored.decoded[2];
  stored.sum = blue;
  for (unsigned i = 0; i < 2; ++i) {
    const F32 wanted = color[i] + color[i] - blue + all_lanes_f32(0.5F);
    const QuantizedColor q =
        quantize_color(lanes::min(lanes::max(wanted, all_lanes_f32(0)), all_lanes_f32(255)), codes);
    stored.decoded[i] = half_rounded_down(q.value + blue);
    stored.code[i] = q.code;
    stored.sum = stored.sum + q.value;
  }
}

// Both colours of a pair, the second one where the first one's rounding wants it.
template <unsigned kSlots>
struct StoredPair {
  StoredColor<kSlots> a, b;
  F32 error;
};

// store(color, end, result) quantises one of the colours, `end` being 0 or 1.
// Results are written where they belong: g++ copies structures of vectors through memory in pieces,
// which the next load has to wait for.
template <unsigned kSlots, class Store>
TESSERA_INLINE void store_pair(const F32 a[kSlots], const F32 b[kSlots],
                               const ErrorForm form[kSlots], const Store& store,
                               StoredPair<kSlots>& pair) {
  store(a, 0, pair.a);
  F32 moved[kSlots];
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    moved[i] = form[i].second(b[i], pair.a.decoded[i] - a[i]);
  }
  store(moved, 1, pair.b);
  pair.error = all_lanes_f32(0);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    pair.error = pair.error + form[i].at(pair.a.decoded[i] - a[i], pair.b.decoded[i] - b[i]);
  }
}

// The colour of the smaller sum becomes the low endpoint: stored first when
// straight, second when contracted.
template <unsigned kSlots>
TESSERA_NOINLINE void quantize_rgb_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                             const ErrorForm form[kSlots], const ColorCodes& codes,
                                             Endpoints<kSlots>& ends) {
  StoredPair<kSlots> straight, contracted;
  store_pair<kSlots>(
      a, b, form,
      [&](const F32* color, unsigned, StoredColor<kSlots>& out) {
        store_straight<kSlots>(color, codes, out);
      },
      straight);
  store_pair<kSlots>(
      a, b, form,
      [&](const F32* color, unsigned end, StoredColor<kSlots>& out) {
        store_contracted<kSlots>(color, codes, end == 0 ? straight.a : straight.b, out);
      },
      contracted);
  const StoredColor<kSlots>&sa = straight.a, &sb = straight.b;
  const StoredColor<kSlots>&ca = contracted.a, &cb = contracted.b;
  const LaneMask distinct = (ca.sum < cb.sum) | (ca.sum > cb.sum);  // equal means straight
  const LaneMask contract = (contracted.error < straight.error) & distinct;
  const F32 sum_a = lanes::select(contract, ca.sum, sa.sum);
  const F32 sum_b = lanes::select(contract, cb.sum, sb.sum);
  const LaneMask b_is_low = sum_b < sum_a;
  const LaneMask b_is_first = (b_is_low & !contract) | (contract & !b_is_low);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const F32 value_a = lanes::select(contract, ca.decoded[i], sa.decoded[i]);
    const F32 value_b = lanes::select(contract, cb.decoded[i], sb.decoded[i]);
    ends.low[i] = lanes::select(b_is_low, value_b, value_a);
    ends.high[i] = lanes::select(b_is_low, value_a, value_b);
    const I32 code_a = lanes::select(contract, ca.code[i], sa.code[i]);
    const I32 code_b = lanes::select(contract, cb.code[i], sb.code[i]);
    ends.codes[2 * i] = lanes::select(b_is_first, code_b, code_a);
    ends.codes[2 * i + 1] = lanes::select(b_is_first, code_a, code_b);
  }
  ends.error = lanes::select(contract, contracted.error, straight.error);
}

// One colour and the way to the other, −32…31 a channel: finer steps where the two are near. The
// first value of a channel holds the lower seven bits of the colour, the second one its highest bit
// and the way. A way of red, green and blue that sums to less than zero would mean something else,
// so the colours are exchanged where needed; what cannot be said this way gets a huge error.
template <unsigned kSlots>
TESSERA_NOINLINE void quantize_offset_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                                const ErrorForm form[kSlots],
                                                const ColorCodes& codes,
                                                const ColorCodes& codes_in_half,
                                                Endpoints<kSlots>& ends) {
  LaneMask exchange = lanes::every_lane(false);
  if constexpr (kSlots >= 3) {
    exchange = b[0] + b[1] + b[2] < a[0] + a[1] + a[2];
  }
  ends.error = all_lanes_f32(0);
  I32 way = all_lanes(0);
  const auto to_int = [](F32 v) { return lanes::truncate_to_i32(v + all_lanes_f32(0.5F)); };
  TESSERA_UNROLL
  for (unsigned i = 0; i < kSlots; ++i) {
    const F32 from = lanes::select(exchange, b[i], a[i]), to = lanes::select(exchange, a[i], b[i]);
    const I32 base = to_int(from);
    const I32 high_bit = base & all_lanes(0x80);
    const I32 low = codes.entry(lanes::shift_left<1>(base & all_lanes(0x7F)));
    const I32 decoded_base = lanes::shift_right_logical<1>(low & all_lanes(0xFF)) | high_bit;
    // The form speaks of a and b, whichever is the base here.
    const F32 missed = lanes::to_f32(decoded_base) - from;
    const F32 back = lanes::select(exchange, safe_ratio(form[i].ab, form[i].aa), form[i].ab_per_bb);
    const F32 wanted =
        lanes::min(lanes::max(to - back * missed, all_lanes_f32(0)), all_lanes_f32(255));
    const I32 step =
        lanes::min(lanes::max(to_int(wanted) - decoded_base, all_lanes(-32)), all_lanes(31));
    const I32 high = codes_in_half.entry(lanes::shift_left<1>(step & all_lanes(0x3F)) | high_bit);
    const I32 stored = lanes::shift_right_logical<1>(high & all_lanes(0xFF)) & all_lanes(0x3F);
    const I32 decoded_step = (stored ^ all_lanes(0x20)) - all_lanes(0x20);  // sign of six bits
    if (kSlots >= 3 && i < 3) {
      way = way + decoded_step;
    }
    const F32 end =
        lanes::min(lanes::max(lanes::to_f32(decoded_base + decoded_step), all_lanes_f32(0)),
                   all_lanes_f32(255));
    ends.low[i] = lanes::to_f32(decoded_base);
    ends.high[i] = end;
    ends.codes[2 * i] = lanes::shift_right_logical<8>(low);
    ends.codes[2 * i + 1] = lanes::shift_right_logical<8>(high);
    const F32 at_a = lanes::select(exchange, end, ends.low[i]);
    const F32 at_b = lanes::select(exchange, ends.low[i], end);
    ends.error = ends.error + form[i].at(at_a - a[i], at_b - b[i]);
  }
  ends.error = lanes::select(way < all_lanes(0), all_lanes_f32(1e30F), ends.error);
}

// A luminance and a step of 0…63 up from it. The upper six bits of the first value are the lower
// six of the luminance; the second value holds its highest two bits and the step.
TESSERA_RARE void quantize_luminance_offset(const F32 a[1], const F32 b[1], const ErrorForm form[1],
                                            const ColorCodes& codes,
                                            const ColorCodes& codes_in_quarter,
                                            Endpoints<1>& ends) {
  const auto to_int = [](F32 v) { return lanes::truncate_to_i32(v + all_lanes_f32(0.5F)); };
  const LaneMask exchange = b[0] < a[0];
  const I32 base = to_int(lanes::min(a[0], b[0]));
  const I32 high_bits = base & all_lanes(0xC0);
  const I32 low = codes.entry(lanes::shift_left<2>(base & all_lanes(0x3F)) | all_lanes(2));
  const I32 decoded_base = lanes::shift_right_logical<2>(low & all_lanes(0xFF)) | high_bits;
  const I32 step = lanes::min(
      lanes::max(to_int(lanes::max(a[0], b[0])) - decoded_base, all_lanes(0)), all_lanes(63));
  const I32 high = codes_in_quarter.entry(high_bits | step);
  const F32 end =
      lanes::min(lanes::to_f32(decoded_base + (high & all_lanes(0x3F))), all_lanes_f32(255));
  ends.low[0] = lanes::to_f32(decoded_base);
  ends.high[0] = end;
  ends.codes[0] = lanes::shift_right_logical<8>(low);
  ends.codes[1] = lanes::shift_right_logical<8>(high);
  ends.error = form[0].at(lanes::select(exchange, end, ends.low[0]) - a[0],
                          lanes::select(exchange, ends.low[0], end) - b[0]);
}

// The values of alpha, which follow those of colour, in reduced ways of storing.
TESSERA_INLINE void store_alpha(F32 low, F32 high, const ColorCodes& codes, unsigned first,
                                Endpoints<4>& ends) {
  const QuantizedColor a = quantize_color(low, codes);
  const QuantizedColor b = quantize_color(high, codes);
  ends.low[3] = a.value;
  ends.high[3] = b.value;
  ends.codes[first] = a.code;
  ends.codes[first + 1] = b.code;
}

// One colour and a factor for the other. The two ends of the line are moved onto one through black,
// its direction being that of their sum, each weighted by its length. That gives the factor; for
// the rounded factor the colour follows by least squares.
template <unsigned kSlots>
TESSERA_NOINLINE void quantize_scaled_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                                const ErrorForm form[kSlots],
                                                const ColorCodes& codes, Endpoints<kSlots>& ends) {
  const auto dot3 = [](const F32* p, const F32* q) {
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
  };
  const F32 length_a = lanes::square_root(dot3(a, a)), length_b = lanes::square_root(dot3(b, b));
  F32 direction[3];
  for (unsigned i = 0; i < 3; ++i) {
    direction[i] = a[i] * length_a + b[i] * length_b;
  }
  const F32 on_a = dot3(a, direction), on_b = dot3(b, direction);
  const LaneMask b_is_near = on_b < on_a;
  const F32 ratio = lanes::min(on_a, on_b) / lanes::max(lanes::max(on_a, on_b), all_lanes_f32(1)) *
                    all_lanes_f32(256);
  const QuantizedColor factor = quantize_color(lanes::min(ratio, all_lanes_f32(255)), codes);
  const F32 share = factor.value * all_lanes_f32(1.0F / 256);
  for (unsigned i = 0; i < 3; ++i) {
    const F32 near = lanes::select(b_is_near, b[i], a[i]);
    const F32 far = lanes::select(b_is_near, a[i], b[i]);
    const F32 near_near = lanes::select(b_is_near, form[i].bb, form[i].aa);
    const F32 far_far = lanes::select(b_is_near, form[i].aa, form[i].bb);
    // Half the derivatives of the error by the far colour, through either end.
    const F32 by_near = near_near * share + form[i].ab, by_far = form[i].ab * share + far_far;
    const F32 wanted = safe_ratio(near * by_near + far * by_far, share * by_near + by_far);
    const QuantizedColor q =
        quantize_color(lanes::min(lanes::max(wanted, all_lanes_f32(0)), all_lanes_f32(255)), codes);
    ends.high[i] = q.value;
    ends.low[i] = lanes::truncate(q.value * share);
    ends.codes[i] = q.code;
  }
  ends.codes[3] = factor.code;
  ends.codes[2 * kSlots - 2] = ends.codes[2 * kSlots - 1] = all_lanes(0);  // not stored
  if constexpr (kSlots == 4) {
    store_alpha(lanes::select(b_is_near, b[3], a[3]), lanes::select(b_is_near, a[3], b[3]), codes,
                4, ends);
  }
}

// Two luminances: the means of the channels, which count by their forms, are nearest.
template <unsigned kSlots>
TESSERA_NOINLINE void quantize_grey_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                              const ErrorForm form[kSlots], const ColorCodes& codes,
                                              Endpoints<kSlots>& ends) {
  F32 low = all_lanes_f32(0), high = low, count = low;
  ErrorForm sum = {low, low, low, low};
  for (unsigned i = 0; i < 3; ++i) {
    const F32 counts = form[i].aa + form[i].ab + form[i].ab + form[i].bb;
    low = low + a[i] * counts;
    high = high + b[i] * counts;
    count = count + counts;
    sum.aa = sum.aa + form[i].aa;
    sum.ab = sum.ab + form[i].ab;
    sum.bb = sum.bb + form[i].bb;
  }
  sum.ab_per_bb = safe_ratio(sum.ab, sum.bb);
  low = lanes::min(safe_ratio(low, count), all_lanes_f32(255));
  high = lanes::min(safe_ratio(high, count), all_lanes_f32(255));
  StoredPair<1> pair;
  store_pair<1>(
      &low, &high, &sum,
      [&](const F32* color, unsigned, StoredColor<1>& out) {
        store_straight<1>(color, codes, out);
      },
      pair);
  for (unsigned i = 0; i < 3; ++i) {
    ends.low[i] = pair.a.decoded[0];
    ends.high[i] = pair.b.decoded[0];
  }
  for (I32& code : ends.codes) {
    code = all_lanes(0);  // most are not stored
  }
  ends.codes[0] = pair.a.code[0];
  ends.codes[1] = pair.b.code[0];
  if constexpr (kSlots == 4) {
    store_alpha(a[3], b[3], codes, 2, ends);
  }
}

template <unsigned kSlots>
TESSERA_INLINE void quantize_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                       const ErrorForm form[kSlots], const ColorCodes& codes,
                                       Endpoints<kSlots>& ends) {
  if constexpr (kSlots >= 3) {
    quantize_rgb_endpoints<kSlots>(a, b, form, codes, ends);
  } else {
    StoredPair<kSlots> pair;
    store_pair<kSlots>(
        a, b, form,
        [&](const F32* color, unsigned, StoredColor<kSlots>& out) {
          store_straight<kSlots>(color, codes, out);
        },
        pair);
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      ends.low[i] = pair.a.decoded[i];
      ends.high[i] = pair.b.decoded[i];
      ends.codes[2 * i] = pair.a.code[i];
      ends.codes[2 * i + 1] = pair.b.code[i];
    }
    ends.error = pair.error;
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_ENDPOINTS_INL_H_
