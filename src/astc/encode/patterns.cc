#include "astc/encode/patterns.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "astc/format/partition.h"
#include "astc/format/per_block_size.h"

namespace tessera::astc {
namespace {

// A bit a texel.
using TexelMask = std::array<uint64_t, (kMaxTexels2d + 63) / 64>;

unsigned differences(const TexelMask& a, const TexelMask& b) {
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    count += std::popcount(a[i] ^ b[i]);
  }
  return static_cast<unsigned>(count);
}

// Of two patterns whose partitions have no names.
unsigned unnamed_differences(const TexelMask& a, const TexelMask& b, unsigned texel_count) {
  const unsigned count = differences(a, b);
  return std::min(count, texel_count - count);
}

// The block cut by straight lines in many directions and places. Directions are the whole vectors
// of one ring around the origin, so nothing depends on a library's sine.
std::vector<TexelMask> straight_cuts(BlockSize size) {
  constexpr int kRing = 8;
  constexpr int kPlaces = 4;  // a texel's diameter
  std::vector<TexelMask> cuts;
  for (int dx = -kRing; dx <= kRing; ++dx) {
    for (const int dy : {kRing - std::abs(dx), std::abs(dx) - kRing}) {
      if (dy < 0 || (dy == 0 && dx < 0)) {
        continue;  // the same lines as those of the opposite direction
      }
      const int edge = kPlaces * kRing * 2 * std::max(size.x, size.y);
      for (int place = -edge; place <= edge; place += kRing) {
        TexelMask mask{};
        unsigned set = 0;
        for (unsigned t = 0; t < size.texel_count(); ++t) {
          const int x = 2 * static_cast<int>(t % size.x) - size.x + 1;
          const int y = 2 * static_cast<int>(t / size.x) - size.y + 1;
          if (kPlaces * (dx * x + dy * y) > place) {
            mask[t / 64] |= uint64_t{1} << (t % 64);
            ++set;
          }
        }
        if (set != 0 && set != size.texel_count()) {
          cuts.push_back(mask);
        }
      }
    }
  }
  return cuts;
}

TexelMask mask_of(std::span<const uint8_t> pattern) {
  TexelMask mask{};
  for (size_t t = 0; t < pattern.size(); ++t) {
    mask[t / 64] |= uint64_t{pattern[t] & 1u} << (t % 64);
  }
  return mask;
}

// Each straight cut votes for the pattern nearest to it; patterns without votes follow by their
// distance from the nearest cut.
std::vector<uint16_t> order_by_straight_cuts(BlockSize size, const PartitionTable& table) {
  const auto usable = table.usable_seeds();
  std::vector<TexelMask> masks;
  for (const uint16_t seed : usable) {
    masks.push_back(mask_of(table.pattern(seed)));
  }
  std::vector<unsigned> votes(masks.size(), 0);
  std::vector<unsigned> distance(masks.size(), kMaxTexels2d);
  for (const TexelMask& cut : straight_cuts(size)) {
    size_t nearest = 0;
    unsigned least = kMaxTexels2d;
    for (size_t i = 0; i < masks.size(); ++i) {
      const unsigned count = unnamed_differences(masks[i], cut, size.texel_count());
      distance[i] = std::min(distance[i], count);
      if (count < least) {
        least = count;
        nearest = i;
      }
    }
    ++votes[nearest];
  }
  std::vector<size_t> order(masks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return votes[a] != votes[b] ? votes[a] > votes[b] : distance[a] < distance[b];
  });
  std::vector<uint16_t> seeds;
  seeds.reserve(order.size());
  for (const size_t i : order) {
    seeds.push_back(usable[i]);
  }
  return seeds;
}

}  // namespace

PatternTable::PatternTable(BlockSize size, unsigned partition_count)
    : partition_count_(partition_count),
      words_per_pattern_((size.texel_count() + kTexelsPerPatternWord - 1) / kTexelsPerPatternWord),
      group_count_((size.texel_count() + kTexelsPerGroup - 1) / kTexelsPerGroup) {
  const PartitionTable& table = partition_table(size, partition_count);
  const auto usable = table.usable_seeds();
  const std::vector<uint16_t> seeds = partition_count == 2
                                          ? order_by_straight_cuts(size, table)
                                          : std::vector<uint16_t>(usable.begin(), usable.end());
  for (const uint16_t seed : seeds) {
    add_pattern(size, seed);
  }
}

void PatternTable::add_pattern(BlockSize size, unsigned seed) {
  const auto pattern = partition_table(size, partition_count_).pattern(seed);
  std::vector<uint32_t> words(words_per_pattern_, 0);
  std::vector<uint16_t> subsets((partition_count_ - 1) * group_count_, 0);
  for (size_t i = 0; i < subsets.size(); ++i) {
    subsets[i] = static_cast<uint16_t>(16 * (i % group_count_));
  }
  std::array<uint8_t, kMaxPartitions> texels{};
  for (unsigned t = 0; t < pattern.size(); ++t) {
    const unsigned partition = pattern[t];
    words[t / kTexelsPerPatternWord] |= partition << (2 * (t % kTexelsPerPatternWord));
    ++texels[partition];
    if (partition > 0) {
      uint16_t& subset = subsets[(partition - 1) * group_count_ + t / kTexelsPerGroup];
      subset = static_cast<uint16_t>(subset | (1u << (t % kTexelsPerGroup)));
    }
  }
  seeds_.push_back(static_cast<int32_t>(seed));
  for (const uint32_t word : words) {
    words_.push_back(static_cast<int32_t>(word));
  }
  subsets_.insert(subsets_.end(), subsets.begin(), subsets.end());
  per_texel_.emplace_back();
  for (unsigned p = 0; p < partition_count_; ++p) {
    per_texel_.back()[p] = 1.0F / static_cast<float>(texels[p]);
  }
}

const PatternTable& pattern_table(BlockSize size, unsigned partition_count) {
  // A table for each count, as PerBlockSize makes values of a block size only.
  struct Two : PatternTable {
    explicit Two(BlockSize s) : PatternTable(s, 2) {}
  };
  struct Three : PatternTable {
    explicit Three(BlockSize s) : PatternTable(s, 3) {}
  };
  struct Four : PatternTable {
    explicit Four(BlockSize s) : PatternTable(s, 4) {}
  };
  static PerBlockSize<Two> two;
  static PerBlockSize<Three> three;
  static PerBlockSize<Four> four;
  switch (partition_count) {
    case 2:
      return two.get(size);
    case 3:
      return three.get(size);
    default:
      return four.get(size);
  }
}

const int32_t* patterns_nearest_to_groups_4x4() {
  static const std::vector<int32_t> table_of_groups = [] {
    constexpr unsigned kTexels = 16;
    const PatternTable& table = pattern_table({4, 4, 1}, 2);
    std::vector<uint16_t> masks;
    for (size_t i = 0; i < table.count(); ++i) {
      unsigned mask = 0;
      for (unsigned t = 0; t < kTexels; ++t) {
        mask |= (static_cast<uint32_t>(table.words()[i]) >> (2 * t) & 1u) << t;
      }
      masks.push_back(static_cast<uint16_t>(mask));
    }
    std::vector<int32_t> nearest(1u << kTexels);
    for (unsigned group = 0; group < nearest.size(); ++group) {
      unsigned least = kTexels;
      for (size_t i = 0; i < masks.size(); ++i) {
        const auto count = static_cast<unsigned>(std::popcount(group ^ masks[i]));
        if (std::min(count, kTexels - count) < least) {
          least = std::min(count, kTexels - count);
          nearest[group] = static_cast<int32_t>(i);
        }
      }
    }
    return nearest;
  }();
  return table_of_groups.data();
}

}  // namespace tessera::astc
