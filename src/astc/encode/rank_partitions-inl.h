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
#include "astc/encode/pattern_estimate-inl.h"
#include "astc/encode/rank_part_planes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

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
      planar.mean[i] = planar.mean[i] + planes.at(i, t);
    }
    planar.mean[i] = planar.mean[i] * per_texel;
  }
  for (unsigned t = 0; t < texel_count; ++t) {
    planar.a[t] = planar.b[t] = all_lanes_f32(0);
    for (unsigned i = 0; i < kChannels; ++i) {
      const F32 d = planes.at(i, t) - planar.mean[i];
      planar.a[t] = planar.a[t] + d * planar.axis_a[i];
      planar.b[t] = planar.b[t] + d * planar.axis_b[i];
    }
  }
}

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

// Enters the families of one way of storing; with alpha there is so much code that it is called.
template <bool kCalls>
TESSERA_INLINE void rank_families_of_parts(const RankContext& context, const Family& family,
                                           const BlockTraits& traits, const Estimate& estimate,
                                           F32 texels_inside, I32 details, LaneMask eligible,
                                           BestConfigurations& best) {
  if constexpr (kCalls) {
    call_rank_families(context, family, traits, estimate, texels_inside, details, eligible, best);
  } else {
    rank_families(context, family, traits, estimate, texels_inside, details, eligible, best);
  }
}

// Enters the modes that store some partitions, or all, in a reduced way: those that lose least by
// it. `family` is the one that reduces none.
template <bool kCalls>
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
  TESSERA_LOOP_IF(kCalls)
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
    rank_families_of_parts<kCalls>(context, family, traits, estimate, texels_inside,
                                   details | which, eligible, best);
  }
}

// Enters the modes of a pattern, with every way of storing colours.
template <bool kCalls>
TESSERA_INLINE void rank_pattern(const RankContext& context, const PatternEstimate& of_pattern,
                                 Family family, const BlockTraits& traits, F32 all_inside,
                                 I32 details, LaneMask eligible, BestConfigurations& best) {
  const Estimate estimate = of_pattern.estimate();
  const F32 texels_inside = of_pattern.rounded_texels_of(all_inside);
  rank_families_of_parts<kCalls>(context, family, traits, estimate, texels_inside, details,
                                 eligible, best);
  if (!context.settings.base_scale) {
    return;
  }
  StorageCosts scaled, grey;
  TESSERA_LOOP_IF(kCalls)
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
  rank_reduced<kCalls>(context, family, estimate, scaled, traits, texels_inside, details, eligible,
                       best);
  family.saved_pairs = family.partitions;
  rank_reduced<kCalls>(context, family, estimate, grey, traits, texels_inside, details, eligible,
                       best);
}

TESSERA_CALLED void call_rank_pattern(const RankContext& context, const PatternEstimate& of_pattern,
                                      const Family& family, const BlockTraits& traits,
                                      F32 all_inside, I32 details, LaneMask eligible,
                                      BestConfigurations& best) {
  rank_pattern<true>(context, of_pattern, family, traits, all_inside, details, eligible, best);
}

template <unsigned kChannels>
TESSERA_INLINE unsigned kept_patterns(const EncodeSettings& settings, unsigned partitions) {
  const PartitionEffort& effort = settings.partitions[partitions - 2];
  return kChannels == 4 ? effort.kept_with_alpha() : effort.kept;
}

// Enters the modes of the patterns that find(partitions, count) lists.
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
  TESSERA_LOOP_IF(kChannels == 4)
  for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
    const PartitionEffort& effort = context.settings.partitions[partitions - 2];
    if (effort.kept == 0) {
      continue;
    }
    const auto patterns = find(partitions, kept_patterns<kChannels>(context.settings, partitions));
    const PatternTable& table = context.tables.patterns(partitions);
    TESSERA_LOOP_IF(kChannels == 4)
    for (unsigned i = 0; i < patterns.count(); ++i) {
      const LanePatterns pattern(table, patterns.pattern(i));
      const I32 details = lanes::shift_left<Configuration::kPatternShift>(patterns.pattern(i));
      const Family family = {ColorClass::kRgb, static_cast<uint8_t>(partitions), false, 0};
      const LaneMask eligible = i < effort.kept ? lanes::every_lane(true) : !traits.opaque;
      if constexpr (kChannels == 4) {
        const CalledPatternEstimate of_pattern(context, planar, &planes, pattern, partitions);
        call_rank_pattern(context, of_pattern, family, traits, texels_inside, details, eligible,
                          best);
        if (i < context.settings.two_plane_patterns && partitions < kMaxPartitions) {
          rank_planes_of_parts<kChannels>(context, planes, traits, pattern, partitions,
                                          texels_inside, details, best);
        }
      } else {
        const PatternEstimate of_pattern(context, planar, nullptr, pattern, partitions);
        rank_pattern<false>(context, of_pattern, family, traits, texels_inside, details, eligible,
                            best);
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
                                 chunk, [&](unsigned partitions, unsigned kept) {
                                   TopPatterns best(kept);
                                   if (scores || !kEncodesAll) {
                                     by_moments.find(partitions, best);
                                   } else {
                                     find_patterns_by_clusters(context, planes, planar, partitions,
                                                               best);
                                   }
                                   return best;
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
    found = append_found(may_gain_by_partitions(context, block, chunk), block, found, chunk);
  }
  select_by_class(found, chunk);
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
