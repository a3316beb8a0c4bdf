// From texels to bytes for the methods that measure exactly: four colours, where asked for three,
// solid blocks by table; then the words of the block.
#if defined(TESSERA_BC_ENCODE_FIT_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_BC_ENCODE_FIT_INL_H_
#undef TESSERA_BC_ENCODE_FIT_INL_H_
#else
#define TESSERA_BC_ENCODE_FIT_INL_H_
#endif

#include "bc/bc1_presets.h"
#include "bc/block_rows-inl.h"
#include "bc/descend-inl.h"
#include "bc/measure-inl.h"
#include "bc/row_range.h"
#include "bc/solid_table.h"

TESSERA_TARGET_BEGIN();
namespace tessera::bc1::TESSERA_TARGET {

struct Words {
  I32 colors, selectors;
};

TESSERA_INLINE Words select(LaneMask condition, const Words& yes, const Words& no) {
  return {lanes::select(condition, yes.colors, no.colors),
          lanes::select(condition, yes.selectors, no.selectors)};
}

// Four colours need color0 > color1. Equal ends mean three colours, where selector 3 would be
// transparent: color0 throughout.
TESSERA_INLINE Words four_color_words(I32 first, I32 second, I32 thirds) {
  const LaneMask swap = second > first;
  const I32 color0 = lanes::select(swap, second, first);
  const I32 color1 = lanes::select(swap, first, second);
  const I32 selectors =
      selectors_from_thirds(thirds) ^ lanes::zero_unless(swap, all_lanes(0x55555555));
  return {color0 | lanes::shift_left<16>(color1),
          lanes::select(first == second, all_lanes(0), selectors)};
}

// Three colours need color0 <= color1. Halves 0, 1, 2 and 3 (transparent) are the selectors 0, 2, 1
// and 3, or 1, 2, 0 and 3 where the ends are exchanged.
TESSERA_INLINE Words three_color_words(I32 first, I32 second, I32 halves) {
  const LaneMask swap = first > second;
  const I32 color0 = lanes::select(swap, second, first);
  const I32 color1 = lanes::select(swap, first, second);
  const I32 low_bits = all_lanes(0x55555555);
  const I32 low = halves & low_bits;
  const I32 high = lanes::shift_right_logical<1>(halves) & low_bits;
  // Exchanging the bits of each number gives 0, 2, 1, 3.
  const I32 plain = lanes::shift_left<1>(low) | high;
  // Texels at an end (low bit of the number clear) change ends.
  const I32 at_end = low ^ low_bits;
  return {color0 | lanes::shift_left<16>(color1), plain ^ lanes::zero_unless(swap, at_end)};
}

// A block without the texels that `excluded` marks.
TESSERA_NOINLINE void exclude_texels(const BlockLanes& block, I32 excluded, BlockLanes& rest) {
  I32 count = all_lanes(0);
  rest.excluded = excluded;
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const LaneMask fitted = is_fitted(rest, i);
    rest.texels[i] = lanes::as_u8x4(lanes::zero_unless(fitted, lanes::as_i32(block.texels[i])));
    count = count - lanes::as_bits(fitted);
  }
  rest.count = count;
  fill_derived(rest);
}

TESSERA_INLINE I32 transparent_texels(const BlockLanes& block, uint32_t threshold) {
  I32 marks = all_lanes(0);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const I32 alpha = lanes::shift_right_logical<24>(lanes::as_i32(block.texels[i]));
    marks = marks | lanes::zero_unless(alpha < all_lanes(static_cast<int32_t>(threshold)),
                                       all_lanes(static_cast<int32_t>(3u << (2 * i))));
  }
  return marks;
}

// Texels this dark are better off as transparent black where alpha does not matter.
inline constexpr int32_t kDarkLevel = 16;

TESSERA_INLINE I32 dark_texels(const BlockLanes& block) {
  I32 marks = all_lanes(0);
  for (size_t i = 0; i < kBlockTexels; ++i) {
    const Color color = unpack_color(block.texels[i]);
    const I32 brightest = lanes::max(color.r, lanes::max(color.g, color.b));
    marks = marks | lanes::zero_unless(brightest < all_lanes(kDarkLevel),
                                       all_lanes(static_cast<int32_t>(3u << (2 * i))));
  }
  return marks;
}

struct Encoded {
  Words words;
  I32 error4;
};

TESSERA_INLINE void keep_better(LaneMask allowed, const Encoded& next, Encoded& best) {
  const LaneMask better = allowed & (next.error4 < best.error4);
  best = {select(better, next.words, best.words), lanes::select(better, next.error4, best.error4)};
}

// The three-colour fit of the texels that are left, with the whole block's error.
template <class Fitter>
TESSERA_NOINLINE Encoded encode_three_colors(const BlockLanes& block, I32 excluded,
                                             I32 free_of_charge4, const Settings& settings,
                                             const Fitter& fitter) {
  BlockLanes rest;
  exclude_texels(block, excluded, rest);
  Fit fit = fitter.template fit<2>(rest, settings);
  descend<2>(rest, settings, fit);
  // Errors leave out the squares of all fitted texels. Excluded texels are black, which costs just
  // their squares; transparent ones cost nothing, so theirs must come off.
  return {three_color_words(fit.first, fit.second, fit.steps), fit.error4 - free_of_charge4};
}

template <class Fitter>
TESSERA_NOINLINE void add_three_colors(const BlockLanes& block, const Settings& settings,
                                       const Fitter& fitter, Encoded& best) {
  const I32 none = all_lanes(0);
  const I32 transparent =
      settings.punch_through ? transparent_texels(block, settings.alpha_threshold) : none;
  const LaneMask has_transparent = !(transparent == none);
  I32 transparent4 = none;
  if (lanes::any_lane(has_transparent)) {
    BlockLanes opaque;
    exclude_texels(block, transparent, opaque);
    transparent4 = square_sum4(block, settings) - square_sum4(opaque, settings);
    best.error4 = lanes::select(has_transparent, all_lanes(INT32_MAX), best.error4);
  } else if (!settings.three_colors && !settings.dark_transparent) {
    return;
  }
  const LaneMask every = none == none;
  if (settings.three_colors || lanes::any_lane(has_transparent)) {
    const Encoded next = encode_three_colors(block, transparent, transparent4, settings, fitter);
    keep_better(settings.three_colors ? every : has_transparent, next, best);
  }
  if (settings.dark_transparent) {
    const I32 excluded = transparent | dark_texels(block);
    if (lanes::any_lane(!(excluded == transparent))) {
      keep_better(every, encode_three_colors(block, excluded, transparent4, settings, fitter),
                  best);
    }
  }
}

template <int kSteps>
TESSERA_NOINLINE Encoded solid_words(const Color& color, const Settings& settings) {
  const SolidTable& table = solid_table(settings.rounding, kSteps);
  const I32 r = lanes::gather(table.five.data(), color.r);
  const I32 g = lanes::gather(table.six.data(), color.g);
  const I32 b = lanes::gather(table.five.data(), color.b);
  const I32 byte = all_lanes(0xFF);
  const auto second = [&](I32 v) { return lanes::shift_right_logical<8>(v) & byte; };
  const auto cost = [&](I32 v, size_t c) {
    return lanes::shift_right_logical<16>(v) * all_lanes(static_cast<int32_t>(settings.weights[c]));
  };
  const I32 first = pack_565({r & byte, g & byte, b & byte});
  const I32 last = pack_565({second(r), second(g), second(b)});
  const I32 steps = all_lanes(0x55555555);
  // 4 times the error of sixteen texels
  const I32 error4 = lanes::shift_left<6>(cost(r, 0) + cost(g, 1) + cost(b, 2));
  if constexpr (kSteps == 3) {
    return {four_color_words(first, last, steps), error4};
  } else {
    return {three_color_words(first, last, steps), error4};
  }
}

TESSERA_NOINLINE void add_solid(const BlockLanes& block, const Settings& settings, Encoded& best) {
  const I32 rgb = all_lanes(0xFFFFFF);
  I32 different = all_lanes(0);
  for (size_t i = 1; i < kBlockTexels; ++i) {
    different = different | (lanes::as_i32(block.texels[i]) ^ lanes::as_i32(block.texels[0]));
  }
  LaneMask solid = (different & rgb) == all_lanes(0);
  if (settings.punch_through) {
    solid = solid & (transparent_texels(block, settings.alpha_threshold) == all_lanes(0));
  }
  if (!lanes::any_lane(solid)) {
    return;
  }
  const Color color = unpack_color(block.texels[0]);
  const I32 squares4 = square_sum4(block, settings);
  const auto offer = [&](const Encoded& next) {
    keep_better(solid, {next.words, next.error4 - squares4}, best);
  };
  offer(solid_words<3>(color, settings));
  if (settings.three_colors) {
    offer(solid_words<2>(color, settings));
  }
}

// Fitter: fit<kSteps>(block, settings) gives the Fit of a group of blocks.
template <class Fitter>
TESSERA_INLINE void encode_lanes_fit(const TexelRows& rows, const Settings& settings,
                                     const Fitter& fitter, uint32_t* TESSERA_RESTRICT out) {
  BlockLanes block;
  load_block_lanes(rows, block);
  Fit fit = fitter.template fit<3>(block, settings);
  descend<3>(block, settings, fit);
  Encoded best = {four_color_words(fit.first, fit.second, fit.steps), fit.error4};
  add_three_colors(block, settings, fitter, best);
  add_solid(block, settings, best);
  lanes::store_block_words(best.words.colors, best.words.selectors, out);
}

template <class Fitter>
TESSERA_INLINE void encode_rows_fit(const RowRange& range, const Settings& settings,
                                    const Fitter& fitter, std::span<uint8_t> out) {
  encode_block_rows(range.image, range.slice, range.first_row, range.end_row, out,
                    [&](const TexelRows& rows, uint32_t* words) {
                      encode_lanes_fit(rows, settings, fitter, words);
                    });
}

}  // namespace tessera::bc1::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_BC_ENCODE_FIT_INL_H_
