// LSpiro (L. Spiro, 2011; on a GPU: Perminov), in three steps of which the later ones are optional.
//
// 1. In each channel by itself: the values, reduced to 5 or 6 bits, sorted and without repetition,
// are
//    fitted by a line over their rank; its values at both ends are the end colours. The sorted set
//    is a bit mask, so that nothing is sorted. How the channels go together is not part of the
//    published method; here a channel that falls where the widest one rises has its ends exchanged.
// 2. Regression of what is left over the steps that the texels took: the same as least squares for
//    these steps. Repeated.
// 3. All ends within a radius on the 5:6:5 lattice: 729 pairs for radius 1.
#if defined(TESSERA_BC_FIT_LSPIRO_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_FIT_LSPIRO_INL_H_
#undef TESSERA_BC_FIT_LSPIRO_INL_H_
#else
#define TESSERA_BC_FIT_LSPIRO_INL_H_
#endif

#include "bc/axis-inl.h"
#include "bc/descend-inl.h"
#include "bc/encode_bounds-inl.h"
#include "bc/lspiro_table.h"
#include "bc/measure-inl.h"
#include "bc/solve-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

// Which values of a channel occur: bit v of low, bit v − 32 of high.
struct ValueSet {
  I32 low, high;
};

template <int kLevels>
TESSERA_INLINE void add_value(I32 value, LaneMask fitted, ValueSet& set) {
  const I32 bit =
      lanes::zero_unless(fitted, lanes::shift_left(all_lanes(1), value & all_lanes(31)));
  if constexpr (kLevels == 31) {
    set.low = set.low | bit;
  } else {
    const LaneMask is_high = value > all_lanes(31);
    set.low = set.low | lanes::select(is_high, all_lanes(0), bit);
    set.high = set.high | lanes::zero_unless(is_high, bit);
  }
}

struct RankSums {
  I32 count, value, rank_value;  // n, Σ v, Σ rank·v
};

TESSERA_NOINLINE void add_ranks(I32 mask, int32_t first_value, RankSums& sums) {
  for (int32_t bit = 0; bit < 32; ++bit) {
    const I32 present = lanes::shift_right_logical(mask, bit) & all_lanes(1);
    const I32 value = lanes::multiply_low_halves(present, all_lanes(first_value + bit));
    sums.value = sums.value + value;
    sums.rank_value = sums.rank_value + lanes::multiply_low_halves(value, sums.count);
    sums.count = sums.count + present;
  }
}

// Numerator over n(n + 1), rounded to the nearest level.
template <int kLevels>
TESSERA_INLINE I32 round_end(I32 numerator, I32 denominator, I32 magic) {
  const I32 largest = multiply(denominator, kLevels);
  const I32 clamped = lanes::min(lanes::max(numerator, all_lanes(0)), largest);
  const I32 doubled = clamped + clamped + denominator;
  return lanes::shift_right_logical<kLspiroShift>(doubled * magic);
}

struct LineEnds {
  I32 low, high;
};

template <int kLevels>
TESSERA_INLINE LineEnds regress(const ValueSet& set) {
  RankSums sums = {all_lanes(0), all_lanes(0), all_lanes(0)};
  add_ranks(set.low, 0, sums);
  if constexpr (kLevels == 63) {
    add_ranks(set.high, 32, sums);
  }
  const I32 n = sums.count;
  const I32 one = all_lanes(1);
  // slope·(n − 1)/2 = 3·Σ(2·rank − n + 1)·v / (n(n + 1))
  const I32 lever = sums.rank_value + sums.rank_value - (n - one) * sums.value;
  const I32 lever3 = lever + lever + lever;
  const I32 middle = sums.value * (n + one);
  const I32 denominator = n * (n + one);
  const I32 magic = lanes::gather(kLspiroMagic.data(), n);
  return {round_end<kLevels>(middle - lever3, denominator, magic),
          round_end<kLevels>(middle + lever3, denominator, magic)};
}

// Exchanges the ends of channels that run against the widest one.
TESSERA_INLINE void orient(const BlockLanes& block, LineEnds& r, LineEnds& g, LineEnds& b) {
  const FloatColor row = widest_row(moments(block));
  const F32 zero = lanes::all_lanes_f32(0.0F);
  const auto flip = [&](F32 covariance, LineEnds& ends) {
    const LaneMask against = covariance < zero;
    ends = {lanes::select(against, ends.high, ends.low),
            lanes::select(against, ends.low, ends.high)};
  };
  flip(row.r, r);
  flip(row.g, g);
  flip(row.b, b);
}

TESSERA_NOINLINE Ends lspiro_ends(const BlockLanes& block) {
  const I32 zero = all_lanes(0);
  ValueSet reds = {zero, zero}, greens = reds, blues = reds;
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const Color color = unpack_color(block.texels[i]);
    const LaneMask fitted = is_fitted(block, i);
    add_value<31>(quantize<31>(lanes::shift_left<6>(color.r)), fitted, reds);
    add_value<63>(quantize<63>(lanes::shift_left<6>(color.g)), fitted, greens);
    add_value<31>(quantize<31>(lanes::shift_left<6>(color.b)), fitted, blues);
  }
  LineEnds r = regress<31>(reds), g = regress<63>(greens), b = regress<31>(blues);
  orient(block, r, g, b);
  return {pack_565({r.high, g.high, b.high}), pack_565({r.low, g.low, b.low}),
          lanes::all_lanes_f32(0.0F)};
}

// A 5:6:5 colour moved by up to `radius` steps in each coordinate, within its range.
TESSERA_INLINE I32 offset_color(const Color& color, int r, int g, int b) {
  const auto moved = [](I32 v, int by, int32_t levels) {
    return lanes::min(lanes::max(v + all_lanes(by), all_lanes(0)), all_lanes(levels));
  };
  return pack_565({moved(color.r, r, 31), moved(color.g, g, 63), moved(color.b, b, 31)});
}

template <int kSteps>
TESSERA_INLINE void search_neighbourhood(const BlockLanes& block, const Settings& settings,
                                         Fit& fit) {
  const int side = static_cast<int>(2 * settings.lspiro_radius + 1);
  const int radius = static_cast<int>(settings.lspiro_radius);
  const int colors = side * side * side;
  const Color first = unpack_565(fit.first), second = unpack_565(fit.second);
  const auto neighbour = [&](const Color& color, int number) {
    return offset_color(color, number / (side * side) - radius, number / side % side - radius,
                        number % side - radius);
  };
  for (int i = 0; i < colors; ++i) {
    const I32 near = neighbour(first, i);
    for (int j = 0; j < colors; ++j) {
      const Fit next = measure<kSteps>(block, near, neighbour(second, j), settings);
      fit = select(next.error4 < fit.error4, next, fit);
    }
  }
}

template <int kSteps>
TESSERA_NOINLINE Fit fit_lspiro(const BlockLanes& block, const Settings& settings) {
  const Ends ends = lspiro_ends(block);
  Fit fit = measure<kSteps>(block, ends.first, ends.second, settings);
  if (settings.lspiro_steps >= 2) {
    refine<kSteps>(block, settings, settings.lspiro_iterations, fit);
  }
  if (settings.lspiro_steps >= 3) {
    search_neighbourhood<kSteps>(block, settings, fit);
  }
  return fit;
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_FIT_LSPIRO_INL_H_
