// Stage 3, several partitions: finds patterns for a block, and enters the block modes for the
// best of them.
#if defined(TESSERA_ASTC_RANK_PARTITIONS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_RANK_PARTITIONS_INL_H_
#undef TESSERA_ASTC_RANK_PARTITIONS_INL_H_
#else
#define TESSERA_ASTC_RANK_PARTITIONS_INL_H_
#endif

#include "astc/encode/cluster-inl.h"
#include "astc/encode/encoder_scope.h"
#include "astc/encode/rank_part_planes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

TESSERA_INLINE F32 dot(const F32 a[4], const F32 b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

template <unsigned kChannels>
TESSERA_INLINE void project_on_plane(const TexelPlanes& planes, const Covariances& c,
                                     unsigned texel_count, PlanarTexels& planar) {
  const Axis first = principal_axis<kChannels>(c);
  Covariances rest = c;
  for (unsigned i = 0; i < kChannels; ++i) {
    for (unsigned k = 0; k < kChannels; ++k) {
      rest.at[i][k] = c.at[i][k] - first.energy * first.direction[i] * first.direction[k];
    }
  }
  Axis second = principal_axis<kChannels>(rest);
  // Colours on one line leave nothing but rounding errors, whose direction means nothing.
  const LaneMask is_plane = second.energy > first.energy * all_lanes_f32(1e-5F);
  for (F32& component : second.direction) {
    component = lanes::zero_unless(is_plane, component);
  }
  planar.off_plane =
      lanes::max(trace<kChannels>(c) - first.energy - second.energy, all_lanes_f32(0));
  const F32 per_texel = all_lanes_f32(1.0F / static_cast<float>(texel_count));
  for (unsigned i = 0; i < 4; ++i) {
    planar.axis_a[i] = first.direction[i];
    planar.axis_b[i] = second.direction[i];
    planar.mean[i] = all_lanes_f32(0);
    for (unsigned t = 0; t < texel_count; ++t) {  // alpha, too: it may vary in other lanes
      planar.mean[i] = planar.mean[i] + planes.channel[i][t];
    }
    planar.mean[i] = planar.mean[i] * per_texel;
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    planar.a[t] = planar.b[t] = all_lanes_f32(0);
    for (unsigned i = 0; i < kChannels; ++i) {
      const F32 d = planes.channel[i][t] - planar.mean[i];
      planar.a[t] = planar.a[t] + d * planar.axis_a[i];
      planar.b[t] = planar.b[t] + d * planar.axis_b[i];
    }
  }
}

// The leading eigenvector of a 2x2 matrix, and its eigenvalue.
struct PlanarAxis {
  F32 a, b, energy;
};

TESSERA_INLINE PlanarAxis leading_axis(const Spread& s) {
  const F32 half = all_lanes_f32(0.5F);
  const F32 difference = (s.aa - s.bb) * half;
  const F32 radius = lanes::square_root(difference * difference + s.ab * s.ab);
  const LaneMask a_leads = s.aa > s.bb;
  // Of the two forms of the eigenvector, the one without cancellation.
  F32 a = lanes::select(a_leads, difference + radius, s.ab);
  F32 b = lanes::select(a_leads, s.ab, radius - difference);
  const F32 length = lanes::square_root(a * a + b * b);
  const LaneMask usable = length > all_lanes_f32(0);
  const F32 shorten = all_lanes_f32(1) / lanes::select(usable, length, all_lanes_f32(1));
  a = lanes::select(usable, a * shorten, all_lanes_f32(1));
  b = lanes::zero_unless(usable, b * shorten);
  return {a, b, s.trace() * half + radius};
}

// One part of a block under a pattern.
struct Part {
  F32 texels;
  Moments moments;
  Spread around_mean;
  PlanarAxis axis;
};

class PatternEstimate {
 public:
  // `alpha` may be null: then no texel has any.
  TESSERA_INLINE PatternEstimate(const RankContext& context, const PlanarTexels& texels,
                                 const F32* alpha, const LanePatterns& pattern, unsigned partitions)
      : context_(context), texels_(texels), pattern_(pattern), partitions_(partitions) {
    find_opaque_parts(alpha);
    measure_parts();
    measure_positions();
  }

  TESSERA_INLINE LaneMask is_opaque(unsigned p) const { return opaque_[p]; }

  TESSERA_INLINE Estimate estimate() const {
    F32 off_line = texels_.off_plane;
    for (unsigned p = 0; p < partitions_; ++p) {
      off_line = off_line + off_free_line(p);
    }
    return {off_line, squared_length_, &shape_, nullptr};
  }

  // What it adds to the distance if the colours of a part have to lie on a line through black, or
  // in HDR on one along the direction of greys. Alpha has values of its own.
  TESSERA_INLINE F32 cost_of_black(unsigned p) const {
    if (context_.is_hdr) {
      F32 grey[4];
      grey_direction(grey);
      return lanes::max(part_[p].around_mean.trace() - energy_with_alpha(part_[p], grey),
                        all_lanes_f32(0)) -
             off_free_line(p);
    }
    F32 mean[4];
    mean_color(part_[p], mean);
    const F32 length = lanes::square_root(lanes::max(dot(mean, mean), all_lanes_f32(1)));
    const F32 shorten = all_lanes_f32(1) / length;
    for (F32& component : mean) {
      component = component * shorten;
    }
    const F32 energy = energy_with_alpha(part_[p], mean);
    return lanes::max(part_[p].around_mean.trace() - energy, all_lanes_f32(0)) - off_free_line(p);
  }

  // The same if all its colours have to be greys.
  TESSERA_INLINE F32 cost_of_grey(unsigned p) const {
    F32 mean[4], grey[4];
    mean_color(part_[p], mean);
    grey_direction(grey);
    const F32 mean_on_grey = dot(mean, grey);
    const F32 off_grey = dot(mean, mean) - mean_on_grey * mean_on_grey;
    return part_[p].around_mean.trace() - energy_with_alpha(part_[p], grey) +
           part_[p].texels * off_grey - off_free_line(p);
  }

  // The number of texels that the rounding of endpoints counts for.
  TESSERA_INLINE F32 rounded_texels_of(F32 texels_inside) const {
    const F32 per_texel = all_lanes_f32(1.0F / static_cast<float>(context_.size.texel_count()));
    return rounded_texels(context_, texels_inside, squared_length_ * per_texel, nullptr,
                          texels_.mean);
  }

 private:
  TESSERA_INLINE void grey_direction(F32 grey[4]) const {
    for (unsigned i = 0; i < 4; ++i) {
      grey[i] = all_lanes_f32(i == 3 ? 0 : context_.grey[i]);
    }
  }

  // Without alpha.
  TESSERA_INLINE void mean_color(const Part& part, F32 mean[4]) const {
    const F32 per_texel = all_lanes_f32(1) / lanes::max(part.texels, all_lanes_f32(1));
    const F32 mean_a = part.moments.a * per_texel, mean_b = part.moments.b * per_texel;
    for (unsigned i = 0; i < 3; ++i) {
      mean[i] = texels_.mean[i] + mean_a * texels_.axis_a[i] + mean_b * texels_.axis_b[i];
    }
    mean[3] = all_lanes_f32(0);
  }

  // Energy along the best line in the plane of a direction among colours, of length 1, and alpha.
  TESSERA_INLINE F32 energy_with_alpha(const Part& part, const F32 direction[4]) const {
    const F32 a = dot(direction, texels_.axis_a), b = dot(direction, texels_.axis_b);
    const F32 alpha_a = texels_.axis_a[3], alpha_b = texels_.axis_b[3];
    const Spread& s = part.around_mean;
    const F32 to_a = s.aa * a + s.ab * b, to_b = s.ab * a + s.bb * b;
    const Spread in_plane = {
        a * to_a + b * to_b, alpha_a * to_a + alpha_b * to_b,
        s.aa * alpha_a * alpha_a + s.bb * alpha_b * alpha_b + (s.ab + s.ab) * alpha_a * alpha_b};
    return leading_axis(in_plane).energy;
  }

  TESSERA_INLINE F32 off_free_line(unsigned p) const {
    return lanes::max(part_[p].around_mean.trace() - part_[p].axis.energy, all_lanes_f32(0));
  }

  TESSERA_INLINE LaneMask is_part(I32 partition, unsigned p) const {
    return partition == all_lanes(static_cast<int32_t>(p));
  }

  TESSERA_INLINE void find_opaque_parts(const F32* alpha) {
    for (unsigned p = 0; p < partitions_; ++p) {
      opaque_[p] = lanes::every_lane(true);
    }
    const F32 least = all_lanes_f32(254.5F * std::sqrt(context_.settings.channel_weights[3]));
    for (unsigned t = 0; alpha != nullptr && t < context_.size.texel_count(); ++t) {
      const I32 partition = pattern_.of_texel(t);
      const LaneMask has_alpha = alpha[t] < least;
      for (unsigned p = 0; p < partitions_; ++p) {
        opaque_[p] = opaque_[p] & !(is_part(partition, p) & has_alpha);
      }
    }
  }

  TESSERA_INLINE void measure_parts() {
    const F32 zero = all_lanes_f32(0);
    for (unsigned p = 0; p < partitions_; ++p) {
      part_[p].texels = zero;
      part_[p].moments = {zero, zero, zero, zero, zero};
    }
    const unsigned texel_count = context_.size.texel_count();
    for (unsigned t = 0; t < texel_count; ++t) {
      const F32 a = texels_.a[t], b = texels_.b[t];
      const Moments texel = {a, b, a * a, a * b, b * b};
      const I32 partition = pattern_.of_texel(t);
      for (unsigned p = 0; p < partitions_; ++p) {
        const LaneMask m = is_part(partition, p);
        part_[p].texels = part_[p].texels + lanes::zero_unless(m, all_lanes_f32(1));
        part_[p].moments = part_[p].moments +
                           Moments{lanes::zero_unless(m, texel.a), lanes::zero_unless(m, texel.b),
                                   lanes::zero_unless(m, texel.aa), lanes::zero_unless(m, texel.ab),
                                   lanes::zero_unless(m, texel.bb)};
      }
    }
    for (unsigned p = 0; p < partitions_; ++p) {
      const F32 per_texel = all_lanes_f32(1) / lanes::max(part_[p].texels, all_lanes_f32(1));
      part_[p].around_mean = spread(part_[p].moments, per_texel);
      part_[p].axis = leading_axis(part_[p].around_mean);
    }
  }

  TESSERA_INLINE void measure_positions() {
    const unsigned texel_count = context_.size.texel_count();
    F32 position[kLaneTexels];
    for (unsigned t = 0; t < texel_count; ++t) {
      const I32 partition = pattern_.of_texel(t);
      F32 a = part_[0].axis.a, b = part_[0].axis.b;
      for (unsigned p = 1; p < partitions_; ++p) {
        a = lanes::select(is_part(partition, p), part_[p].axis.a, a);
        b = lanes::select(is_part(partition, p), part_[p].axis.b, b);
      }
      position[t] = texels_.a[t] * a + texels_.b[t] * b;
    }
    squared_length_ = scale_positions(pattern_, partitions_, texel_count, position);
    measure_shape(context_.tables, context_.size, context_.settings.measures_rounding, position,
                  shape_);
  }

  const RankContext& context_;
  const PlanarTexels& texels_;
  const LanePatterns& pattern_;
  unsigned partitions_;
  Part part_[kMaxPartitions];
  LaneMask opaque_[kMaxPartitions];
  F32 squared_length_;
  PlaneShape shape_;
};

// Settings never ask for it for small blocks (see effort_settings()), which kernels of a fixed size
// make use of.
inline constexpr bool kMayFavorTwoColors = !kHasFixedSize || kLaneTexels > 20;

TESSERA_INLINE bool favors_two_colors(const EncodeSettings& settings) {
  return kMayFavorTwoColors && settings.favors_two_colors;
}

// Finds patterns of so many partitions for the lanes' blocks by their scores.
class PatternsByMoments {
 public:
  TESSERA_INLINE PatternsByMoments(const RankContext& context, const PlanarTexels& planar,
                                   LaneMask opaque)
      : context_(context),
        opaque_(opaque),
        moments_(planar, context.size.texel_count(), favors_two_colors(context.settings)) {}

  TESSERA_INLINE void find(unsigned partitions, TopPatterns& best) const {
    const PatternTable& table = context_.tables.patterns(partitions);
    const size_t tried = context_.settings.partitions[partitions - 2].tried;
    if (favors_two_colors(context_.settings)) {
      score_patterns<true>(table, partitions, tried, opaque_, moments_, best);
    } else {
      score_patterns<false>(table, partitions, tried, opaque_, moments_, best);
    }
  }

 private:
  const RankContext& context_;
  LaneMask opaque_;
  SubsetMoments moments_;
};

// The same by clustering.
TESSERA_INLINE void find_patterns_by_clusters(const RankContext& context, const TexelPlanes& planes,
                                              const PlanarTexels& planar, unsigned partitions,
                                              TopPatterns& best) {
  const PatternTable& table = context.tables.patterns(partitions);
  const PartitionSearch search = context.settings.partition_search;
  constexpr unsigned kIterations = 4;
  Clustering clustering(planes, context.size.texel_count(), partitions);
  if (search == PartitionSearch::kKmeansPlusPlus) {
    clustering.start_at_random();
  } else {
    clustering.start_from_distant_colors(planar.mean);
  }
  clustering.iterate(kIterations);
  const bool has_table = context.size.texel_count() == 16 && partitions == 2;
  if (search == PartitionSearch::kTable && has_table) {
    best.insert(all_lanes_f32(0), lanes::gather(context.tables.patterns_nearest_to_groups.data(),
                                                clustering.members(0).words[0]));
    return;
  }
  match_patterns(table, partitions, context.size.texel_count(), clustering, best);
}

// What the distance of each partition grows by with two neighbouring ways of storing.
struct StorageCosts {
  F32 full[kMaxPartitions];
  F32 reduced[kMaxPartitions];
  F32 reduced_alike[kMaxPartitions];  // the reduced way where all partitions share a mode
};

// Enters the modes that store some partitions, or all, in a reduced way: those that lose least by
// it. `family` is the one that reduces none.
TESSERA_INLINE void rank_reduced(const RankContext& context, Family family, Estimate estimate,
                                 const StorageCosts& costs, const BlockTraits& traits,
                                 F32 texels_inside, I32 details, LaneMask eligible,
                                 BestConfigurations& best) {
  I32 place[kMaxPartitions];  // by what reducing costs
  const unsigned partitions = family.partitions;
  for (unsigned p = 0; p < partitions; ++p) {
    place[p] = all_lanes(0);
    for (unsigned q = 0; q < p; ++q) {
      const LaneMask earlier = costs.reduced[p] - costs.full[p] < costs.reduced[q] - costs.full[q];
      place[q] = place[q] + lanes::zero_unless(earlier, all_lanes(1));
      place[p] = place[p] + lanes::zero_unless(!earlier, all_lanes(1));
    }
  }
  const F32 before = estimate.off_line;
  const unsigned saved_before = family.saved_pairs;
  const unsigned fewest = context.settings.mixed_modes ? 1 : partitions;
  for (unsigned reduced = fewest; reduced <= partitions; ++reduced) {
    estimate.off_line = before;
    I32 which = all_lanes(0);
    for (unsigned p = 0; p < partitions; ++p) {
      const LaneMask is_reduced = place[p] < all_lanes(static_cast<int32_t>(reduced));
      estimate.off_line =
          estimate.off_line + (reduced == partitions
                                   ? costs.reduced_alike[p]
                                   : lanes::select(is_reduced, costs.reduced[p], costs.full[p]));
      if (p > 0) {
        which = which | lanes::zero_unless(is_reduced,
                                           all_lanes(1 << (Configuration::kReducedShift + p - 1)));
      }
    }
    family.saved_pairs = static_cast<uint8_t>(saved_before + reduced);
    rank_families(context, family, traits, estimate, texels_inside, details | which, eligible,
                  best);
  }
}

// Enters the modes of a pattern, with every way of storing colours.
TESSERA_INLINE void rank_pattern(const RankContext& context, const PatternEstimate& of_pattern,
                                 Family family, const BlockTraits& traits, F32 all_inside,
                                 I32 details, LaneMask eligible, BestConfigurations& best) {
  const Estimate estimate = of_pattern.estimate();
  const F32 texels_inside = of_pattern.rounded_texels_of(all_inside);
  rank_families(context, family, traits, estimate, texels_inside, details, eligible, best);
  if (!context.settings.base_scale) {
    return;
  }
  StorageCosts scaled, grey;
  for (unsigned p = 0; p < family.partitions; ++p) {
    // In a block with alpha, a partition without it is stored the way before.
    const LaneMask opaque = of_pattern.is_opaque(p) & !traits.opaque;
    const F32 of_black = of_pattern.cost_of_black(p), of_grey = of_pattern.cost_of_grey(p);
    scaled.full[p] = all_lanes_f32(0);
    scaled.reduced_alike[p] = of_black;
    scaled.reduced[p] = lanes::zero_unless(!opaque, of_black);
    grey.full[p] = scaled.reduced[p];
    grey.reduced_alike[p] = of_grey;
    grey.reduced[p] = lanes::select(opaque, of_black, of_grey);
  }
  rank_reduced(context, family, estimate, scaled, traits, texels_inside, details, eligible, best);
  family.saved_pairs = family.partitions;
  rank_reduced(context, family, estimate, grey, traits, texels_inside, details, eligible, best);
}

// Two axes tell less of four channels than of three: with alpha, all patterns are tried, and twice
// as many kept.
template <unsigned kChannels>
TESSERA_INLINE unsigned kept_patterns(const EncodeSettings& settings, unsigned partitions) {
  const unsigned kept = settings.partitions[partitions - 2].kept;
  return kChannels == 4 ? 2 * kept : kept;
}

// Enters the modes of the patterns that find(partitions, patterns) lists.
template <unsigned kChannels, class Find>
TESSERA_INLINE void rank_found_patterns(const RankContext& context, const TexelPlanes& planes,
                                        const PlanarTexels& planar, const BlockTraits& traits,
                                        const Inside& inside, const int32_t* blocks,
                                        size_t block_count, Chunk& chunk, const Find& find) {
  const I32 block = lanes::load_i32(blocks);
  const F32 texels_inside = inside.count();
  const unsigned own = context.settings.reserved_fits();
  BestConfigurations best(own > 0 ? own : context.settings.fits,
                          own > 0 ? context.settings.fits - own : 0u);
  if (own == 0) {
    best.gather(block, chunk);
  }
  for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
    const PartitionEffort& effort = context.settings.partitions[partitions - 2];
    if (effort.kept == 0) {
      continue;
    }
    TopPatterns patterns(kept_patterns<kChannels>(context.settings, partitions));
    find(partitions, patterns);
    const PatternTable& table = context.tables.patterns(partitions);
    for (unsigned i = 0; i < patterns.count(); ++i) {
      const LanePatterns pattern(table, patterns.pattern(i));
      const PatternEstimate of_pattern(
          context, planar, kChannels == 4 ? planes.channel[3] : nullptr, pattern, partitions);
      const I32 details = lanes::shift_left<Configuration::kPatternShift>(patterns.pattern(i));
      const Family family = {ColorClass::kRgb, static_cast<uint8_t>(partitions), false, 0};
      const LaneMask eligible = i < effort.kept ? lanes::every_lane(true) : !traits.opaque;
      rank_pattern(context, of_pattern, family, traits, texels_inside, details, eligible, best);
      if constexpr (kChannels == 4) {
        if (i < context.settings.two_plane_patterns && partitions < kMaxPartitions) {
          rank_planes_of_parts<kChannels>(context, planes, traits, pattern, partitions,
                                          texels_inside, details, best);
        }
      }
    }
  }
  best.scatter(blocks, block_count, chunk);
}

template <unsigned kChannels>
TESSERA_INLINE void rank_group_partitions(const RankContext& context, const TexelPlanes& planes,
                                          const BlockTraits& traits, const Inside& inside,
                                          const int32_t* blocks, size_t block_count, Chunk& chunk) {
  PlanarTexels planar;
  project_on_plane<kChannels>(planes, gather_covariances(lanes::load_i32(blocks), chunk),
                              context.size.texel_count(), planar);
  // An opaque block must not depend on its neighbours in the vector.
  const PatternsByMoments by_moments(context, planar,
                                     kChannels == 4 ? traits.opaque : lanes::every_lane(true));
  const bool scores = context.settings.partition_search == PartitionSearch::kMoments;
  rank_found_patterns<kChannels>(context, planes, planar, traits, inside, blocks, block_count,
                                 chunk, [&](unsigned partitions, TopPatterns& best) {
                                   if (scores || !kEncodesAll) {
                                     by_moments.find(partitions, best);
                                   } else {
                                     find_patterns_by_clusters(context, planes, planar, partitions,
                                                               best);
                                   }
                                 });
}

// Where several partitions may save a good part of the error.
TESSERA_INLINE LaneMask may_gain_by_partitions(const RankContext& context, size_t block,
                                               const Chunk& chunk) {
  const F32 best = lanes::load_f32(chunk.estimate(0) + block);
  const F32 gain_bound = lanes::load_f32(chunk.partition_gain_bound + block);
  const LaneMask has_choice =
      lanes::load_i32(chunk.configuration(0) + block) > all_lanes(kNoConfiguration);
  return has_choice & !(gain_bound < best * all_lanes_f32(context.settings.partition_share));
}

TESSERA_INLINE size_t select_for_partitions(const RankContext& context, Chunk& chunk) {
  size_t found = 0;
  for (size_t block = 0; block < chunk.count; block += lanes::lane_count()) {
    found = append_selected(may_gain_by_partitions(context, block, chunk), block, found, chunk);
  }
  return found;
}

// Those blocks of a chunk that may gain by it, with several partitions.
template <class Texels>
TESSERA_INLINE void rank_several_partitions(const EncodeTables& tables,
                                            const EncodeSettings& settings,
                                            TexelChunk<Texels>& chunk) {
  const RankContext context = rank_context(tables, settings);
  TexelPlanes planes;
  for (unsigned i = context.settings.single_fits(); i < context.settings.fits; ++i) {
    std::fill_n(chunk.configuration(i), chunk.count, kNoConfiguration);
  }
  const size_t count = select_for_partitions(context, chunk);
  for_selected_blocks(
      context, count, planes, chunk,
      [&](const TexelPlanes& p, const BlockTraits& traits, const Inside& inside,
          const int32_t* blocks, size_t block_count) {
        if (lanes::any_lane(!traits.opaque)) {
          rank_group_partitions<4>(context, p, traits, inside, blocks, block_count, chunk);
        } else {
          rank_group_partitions<3>(context, p, traits, inside, blocks, block_count, chunk);
        }
      });
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_RANK_PARTITIONS_INL_H_
