// Stage 3, several partitions with two planes of weights: one for a channel, one for the line
// of the others in each part.
#if defined(TESSERA_ASTC_RANK_PART_PLANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_RANK_PART_PLANES_INL_H_
#undef TESSERA_ASTC_RANK_PART_PLANES_INL_H_
#else
#define TESSERA_ASTC_RANK_PART_PLANES_INL_H_
#endif

#include "astc/encode/lane_patterns-inl.h"
#include "astc/encode/rank-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Positions of the texels on the lines of their own parts become positions between the ends of
// those, all scaled to the mean squared length, so that their transform tells the loss in units of
// colour. `shares` become the squared lengths of the texels' lines as parts of the mean one: what
// rounding a weight costs there. Returns the sum over texels of their lines' squared lengths.
TESSERA_INLINE F32 scale_positions(const LanePatterns& pattern, unsigned partitions,
                                   unsigned texel_count, F32* position, F32* shares) {
  F32 low[kMaxPartitions], high[kMaxPartitions], texels[kMaxPartitions], scale[kMaxPartitions];
  F32 share[kMaxPartitions];
  for (unsigned p = 0; p < partitions; ++p) {
    low[p] = all_lanes_f32(1e30F);
    high[p] = all_lanes_f32(-1e30F);
    texels[p] = all_lanes_f32(0);
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    const I32 partition = pattern.of_texel(t);
    for (unsigned p = 0; p < partitions; ++p) {
      const LaneMask m = partition == all_lanes(static_cast<int32_t>(p));
      low[p] = lanes::select(m, lanes::min(low[p], position[t]), low[p]);
      high[p] = lanes::select(m, lanes::max(high[p], position[t]), high[p]);
      texels[p] = texels[p] + lanes::zero_unless(m, all_lanes_f32(1));
    }
  }
  F32 squared_length = all_lanes_f32(0);
  for (unsigned p = 0; p < partitions; ++p) {
    const F32 length = high[p] - low[p];
    squared_length = squared_length + length * length * texels[p];
  }
  const F32 per_texel = all_lanes_f32(1.0F / static_cast<float>(texel_count));
  const F32 mean_length = lanes::square_root(squared_length * per_texel);
  const F32 per_length = all_lanes_f32(1) / lanes::max(mean_length, all_lanes_f32(0.125F));
  TESSERA_LOOP
  for (unsigned p = 0; p < partitions; ++p) {
    const F32 length = high[p] - low[p];
    scale[p] = mean_length / lanes::max(length, all_lanes_f32(0.125F));
    share[p] = length * per_length * (length * per_length);
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    const I32 partition = pattern.of_texel(t);
    F32 scaled = (position[t] - low[0]) * scale[0], of_line = share[0];
    for (unsigned p = 1; p < partitions; ++p) {
      const LaneMask m = partition == all_lanes(static_cast<int32_t>(p));
      scaled = lanes::select(m, (position[t] - low[p]) * scale[p], scaled);
      of_line = lanes::select(m, share[p], of_line);
    }
    position[t] = scaled;
    shares[t] = of_line;
  }
  return squared_length;
}

// What the texels of one part have in common.
struct PartColors {
  F32 texels;
  F32 mean[4];
  Covariances c;
};

template <unsigned kChannels>
TESSERA_INLINE void measure_part(const TexelPlanes& planes, unsigned texel_count,
                                 const LanePatterns& pattern, unsigned part, PartColors& result) {
  constexpr unsigned kProducts = kChannels * (kChannels + 1) / 2;
  F32 n = all_lanes_f32(0), sum[kChannels], product[kProducts];
  for (F32& s : sum) {
    s = all_lanes_f32(0);
  }
  for (F32& p : product) {
    p = all_lanes_f32(0);
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    const LaneMask m = pattern.is_in(t, part);
    n = n + lanes::zero_unless(m, all_lanes_f32(1));
    F32 x[kChannels];
    for (unsigned i = 0; i < kChannels; ++i) {
      x[i] = lanes::zero_unless(m, planes.at(i, t) - planes.at(i, 0));
      sum[i] = sum[i] + x[i];
    }
    add_products(x, product, std::make_integer_sequence<unsigned, kProducts>());
  }
  const F32 per_texel = all_lanes_f32(1) / lanes::max(n, all_lanes_f32(1));
  result.texels = n;
  Covariances& c = result.c;
  for (unsigned i = 0; i < 4; ++i) {
    result.mean[i] = planes.at(i, 0);
    if (i < kChannels) {
      result.mean[i] = result.mean[i] + sum[i % kChannels] * per_texel;
    }
    for (unsigned k = 0; k <= i; ++k) {
      c.at[i][k] = i < kChannels ? product[(i * (i + 1) / 2 + k) % kProducts] -
                                       sum[i % kChannels] * sum[k % kChannels] * per_texel
                                 : all_lanes_f32(0);
      c.at[k][i] = c.at[i][k];
    }
  }
}

// Positions of the texels on the lines of their own parts, without a channel.
template <unsigned kChannels>
TESSERA_INLINE OffStoredLines project_without_channel(const RankContext& context,
                                                      const TexelPlanes& planes,
                                                      const LanePatterns& pattern,
                                                      const PartColors* part, unsigned partitions,
                                                      I32 channel, F32* position) {
  OffStoredLines off = {{all_lanes_f32(0), all_lanes_f32(0), all_lanes_f32(0)}};
  TESSERA_LOOP
  for (unsigned p = 0; p < partitions; ++p) {
    const Covariances rest = without_channel(part[p].c, channel);
    const Axis axis = principal_axis<kChannels>(rest);
    const F32 off_line = lanes::max(trace<kChannels>(rest) - axis.energy, all_lanes_f32(0));
    const OffStoredLines of_part =
        off_stored_lines(context, rest, part[p].mean, part[p].texels, off_line);
    for (unsigned k = 0; k < kStorageCount; ++k) {
      off.line[k] = off.line[k] + of_part.line[k];
    }
    F32 on_axis[kLaneTexels];
    project<kChannels>(planes, context.size.texel_count(), axis.direction, on_axis);
    for (unsigned t = 0; t < context.size.texel_count(); ++t) {
      position[t] =
          p == 0 ? on_axis[t] : lanes::select(pattern.is_in(t, p), on_axis[t], position[t]);
    }
  }
  return off;
}

// Enters the modes of one pattern, with each channel in turn in the second plane.
template <unsigned kChannels>
TESSERA_NOINLINE void rank_planes_of_parts(const RankContext& context, const TexelPlanes& planes,
                                           const BlockTraits& traits, const LanePatterns& pattern,
                                           unsigned partitions, F32 texels_inside, I32 details,
                                           BestConfigurations& best) {
  const unsigned texel_count = context.size.texel_count();
  const bool rounds = context.settings.measures_rounding;
  PartColors part[kMaxPartitions];
  TESSERA_LOOP
  for (unsigned p = 0; p < partitions; ++p) {
    measure_part<kChannels>(planes, texel_count, pattern, p, part[p]);
  }
  TESSERA_LOOP
  for (unsigned i = 0; i < kChannels; ++i) {
    const I32 channel = all_lanes(static_cast<int32_t>(i));
    // Opaque blocks gain nothing by it.
    LaneMask eligible = !traits.opaque;
    if (i != 3) {
      eligible = eligible & !traits.grey;
    }
    const unsigned ways = i == 3 && stores_colors_plainly_beside_alpha(context) ? kStorageCount : 1;
    F32 position[kLaneTexels];
    const OffStoredLines off = project_without_channel<kChannels>(context, planes, pattern, part,
                                                                  partitions, channel, position);
    PlaneShape first, second;
    F32 shares[kLaneTexels];
    F32 squared_length = scale_positions(pattern, partitions, texel_count, position, shares);
    measure_shape(context.tables, context.size, rounds, position, shares, first);
    for (unsigned t = 0; t < texel_count; ++t) {
      position[t] = planes.at(i, t);
    }
    squared_length =
        squared_length + scale_positions(pattern, partitions, texel_count, position, shares);
    measure_shape(context.tables, context.size, rounds, position, shares, second);
    TESSERA_LOOP
    for (unsigned k = 0; k < ways; ++k) {
      const Estimate estimate = {off.line[k], squared_length, &first, &second};
      call_rank_families(context,
                         {ColorClass::kRgb, static_cast<uint8_t>(partitions), true,
                          static_cast<uint8_t>(k * partitions)},
                         traits, estimate, texels_inside,
                         details | lanes::shift_left<Configuration::kChannelShift>(channel),
                         k == 0 ? eligible : eligible & !traits.grey, best);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_RANK_PART_PLANES_INL_H_
