// Partition patterns for blocks, with the lanes of a warp at work on one block: each lane scores
// other patterns, and the moments of subsets of texels lie in memory that the lanes share. What the
// CPU does with one block per lane (score_patterns-inl.h), with the same sums in the same order.
//
// A Warp has:
//   kLanes                       lanes
//   PerLane<T>                   a T for each lane, reached with [lane]
//   shared                       floats that all lanes see
//   each_lane(work)              calls work(lane) for each lane; what comes behind it sees all that
//                                was written
//   lane_of_least(costs, entries)
//                                the lane of the least cost; of equal costs, that of the least
//                                entry
#if defined(TESSERA_ASTC_FIND_PATTERNS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIND_PATTERNS_INL_H_
#undef TESSERA_ASTC_FIND_PATTERNS_INL_H_
#else
#define TESSERA_ASTC_FIND_PATTERNS_INL_H_
#endif

#include "astc/cuda/picture_texels-inl.h"
#include "astc/encode/rank_partitions-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Moments of subsets as SubsetMoments has them, one array for each kind of sum: lanes that look up
// different subsets of a group of texels reach different banks of the shared memory.
class SharedMoments {
 public:
  static constexpr unsigned kKinds = 5, kHigherKinds = 2;

  TESSERA_INLINE SharedMoments(float* shared, unsigned texel_count)
      : at_(shared),
        texel_count_(texel_count),
        subsets_(16 * ((texel_count + kTexelsPerGroup - 1) / kTexelsPerGroup)) {}

  static constexpr size_t floats(unsigned texel_count, bool has_higher) {
    const unsigned groups = (texel_count + kTexelsPerGroup - 1) / kTexelsPerGroup;
    return size_t{16} * groups * (kKinds + (has_higher ? kHigherKinds : 0));
  }

  TESSERA_INLINE unsigned subsets() const { return subsets_; }

  // The sums over one subset: texels are added one after the other, from the first on.
  TESSERA_INLINE void fill(unsigned subset, const float* planar, bool has_higher) {
    const F32 zero = all_lanes_f32(0);
    Moments sum = {zero, zero, zero, zero, zero};
    HigherMoments higher = {zero, zero};
    for (unsigned i = 0; i < kTexelsPerGroup; ++i) {
      if (((subset >> i) & 1) == 0) {
        continue;
      }
      const unsigned wanted = subset / 16 * kTexelsPerGroup + i;
      const unsigned t = wanted < texel_count_ ? wanted : texel_count_ - 1;
      const F32 a = all_lanes_f32(planar[t]);
      const F32 b = all_lanes_f32(planar[FoundPatterns::axis_floats(texel_count_) + t]);
      sum = sum + Moments{a, b, a * a, a * b, b * b};
      higher = higher + HigherMoments{a * a * a, a * a * (a * a)};
    }
    const F32 values[] = {sum.a, sum.b, sum.aa, sum.ab, sum.bb, higher.aaa, higher.aaaa};
    for (unsigned kind = 0; kind < (has_higher ? kKinds + kHigherKinds : kKinds); ++kind) {
      at_[kind * subsets_ + subset] = values[kind].value;
    }
  }

  // When all subsets have been filled.
  TESSERA_INLINE void sum_all(bool has_higher) {
    const F32 zero = all_lanes_f32(0);
    all_ = {zero, zero, zero, zero, zero};
    all_higher_ = {zero, zero};
    for (unsigned first = 0; first < texel_count_; first += kTexelsPerGroup) {
      const unsigned rest = texel_count_ - first;
      const unsigned present = rest < kTexelsPerGroup ? rest : kTexelsPerGroup;
      const unsigned subset = 4 * first + (1u << present) - 1;
      all_ =
          all_ + Moments{at(0, subset), at(1, subset), at(2, subset), at(3, subset), at(4, subset)};
      if (has_higher) {
        all_higher_ = all_higher_ + HigherMoments{at(5, subset), at(6, subset)};
      }
    }
  }

  TESSERA_INLINE const Moments& all() const { return all_; }
  TESSERA_INLINE const HigherMoments& all_higher() const { return all_higher_; }

  // The offsets of a pattern's subsets, four at a time where they lie so.
  class Subsets {
   public:
    TESSERA_INLINE explicit Subsets(const uint16_t* subsets) : subsets_(subsets) {
      if constexpr (kIsFour) {
        four_ = *reinterpret_cast<const Four*>(subsets);
      }
    }
    TESSERA_INLINE unsigned operator[](unsigned group) const {
      if constexpr (kIsFour) {
        return four_.offset[group];
      } else {
        return subsets_[group];
      }
    }

   private:
    static constexpr bool kIsFour = kHasFixedSize && kLaneTexels == 4 * kTexelsPerGroup;
    struct alignas(8) Four {
      uint16_t offset[4];
    };

    const uint16_t* subsets_;
    Four four_;
  };

  TESSERA_INLINE Moments sum(const uint16_t* offsets, unsigned group_count) const {
    const Subsets subsets(offsets);
    Moments sum = {at(0, subsets[0]), at(1, subsets[0]), at(2, subsets[0]), at(3, subsets[0]),
                   at(4, subsets[0])};
    for (unsigned g = 1; g < group_count; ++g) {
      const unsigned s = subsets[g];
      sum = sum + Moments{at(0, s), at(1, s), at(2, s), at(3, s), at(4, s)};
    }
    return sum;
  }
  TESSERA_INLINE HigherMoments sum_of_higher(const uint16_t* offsets, unsigned group_count) const {
    const Subsets subsets(offsets);
    HigherMoments sum = {at(5, subsets[0]), at(6, subsets[0])};
    for (unsigned g = 1; g < group_count; ++g) {
      sum = sum + HigherMoments{at(5, subsets[g]), at(6, subsets[g])};
    }
    return sum;
  }

 private:
  TESSERA_INLINE F32 at(unsigned kind, unsigned subset) const {
    return all_lanes_f32(at_[kind * subsets_ + subset]);
  }

  float* at_;
  unsigned texel_count_, subsets_;
  Moments all_;
  HigherMoments all_higher_;
};

struct alignas(16) FourFloats {
  float value[4];
};

// A block seen along its two leading axes, to and from memory: one stage writes it for two others.
// After the last texel of an axis, places up to a multiple of four repeat it.
TESSERA_INLINE void store_axis(const F32* axis, unsigned texels, float* out) {
  TESSERA_UNROLL
  for (unsigned first = 0; first < texels; first += 4) {
    FourFloats four;
    TESSERA_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      four.value[i] = axis[first + i < texels ? first + i : texels - 1].value;
    }
    *reinterpret_cast<FourFloats*>(out + first) = four;
  }
}

TESSERA_INLINE void load_axis(const float* in, unsigned texels, F32* axis) {
  TESSERA_UNROLL
  for (unsigned first = 0; first < texels; first += 4) {
    const FourFloats four = *reinterpret_cast<const FourFloats*>(in + first);
    TESSERA_UNROLL
    for (unsigned i = 0; i < 4; ++i) {
      if (first + i < texels) {
        axis[first + i] = all_lanes_f32(four.value[i]);
      }
    }
  }
}

TESSERA_INLINE void store_planar(const PlanarTexels& planar, unsigned texels, float* out) {
  const size_t axis_floats = FoundPatterns::axis_floats(texels);
  store_axis(planar.a, texels, out);
  store_axis(planar.b, texels, out + axis_floats);
  float* const plane = out + 2 * axis_floats;
  store_axis(planar.axis_a, 4, plane);
  store_axis(planar.axis_b, 4, plane + 4);
  store_axis(planar.mean, 4, plane + 8);
  plane[12] = planar.off_plane.value;
}

TESSERA_INLINE void load_planar(const float* in, unsigned texels, PlanarTexels& planar) {
  const size_t axis_floats = FoundPatterns::axis_floats(texels);
  load_axis(in, texels, planar.a);
  load_axis(in + axis_floats, texels, planar.b);
  const float* const plane = in + 2 * axis_floats;
  load_axis(plane, 4, planar.axis_a);
  load_axis(plane + 4, 4, planar.axis_b);
  load_axis(plane + 8, 4, planar.mean);
  planar.off_plane = all_lanes_f32(plane[12]);
}

// Writes what the next two stages need of a selected block.
template <unsigned kChannels>
struct ProjectBlocks {
  DeviceTask task;
  FoundPatterns found;

  TESSERA_INLINE void operator()(uint32_t item) const {
    const RankContext context = rank_context_of(task);
    const int32_t block = task.chunk.selected[item];
    with_block(task, context, &block,
               [&](const TexelPlanes& planes, const BlockTraits& traits, const Inside&) {
                 const Covariances c = gather_covariances(all_lanes(block), task.chunk);
                 const unsigned texels = context.size.texel_count();
                 PlanarTexels planar;
                 project_on_plane<kChannels>(planes, c, texels, planar);
                 store_planar(planar, texels, found.planar_of_block(item, texels));
                 found.traits[item] = (traits.opaque.value ? FoundPatterns::kOpaque : 0) |
                                      (traits.grey.value ? FoundPatterns::kGrey : 0);
               });
  }
};

// Lists the best patterns of a selected block, for each partition count that is asked for.
struct FindPatterns {
  DeviceTask task;
  FoundPatterns found;

  template <class Warp>
  TESSERA_INLINE void operator()(uint32_t item, Warp& warp) const {
    const unsigned texels = KernelSize(task.size).texel_count();
    const bool has_higher = favors_two_colors(task.settings);
    const float* const planar = found.planar_of_block(item, texels);
    SharedMoments moments(warp.shared, texels);
    warp.each_lane([&](unsigned lane) {
      for (unsigned subset = lane; subset < moments.subsets(); subset += Warp::kLanes) {
        moments.fill(subset, planar, has_higher);
      }
    });
    moments.sum_all(has_higher);
    for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
      if (task.settings.partitions[partitions - 2].kept > 0) {
        find(item, partitions, moments, warp);
      }
    }
    warp.each_lane([](unsigned) {});  // before the next block's moments take the place of these
  }

 private:
  static TESSERA_INLINE F32 score(const PatternTable& table, unsigned partitions, size_t pattern,
                                  bool has_higher, const SharedMoments& moments) {
    if (kMayFavorTwoColors && has_higher) {
      switch (partitions) {
        case 2:
          return pattern_score<2, true>(table, pattern, moments);
        case 3:
          return pattern_score<3, true>(table, pattern, moments);
        default:
          return pattern_score<4, true>(table, pattern, moments);
      }
    }
    switch (partitions) {
      case 2:
        return pattern_score<2, false>(table, pattern, moments);
      case 3:
        return pattern_score<3, false>(table, pattern, moments);
      default:
        return pattern_score<4, false>(table, pattern, moments);
    }
  }

  template <class Warp>
  TESSERA_INLINE void find(uint32_t item, unsigned partitions, const SharedMoments& moments,
                           Warp& warp) const {
    const PatternTable& table = task.tables->patterns(partitions);
    const bool is_opaque = (found.traits[item] & FoundPatterns::kOpaque) != 0;
    const unsigned kept = is_opaque ? kept_patterns<3>(task.settings, partitions)
                                    : kept_patterns<4>(task.settings, partitions);
    const size_t asked = task.settings.partitions[partitions - 2].tried;
    const size_t tried = is_opaque && asked < table.count() ? asked : table.count();
    const bool has_higher = favors_two_colors(task.settings);
    constexpr unsigned kTriedPerLane = kPartitionSeedCount / Warp::kLanes;
    typename Warp::template PerLane<PatternList<kTriedPerLane>> best;
    typename Warp::template PerLane<unsigned> next;
    warp.each_lane([&](unsigned lane) {
      best[lane].start(kept);
      next[lane] = 0;
      for (size_t i = lane; i < tried; i += Warp::kLanes) {
        best[lane].insert(score(table, partitions, i, has_higher, moments),
                          all_lanes(static_cast<int32_t>(i)));
      }
    });
    // The lanes' lists become one: the first of all first ones, again and again.
    int32_t* const out = found.of_block(item, partitions);
    typename Warp::template PerLane<float> cost;
    typename Warp::template PerLane<int32_t> pattern;
    for (unsigned i = 0; i < kept; ++i) {
      warp.each_lane([&](unsigned lane) {
        const auto& own = best[lane];
        const bool has_more = next[lane] < own.count();
        cost[lane] = has_more ? own.score(next[lane]).value : 1e30F;
        pattern[lane] = has_more ? own.pattern(next[lane]).value : 0;
      });
      const unsigned least = warp.lane_of_least(cost, pattern);
      warp.each_lane([&](unsigned lane) {
        if (lane == least) {
          out[i] = pattern[lane];
          ++next[lane];
        }
      });
    }
  }
};

// What has been found for a block, as a PatternList.
class FoundList {
 public:
  TESSERA_INLINE FoundList(const int32_t* patterns, unsigned count)
      : patterns_(patterns), count_(count) {}

  TESSERA_INLINE unsigned count() const { return count_; }
  TESSERA_INLINE I32 pattern(unsigned i) const { return all_lanes(patterns_[i]); }

 private:
  const int32_t* patterns_;
  unsigned count_;
};

// Enters the modes of the patterns that were found.
template <unsigned kChannels>
struct RankFoundPatterns {
  static constexpr int kGroupsPerProcessor = kHasFixedSize ? 5 : 4;

  DeviceTask task;
  FoundPatterns found;

  TESSERA_INLINE void operator()(uint32_t item) const {
    const RankContext context = rank_context_of(task);
    const int32_t block = task.chunk.selected[item];
    if constexpr (kChannels == 3) {
      const BlockTraits traits = {{(found.traits[item] & FoundPatterns::kGrey) != 0}, {true}};
      TexelPlanes none;  // the plane tells all of a block without alpha
      rank(item, context, none, traits,
           inside_of(task.chunk, context.size, static_cast<size_t>(block)), block);
    } else {
      with_block(task, context, &block,
                 [&](const TexelPlanes& planes, const BlockTraits& traits, const Inside& inside) {
                   rank(item, context, planes, traits, inside, block);
                 });
    }
  }

 private:
  TESSERA_INLINE void rank(uint32_t item, const RankContext& context, const TexelPlanes& planes,
                           const BlockTraits& traits, const Inside& inside, int32_t block) const {
    PictureChunk chunk = task.chunk;
    const unsigned texels = context.size.texel_count();
    PlanarTexels planar;
    load_planar(found.planar_of_block(item, texels), texels, planar);
    rank_found_patterns<kChannels>(context, planes, planar, traits, inside, &block, 1, chunk,
                                   [&](unsigned partitions, unsigned kept) {
                                     return FoundList{found.of_block(item, partitions), kept};
                                   });
  }
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIND_PATTERNS_INL_H_
