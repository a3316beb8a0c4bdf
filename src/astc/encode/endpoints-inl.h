// Endpoints to stored codes. RGB endpoints have two ways of
// being stored: as they are, or "blue contracted" (red and green as 2r − b and
// 2g − b), which halves their steps for greyish colours. The order of the two
// endpoints tells the decoder which, so endpoints may come out exchanged.
// Weights are fitted afterwards.
#if defined(TESSERA_ASTC_ENDPOINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_ENDPOINTS_INL_H_
#undef TESSERA_ASTC_ENDPOINTS_INL_H_
#else
#define TESSERA_ASTC_ENDPOINTS_INL_H_
#endif

#include "astc/encode/candidates.h"
#include "astc/encode/color_codes.h"
#include "astc/encode/load_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

template <unsigned kSlots>
struct Endpoints {
  F32 low[kSlots], high[kSlots];  // as the decoder will see them
  I32 codes[2 * kSlots];          // in stored order
};

struct QuantizedColor {
  F32 value;
  I32 code;
};

// `value` is 0…255; `codes` is color_codes() of the range.
HWY_INLINE QuantizedColor quantize_color(F32 value, const int32_t* codes) {
  const I32 rounded = lanes::truncate_to_i32(value + all_lanes_f32(0.5F));
  const I32 entry = lanes::gather(codes, rounded);
  return {lanes::to_f32(entry & all_lanes(0xFF)), lanes::shift_right_logical<8>(entry)};
}

HWY_INLINE F32 squared(F32 v) {
  return v * v;
}

HWY_INLINE F32 half_rounded_down(F32 v) {
  return lanes::to_f32(lanes::truncate_to_i32(v * all_lanes_f32(0.5F)));
}

// One of the two colours of a pair, quantised for one way of storing.
template <unsigned kSlots>
struct StoredColor {
  F32 decoded[kSlots];
  I32 code[kSlots];
  F32 sum;    // of stored red, green and blue
  F32 error;  // squared, all channels
};

template <unsigned kSlots>
HWY_INLINE StoredColor<kSlots> store_straight(const F32 color[kSlots], const int32_t* codes) {
  StoredColor<kSlots> stored;
  stored.error = all_lanes_f32(0);
  for (unsigned i = 0; i < kSlots; ++i) {
    const QuantizedColor q = quantize_color(color[i], codes);
    stored.decoded[i] = q.value;
    stored.code[i] = q.code;
    stored.error = stored.error + squared(q.value - color[i]);
  }
  if constexpr (kSlots >= 3) {
    stored.sum = stored.decoded[0] + stored.decoded[1] + stored.decoded[2];
  } else {
    stored.sum = all_lanes_f32(0);
  }
  return stored;
}

// Values out of range are clamped; the error tells. Alpha is taken over from
// `straight`.
template <unsigned kSlots>
HWY_INLINE StoredColor<kSlots> store_contracted(const F32 color[kSlots], const int32_t* codes,
                                                const StoredColor<kSlots>& straight) {
  StoredColor<kSlots> stored = straight;
  const F32 blue = straight.decoded[2];
  stored.sum = blue;
  stored.error = squared(blue - color[2]);
  for (unsigned i = 0; i < 2; ++i) {
    const F32 wanted = color[i] + color[i] - blue + all_lanes_f32(0.5F);
    const QuantizedColor q =
        quantize_color(lanes::min(lanes::max(wanted, all_lanes_f32(0)), all_lanes_f32(255)), codes);
    stored.decoded[i] = half_rounded_down(q.value + blue);
    stored.code[i] = q.code;
    stored.sum = stored.sum + q.value;
    stored.error = stored.error + squared(stored.decoded[i] - color[i]);
  }
  if constexpr (kSlots == 4) {
    stored.error = stored.error + squared(straight.decoded[3] - color[3]);
  }
  return stored;
}

// The colour of the smaller sum becomes the low endpoint: stored first when
// straight, second when contracted.
template <unsigned kSlots>
HWY_INLINE Endpoints<kSlots> quantize_rgb_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                                    const int32_t* codes) {
  const StoredColor<kSlots> sa = store_straight<kSlots>(a, codes);
  const StoredColor<kSlots> sb = store_straight<kSlots>(b, codes);
  const StoredColor<kSlots> ca = store_contracted<kSlots>(a, codes, sa);
  const StoredColor<kSlots> cb = store_contracted<kSlots>(b, codes, sb);
  const LaneMask distinct = (ca.sum < cb.sum) | (ca.sum > cb.sum);  // equal means straight
  const LaneMask contract = (ca.error + cb.error < sa.error + sb.error) & distinct;
  const F32 sum_a = lanes::select(contract, ca.sum, sa.sum);
  const F32 sum_b = lanes::select(contract, cb.sum, sb.sum);
  const LaneMask b_is_low = sum_b < sum_a;
  const LaneMask b_is_first = (b_is_low & !contract) | (contract & !b_is_low);
  Endpoints<kSlots> ends;
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
  return ends;
}

template <unsigned kSlots>
HWY_INLINE Endpoints<kSlots> quantize_endpoints(const F32 a[kSlots], const F32 b[kSlots],
                                                const int32_t* codes) {
  if constexpr (kSlots >= 3) {
    return quantize_rgb_endpoints<kSlots>(a, b, codes);
  } else {
    Endpoints<kSlots> ends;
    for (unsigned i = 0; i < kSlots; ++i) {
      const QuantizedColor low = quantize_color(a[i], codes);
      const QuantizedColor high = quantize_color(b[i], codes);
      ends.low[i] = low.value;
      ends.high[i] = high.value;
      ends.codes[2 * i] = low.code;
      ends.codes[2 * i + 1] = high.code;
    }
    return ends;
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_ENDPOINTS_INL_H_
