// Partition patterns by clustering, as in the real-time encoders of Oom and of mpASTC: k-means
// groups the colours of a block, and the patterns that differ from the grouping in the fewest
// texels are taken. Quicker than scoring all patterns with two partitions at 4x4, where a table
// holds the answer for every grouping, but what clusters well is not what lies near lines.
#if defined(TESSERA_ASTC_CLUSTER_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_CLUSTER_INL_H_
#undef TESSERA_ASTC_CLUSTER_INL_H_
#else
#define TESSERA_ASTC_CLUSTER_INL_H_
#endif

#include "astc/encode/score_patterns-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// One bit per texel, of each lane's block.
struct TexelBits {
  I32 words[(kLaneTexels + 31) / 32];
};

class Clustering {
 public:
  TESSERA_INLINE Clustering(const TexelPlanes& planes, unsigned texel_count, unsigned clusters)
      : planes_(planes), texel_count_(texel_count), clusters_(clusters) {}

  // From a colour far from the mean, each next one the farthest from those before.
  TESSERA_INLINE void start_from_distant_colors(const F32 mean[4]) {
    for (unsigned t = 0; t < texel_count_; ++t) {
      distance_[t] = squared_distance(t, mean);
    }
    set_center(0, farthest());
    for (unsigned c = 1; c < clusters_; ++c) {
      measure_from(c - 1, c == 1);
      set_center(c, farthest());
    }
  }

  // k-means++: each next one is drawn with a probability that grows as the squared distance. The
  // draw depends on the block's colours only.
  TESSERA_INLINE void start_at_random() {
    I32 state = all_lanes(0x2545F491);
    for (unsigned t = 0; t < texel_count_; t += 3) {
      state = (state ^ lanes::truncate_to_i32(planes_.at(t % 3, t))) * all_lanes(0x01000193);
    }
    const auto draw = [&] {  // 0 ≤ u < 1
      state = state * all_lanes(0x0019660D) + all_lanes(0x3C6EF35F);
      return lanes::to_f32(lanes::shift_right_logical<8>(state)) * all_lanes_f32(1.0F / (1 << 24));
    };
    set_center(0, lanes::truncate_to_i32(draw() * all_lanes_f32(static_cast<float>(texel_count_))));
    for (unsigned c = 1; c < clusters_; ++c) {
      measure_from(c - 1, c == 1);
      set_center(c, drawn_by_distance(draw()));
    }
  }

  // Lloyd's iteration.
  TESSERA_INLINE void iterate(unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
      assign();
      move_centers();
    }
    assign();
  }

  TESSERA_INLINE const TexelBits& members(unsigned cluster) const { return members_[cluster]; }

 private:
  TESSERA_INLINE F32 squared_distance(unsigned t, const F32 center[4]) const {
    F32 sum = all_lanes_f32(0);
    for (unsigned i = 0; i < 4; ++i) {
      const F32 d = planes_.at(i, t) - center[i];
      sum = sum + d * d;
    }
    return sum;
  }

  // distance_ becomes that from the nearest of the centres up to c.
  TESSERA_INLINE void measure_from(unsigned c, bool is_first) {
    for (unsigned t = 0; t < texel_count_; ++t) {
      const F32 d = squared_distance(t, center_[c]);
      distance_[t] = is_first ? d : lanes::min(d, distance_[t]);
    }
  }

  TESSERA_INLINE I32 farthest() const {
    F32 most = distance_[0];
    I32 texel = all_lanes(0);
    for (unsigned t = 1; t < texel_count_; ++t) {
      const LaneMask farther = distance_[t] > most;
      most = lanes::max(most, distance_[t]);
      texel = lanes::select(farther, all_lanes(static_cast<int32_t>(t)), texel);
    }
    return texel;
  }

  TESSERA_INLINE I32 drawn_by_distance(F32 u) const {
    F32 sum = all_lanes_f32(0);
    for (unsigned t = 0; t < texel_count_; ++t) {
      sum = sum + distance_[t];
    }
    const F32 wanted = sum * u;
    F32 passed = all_lanes_f32(0);
    I32 texel = all_lanes(0);
    for (unsigned t = 0; t + 1 < texel_count_; ++t) {
      passed = passed + distance_[t];
      texel = lanes::select(passed < wanted, all_lanes(static_cast<int32_t>(t + 1)), texel);
    }
    return texel;
  }

  TESSERA_INLINE void set_center(unsigned c, I32 texel) {
    for (unsigned i = 0; i < 4; ++i) {
      center_[c][i] = planes_.at(i, 0);
    }
    for (unsigned t = 1; t < texel_count_; ++t) {
      const LaneMask is_it = texel == all_lanes(static_cast<int32_t>(t));
      for (unsigned i = 0; i < 4; ++i) {
        center_[c][i] = lanes::select(is_it, planes_.at(i, t), center_[c][i]);
      }
    }
  }

  TESSERA_INLINE void assign() {
    for (unsigned c = 0; c < clusters_; ++c) {
      for (I32& word : members_[c].words) {
        word = all_lanes(0);
      }
    }
    for (unsigned t = 0; t < texel_count_; ++t) {
      F32 least = squared_distance(t, center_[0]);
      I32 nearest = all_lanes(0);
      for (unsigned c = 1; c < clusters_; ++c) {
        const F32 d = squared_distance(t, center_[c]);
        nearest = lanes::select(d < least, all_lanes(static_cast<int32_t>(c)), nearest);
        least = lanes::min(d, least);
      }
      cluster_of_[t] = nearest;
      const I32 bit = all_lanes(static_cast<int32_t>(1u << (t % 32)));
      for (unsigned c = 0; c < clusters_; ++c) {
        I32& word = members_[c].words[t / 32];
        word = word | lanes::zero_unless(nearest == all_lanes(static_cast<int32_t>(c)), bit);
      }
    }
  }

  TESSERA_INLINE void move_centers() {
    for (unsigned c = 0; c < clusters_; ++c) {
      F32 sum[4], count = all_lanes_f32(0);
      for (F32& s : sum) {
        s = count;
      }
      for (unsigned t = 0; t < texel_count_; ++t) {
        const LaneMask is_member = cluster_of_[t] == all_lanes(static_cast<int32_t>(c));
        count = count + lanes::zero_unless(is_member, all_lanes_f32(1));
        for (unsigned i = 0; i < 4; ++i) {
          sum[i] = sum[i] + lanes::zero_unless(is_member, planes_.at(i, t));
        }
      }
      const LaneMask has_members = count > all_lanes_f32(0);
      for (unsigned i = 0; i < 4; ++i) {
        center_[c][i] =
            lanes::select(has_members, sum[i] / lanes::max(count, all_lanes_f32(1)), center_[c][i]);
      }
    }
  }

  const TexelPlanes& planes_;
  unsigned texel_count_;
  unsigned clusters_;
  F32 distance_[kLaneTexels];
  I32 cluster_of_[kLaneTexels];
  F32 center_[kMaxPartitions][4];
  TexelBits members_[kMaxPartitions];
};

// Texels in both sets; `part` is the same for all lanes.
TESSERA_INLINE I32 common_texels(const TexelBits& members, const uint32_t* part,
                                 unsigned word_count) {
  I32 count = lanes::count_bits(members.words[0] & all_lanes(static_cast<int32_t>(part[0])));
  for (unsigned i = 1; i < word_count; ++i) {
    count = count + lanes::count_bits(members.words[i] & all_lanes(static_cast<int32_t>(part[i])));
  }
  return count;
}

// The most texels on which clusters and partitions agree, whatever their names: the best of all
// ways to pair them.
TESSERA_INLINE I32 agreement(I32 common[kMaxPartitions][kMaxPartitions], unsigned partitions) {
  if (partitions == 2) {
    return lanes::max(common[0][0] + common[1][1], common[0][1] + common[1][0]);
  }
  // Pairs of the first two clusters with two partitions, the rest as with two.
  I32 most = all_lanes(0);
  for (unsigned i = 0; i < partitions; ++i) {
    for (unsigned k = 0; k < partitions; ++k) {
      if (i == k) {
        continue;
      }
      const I32 first_two = common[0][i] + common[1][k];
      unsigned left[2], count = 0;
      for (unsigned p = 0; p < partitions; ++p) {
        if (p != i && p != k) {
          left[count++] = p;
        }
      }
      const I32 last = partitions == 3 ? common[2][left[0]]
                                       : lanes::max(common[2][left[0]] + common[3][left[1]],
                                                    common[2][left[1]] + common[3][left[0]]);
      most = lanes::max(most, first_two + last);
    }
  }
  return most;
}

// Enters all patterns by the number of texels in which they differ from the clustering.
TESSERA_INLINE void match_patterns(const PatternTable& table, unsigned partitions,
                                   unsigned texel_count, const Clustering& clustering,
                                   TopPatterns& best) {
  const unsigned word_count = (texel_count + 31) / 32;
  for (size_t i = 0; i < table.count(); ++i) {
    uint32_t parts[kMaxPartitions][(kLaneTexels + 31) / 32] = {};
    const int32_t* words = table.words() + i * table.words_per_pattern();
    for (unsigned t = 0; t < texel_count; ++t) {
      const uint32_t p = static_cast<uint32_t>(words[t / 16]) >> (2 * (t % 16)) & 3u;
      parts[p][t / 32] |= 1u << (t % 32);
    }
    I32 common[kMaxPartitions][kMaxPartitions];
    for (unsigned c = 0; c < partitions; ++c) {
      for (unsigned p = 0; p < partitions; ++p) {
        common[c][p] = common_texels(clustering.members(c), parts[p], word_count);
      }
    }
    const I32 differences =
        all_lanes(static_cast<int32_t>(texel_count)) - agreement(common, partitions);
    best.insert(lanes::to_f32(differences), all_lanes(static_cast<int32_t>(i)));
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_CLUSTER_INL_H_
