// Stage 3, two planes of weights in blocks with one partition: one of them for a channel, the other
// for the line of the others.
#if defined(TESSERA_ASTC_RANK_TWO_PLANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_RANK_TWO_PLANES_INL_H_
#undef TESSERA_ASTC_RANK_TWO_PLANES_INL_H_
#else
#define TESSERA_ASTC_RANK_TWO_PLANES_INL_H_
#endif

#include "astc/encode/rank-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The channel best given a plane of its own: the one without which the others lie nearest to a
// line.
TESSERA_INLINE I32 choose_plane2_channel_of_4(const Covariances& c, LaneMask grey) {
  F32 least = all_lanes_f32(1e30F);
  I32 channel = all_lanes(3);
  for (unsigned i = 0; i < 4; ++i) {
    // Ties go to alpha, and grey must stay grey.
    const unsigned candidate = 3 - i;
    const Covariances rest = without_channel(c, all_lanes(static_cast<int32_t>(candidate)));
    const F32 off_line = trace<4>(rest) - principal_axis<4>(rest).energy;
    LaneMask better = off_line < least;
    if (candidate != 3) {
      better = better & !grey;
    }
    least = lanes::select(better, off_line, least);
    channel = lanes::select(better, all_lanes(static_cast<int32_t>(candidate)), channel);
  }
  return channel;
}

// The same of red, green and blue, where the smaller eigenvalue of two channels tells.
TESSERA_INLINE I32 choose_plane2_channel_of_3(const Covariances& c) {
  const auto smaller_eigenvalue = [&](unsigned i, unsigned k) {
    const F32 sum = c.at[i][i] + c.at[k][k];
    const F32 difference = c.at[i][i] - c.at[k][k];
    return sum -
           lanes::square_root(difference * difference + all_lanes_f32(4) * c.at[i][k] * c.at[i][k]);
  };
  const F32 without_red = smaller_eigenvalue(1, 2);
  const F32 without_green = smaller_eigenvalue(0, 2);
  const F32 without_blue = smaller_eigenvalue(0, 1);
  const LaneMask red_before_green = without_red < without_green;
  const I32 first = lanes::select(red_before_green, all_lanes(0), all_lanes(1));
  return lanes::select(without_blue < lanes::min(without_red, without_green), all_lanes(2), first);
}

TESSERA_INLINE void channel_positions(const TexelPlanes& planes, unsigned texel_count, I32 channel,
                                      F32* position) {
  const LaneMask is_green = channel == all_lanes(1), is_blue = channel == all_lanes(2),
                 is_alpha = channel == all_lanes(3);
  for (unsigned i = 0; i < texel_count; ++i) {
    F32 value = lanes::select(is_green, planes.at(1, i), planes.at(0, i));
    value = lanes::select(is_blue, planes.at(2, i), value);
    position[i] = lanes::select(is_alpha, planes.at(3, i), value);
  }
}

// Of red, green and blue.
TESSERA_RARE void mean_color(const TexelPlanes& planes, unsigned texel_count, const Inside& inside,
                             F32 mean[3]) {
  for (unsigned i = 0; i < 3; ++i) {
    F32 sum = all_lanes_f32(0);
    for (unsigned t = 0; t < texel_count; ++t) {
      sum = sum + inside.keep(t, planes.at(i, t));
    }
    mean[i] = sum / inside.count();
  }
}

// The lanes' blocks with two planes, one of them for `channel`.
template <unsigned kChannels>
TESSERA_SHARED void rank_plane2_channel(const RankContext& context, const TexelPlanes& planes,
                                        const BlockTraits& traits, const Covariances& c,
                                        const Inside& inside, I32 channel, LaneMask eligible,
                                        BestConfigurations& best) {
  const unsigned texel_count = context.size.texel_count();
  const F32 texels_inside = inside.count();
  const Covariances rest = without_channel(c, channel);
  const Axis axis = principal_axis<kChannels>(rest);
  F32 position[kLaneTexels];
  PlaneShape first, second;
  project<kChannels>(planes, texel_count, axis.direction, position);
  measure_shape(context.tables, context.size, context.settings.measures_rounding, position, nullptr,
                first);
  channel_positions(planes, texel_count, channel, position);
  measure_shape(context.tables, context.size, context.settings.measures_rounding, position, nullptr,
                second);
  Estimate estimate = {lanes::max(trace<kChannels>(rest) - axis.energy, all_lanes_f32(0)),
                       (first.squared_length + second.squared_length) * texels_inside, &first,
                       &second};
  const F32 color[3] = {planes.at(0, 0), planes.at(1, 0), planes.at(2, 0)};
  const F32 counted =
      rounded_texels(context, texels_inside,
                     lanes::max(first.squared_length, second.squared_length), nullptr, color);
  const I32 details = lanes::shift_left<Configuration::kChannelShift>(channel);
  OffStoredLines off;
  off.line[0] = estimate.off_line;
  unsigned ways = 1;
  if (kChannels == 4 && stores_colors_plainly_beside_alpha(context)) {
    F32 mean[3];
    mean_color(planes, texel_count, inside, mean);
    off = off_stored_lines(context, rest, mean, texels_inside, estimate.off_line);
    ways = kStorageCount;
  }
  const LaneMask by_alpha = eligible & (channel == all_lanes(3)) & !traits.opaque & !traits.grey;
  TESSERA_LOOP
  for (unsigned saved = 0; saved < ways; ++saved) {
    estimate.off_line = off.line[saved];
    rank_families(context, {ColorClass::kRgb, 1, true, static_cast<uint8_t>(saved)}, traits,
                  estimate, counted, details, saved == 0 ? eligible : by_alpha, best);
  }
}

template <unsigned kChannels>
TESSERA_INLINE void rank_group_two_planes(const RankContext& context, const TexelPlanes& planes,
                                          const BlockTraits& traits, const Inside& inside,
                                          const int32_t* blocks, size_t block_count, Chunk& chunk) {
  const I32 block = lanes::load_i32(blocks);
  const Covariances c = gather_covariances(block, chunk);
  BestConfigurations best(context.settings.single_fits());
  best.gather(block, chunk);
  I32 promising = choose_plane2_channel_of_3(c);
  if constexpr (kChannels == 4) {
    promising = lanes::select(traits.opaque, promising, choose_plane2_channel_of_4(c, traits.grey));
  }
  const LaneMask all = lanes::every_lane(true);
  rank_plane2_channel<kChannels>(context, planes, traits, c, inside, promising, all, best);
  for (int32_t i = 0; context.settings.every_plane2_channel && i < static_cast<int32_t>(kChannels);
       ++i) {
    const I32 channel = all_lanes(i);
    LaneMask eligible = !(channel == promising);
    if (i == 3) {
      eligible = eligible & !traits.opaque;
    } else {
      eligible = eligible & !traits.grey;
    }
    if (lanes::any_lane(eligible)) {
      rank_plane2_channel<kChannels>(context, planes, traits, c, inside, channel, eligible, best);
    }
  }
  best.scatter(blocks, block_count, chunk);
}

// The first `count` blocks of chunk.found, with two planes.
template <class Texels>
TESSERA_INLINE void rank_with_two_planes(const EncodeTables& tables, const EncodeSettings& settings,
                                         size_t count, TexelChunk<Texels>& chunk) {
  const RankContext context = rank_context(tables, settings);
  TexelPlanes planes;
  select_by_class(count, chunk);
  for_selected_blocks(
      context, count, planes, chunk,
      [&](const TexelPlanes& p, const BlockTraits& traits, const Inside& inside,
          const int32_t* blocks, size_t block_count) {
        if (lanes::any_lane(!traits.opaque)) {
          rank_group_two_planes<4>(context, p, traits, inside, blocks, block_count, chunk);
        } else {
          rank_group_two_planes<3>(context, p, traits, inside, blocks, block_count, chunk);
        }
      });
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_RANK_TWO_PLANES_INL_H_
