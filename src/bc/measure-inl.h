// The palette of two ends as the target decoder makes it, and the exact error of a block with it.
//
// A texel x takes the entry p with the largest 2·x·p − p² (weighted), which is the nearest one.
// Each score is an integer times four with the entry's number in the two low bits, so that one
// maximum finds both the entry and what it is worth: two products of 16-bit halves and two
// additions an entry. About 440 vector operations for a group of blocks.
#if defined(TESSERA_BC_MEASURE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_MEASURE_INL_H_
#undef TESSERA_BC_MEASURE_INL_H_
#else
#define TESSERA_BC_MEASURE_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/block_lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// Two ends, the texels' places between them, and what that costs.
struct Fit {
  I32 first, second;  // 5:6:5
  // Two bits per texel: steps from first to second, of thirds (four colours) or halves (three); 3
  // in three colours means transparent black.
  I32 steps;
  // 4·Σ weight·difference², without the part that is the same for all fits of a block: 4 times the
  // weighted sum of its squared values.
  I32 error4;
};

TESSERA_INLINE Fit select(LaneMask condition, const Fit& yes, const Fit& no) {
  return {lanes::select(condition, yes.first, no.first),
          lanes::select(condition, yes.second, no.second),
          lanes::select(condition, yes.steps, no.steps),
          lanes::select(condition, yes.error4, no.error4)};
}

TESSERA_INLINE Color unpack_565(I32 color) {
  return {lanes::shift_right_logical<11>(color),
          lanes::shift_right_logical<5>(color) & all_lanes(63), color & all_lanes(31)};
}

TESSERA_INLINE I32 multiply(I32 a, int32_t b) {
  return lanes::multiply_low_halves(a, all_lanes(b));
}

// (2a + b)/3 rounded down, for bytes: 683/2048 is near enough to 1/3.
TESSERA_INLINE I32 third_ideal(I32 a, I32 b) {
  return lanes::shift_right_logical<11>(multiply(a + a + b, 683));
}

TESSERA_INLINE Color mix_ideal(const Color& a, const Color& b) {
  return {third_ideal(a.r, b.r), third_ideal(a.g, b.g), third_ideal(a.b, b.b)};
}

// NVIDIA's texture units, as measured by others: red and blue from the 5-bit values in steps of
// 22/8 (thirds) or 33/8 (halves), green from the 8-bit values with 8 fraction bits.
TESSERA_INLINE I32 nvidia_green(I32 a, I32 b, int32_t weight) {
  const I32 difference = b - a;
  // The difference is divided by 4 towards zero.
  const I32 negative = lanes::as_bits(difference < all_lanes(0));
  const I32 quarter = lanes::shift_right_arithmetic<2>(difference + (negative & all_lanes(3)));
  const I32 sum = lanes::shift_left<8>(a) + quarter + all_lanes(128) +
                  lanes::multiply_and_add_halves(lanes::as_i16x2(difference & all_lanes(0xFFFF)),
                                                 lanes::as_i16x2(all_lanes(weight)));
  return lanes::shift_right_arithmetic<8>(sum);
}

template <int kSteps>
TESSERA_INLINE void palette_nvidia(const Color& a, const Color& b, Color entries[kSteps + 1]) {
  const auto end = [](I32 v) { return lanes::shift_right_logical<3>(multiply(v, 66)); };
  const Color a8 = expand(a), b8 = expand(b);
  entries[0] = {end(a.r), a8.g, end(a.b)};
  entries[kSteps] = {end(b.r), b8.g, end(b.b)};
  if constexpr (kSteps == 3) {
    const auto third = [](I32 near, I32 far) {
      return lanes::shift_right_logical<3>(multiply(near + near + far, 22));
    };
    entries[1] = {third(a.r, b.r), nvidia_green(a8.g, b8.g, 80), third(a.b, b.b)};
    entries[2] = {third(b.r, a.r), nvidia_green(b8.g, a8.g, 80), third(b.b, a.b)};
  } else {
    const auto half = [](I32 u, I32 v) {
      return lanes::shift_right_logical<3>(multiply(u + v, 33));
    };
    entries[1] = {half(a.r, b.r), nvidia_green(a8.g, b8.g, 128), half(a.b, b.b)};
  }
}

template <int kSteps>
TESSERA_INLINE void palette_ideal(const Color& a, const Color& b, Color entries[kSteps + 1]) {
  entries[0] = expand(a);
  entries[kSteps] = expand(b);
  const Color& near = entries[0];
  const Color& far = entries[kSteps];
  if constexpr (kSteps == 3) {
    entries[1] = mix_ideal(near, far);
    entries[2] = mix_ideal(far, near);
  } else {
    const auto half = [](I32 u, I32 v) { return lanes::shift_right_logical<1>(u + v); };
    entries[1] = {half(near.r, far.r), half(near.g, far.g), half(near.b, far.b)};
  }
}

template <int kSteps>
TESSERA_INLINE void palette_amd(const Color& a, const Color& b, Color entries[kSteps + 1]) {
  entries[0] = expand(a);
  entries[kSteps] = expand(b);
  const Color& near = entries[0];
  const Color& far = entries[kSteps];
  if constexpr (kSteps == 3) {
    const auto third = [](I32 u, I32 v) {
      return lanes::shift_right_logical<6>(multiply(u, 43) + multiply(v, 21) + all_lanes(32));
    };
    entries[1] = {third(near.r, far.r), third(near.g, far.g), third(near.b, far.b)};
    entries[2] = {third(far.r, near.r), third(far.g, near.g), third(far.b, near.b)};
  } else {
    const auto half = [](I32 u, I32 v) {
      return lanes::shift_right_logical<1>(u + v + all_lanes(1));
    };
    entries[1] = {half(near.r, far.r), half(near.g, far.g), half(near.b, far.b)};
  }
}

// What a texel's products with an entry are compared by.
struct Entry {
  I16x2 red_blue, green;  // 8·weight·colour
  I32 bias;               // −4·Σ weight·colour² + number
};

TESSERA_INLINE Entry make_entry(const Color& color, const WeightPairs& weights8, int32_t number) {
  const ChannelPairs pairs = pair_channels(color);
  const ChannelPairs weighted = {pairs.red_blue * weights8.red_blue, pairs.green * weights8.green};
  return {weighted.red_blue, weighted.green,
          all_lanes(number) - lanes::shift_right_logical<1>(dot(pairs, weighted))};
}

TESSERA_INLINE I32 score(const BlockLanes& block, size_t i, const Entry& entry) {
  return lanes::multiply_and_add_halves(block.red_blue[i], entry.red_blue) +
         lanes::multiply_and_add_halves(block.green[i], entry.green) + entry.bias;
}

// The nearest entry of every texel. Texels that are not fitted become step 3 and cost nothing; only
// three colours can have such texels.
// Not inlined, as it is what every method calls and as large as all the rest of it.
template <int kSteps>
TESSERA_NOINLINE Fit measure(const BlockLanes& block, I32 first, I32 second,
                             const Settings& settings) {
  Color colors[kSteps + 1];
  const Color a = unpack_565(first), b = unpack_565(second);
  switch (settings.rounding) {
    case Rounding::kIdeal:
      palette_ideal<kSteps>(a, b, colors);
      break;
    case Rounding::kNvidia:
      palette_nvidia<kSteps>(a, b, colors);
      break;
    case Rounding::kAmd:
      palette_amd<kSteps>(a, b, colors);
      break;
  }
  const WeightPairs weights8 = weight_pairs(settings, 8);
  Entry entries[kSteps + 1];
  for (int k = 0; k <= kSteps; ++k) {
    entries[k] = make_entry(colors[k], weights8, k);
  }
  const I32 number_bits = all_lanes(3);
  I32 steps = all_lanes(0), total = all_lanes(0), numbers = all_lanes(0);
  for (size_t i = kBlockTexels; i-- > 0;) {
    I32 best = lanes::max(score(block, i, entries[0]), score(block, i, entries[1]));
    best = lanes::max(best, score(block, i, entries[2]));
    if constexpr (kSteps == 3) {
      best = lanes::max(best, score(block, i, entries[3]));
    } else {
      best = lanes::select(is_fitted(block, i), best, number_bits);
    }
    const I32 number = best & number_bits;
    total = total + best;
    numbers = numbers + number;
    steps = lanes::shift_left<2>(steps) | number;
  }
  return {first, second, steps, numbers - total};
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_MEASURE_INL_H_
