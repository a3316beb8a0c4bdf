// The stored order of patterns against the rule that it was made by.
#include "astc/encode/pattern_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "astc/encode/usable_seeds.h"
#include "astc/encode/weight_grid.h"
#include "astc/format/partition.h"

namespace tessera::astc {
namespace {

// One bit per texel.
using TexelMask = std::array<uint64_t, (kMaxTexels + 63) / 64>;

// Texels in which two patterns differ whose partitions have no names.
unsigned unnamed_differences(const TexelMask& a, const TexelMask& b, unsigned texel_count) {
  int count = 0;
  for (size_t i = 0; 64 * i < texel_count; ++i) {
    count += std::popcount(a[i] ^ b[i]);
  }
  return std::min(static_cast<unsigned>(count), texel_count - static_cast<unsigned>(count));
}

// A direction in which a block is cut, and how often such cuts occur.
struct Direction {
  int x, y, z;
  unsigned occurrences;
};

// The whole vectors of one ring around the origin (in 3D, of one octahedron), so nothing depends on
// a library's sine. The opposite directions have the same cuts.
std::vector<Direction> directions(BlockSize size, int ring) {
  std::vector<Direction> result;
  for (int x = -ring; x <= ring; ++x) {
    const int rest = ring - std::abs(x);
    for (int y = size.is_3d() ? -rest : rest; y <= rest; ++y) {
      const int z = rest - std::abs(y);
      if (z > 0 || y > 0 || (y == 0 && x > 0)) {
        // In pictures upright edges are the most frequent ones.
        result.push_back({x, y, z, !size.is_3d() && y == 0 ? 2u : 1u});
      }
    }
  }
  return result;
}

// The block cut by straight lines (in 3D, by planes) in many directions and places, each cut with
// the number of times that it occurs.
std::vector<std::pair<TexelMask, unsigned>> straight_cuts(BlockSize size) {
  const int ring = size.is_3d() ? 4 : 8;
  constexpr int kPlaces = 4;  // per texel's diameter
  const auto width = static_cast<int>(size.width), height = static_cast<int>(size.height);
  const auto depth = static_cast<int>(size.depth);
  std::vector<std::pair<TexelMask, unsigned>> cuts;
  for (const auto& [dx, dy, dz, occurrences] : directions(size, ring)) {
    // Texels by their place along the direction; a line between two places cuts off the rest.
    std::vector<std::pair<int, unsigned>> places;
    TexelMask mask{};
    for (unsigned t = 0; t < size.texel_count(); ++t) {
      const int x = 2 * static_cast<int>(t % size.width) - width + 1;
      const int y = 2 * static_cast<int>(t / size.width % size.height) - height + 1;
      const int z = 2 * static_cast<int>(t / size.width / size.height) - depth + 1;
      places.emplace_back(kPlaces * (dx * x + dy * y + dz * z), t);
      mask[t / 64] |= uint64_t{1} << (t % 64);
    }
    std::sort(places.begin(), places.end());
    size_t next = 0;
    const int edge = kPlaces * ring * 2 * std::max({width, height, depth});
    for (int line = -edge; line <= edge; line += ring) {
      const size_t before = next;
      for (; next < places.size() && places[next].first <= line; ++next) {
        const unsigned t = places[next].second;
        mask[t / 64] &= ~(uint64_t{1} << (t % 64));
      }
      if (next == 0 || next == places.size()) {
        continue;
      }
      if (next == before && !cuts.empty()) {
        cuts.back().second += occurrences;
      } else {
        cuts.emplace_back(mask, occurrences);
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
  const auto usable = usable_seeds(size, 2);
  std::vector<TexelMask> masks;
  for (const uint16_t seed : usable) {
    masks.push_back(mask_of(table.pattern(seed)));
  }
  std::vector<unsigned> votes(masks.size(), 0);
  std::vector<unsigned> distance(masks.size(), kMaxTexels);
  for (const auto& [cut, occurrences] : straight_cuts(size)) {
    size_t nearest = 0;
    unsigned least = kMaxTexels;
    for (size_t i = 0; i < masks.size(); ++i) {
      const unsigned count = unnamed_differences(masks[i], cut, size.texel_count());
      distance[i] = std::min(distance[i], count);
      if (count < least) {
        least = count;
        nearest = i;
      }
    }
    votes[nearest] += occurrences;
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

TEST(PatternOrder, FollowsFromStraightCuts) {
  for (const BlockSize size : kBlockSizes) {
    const auto stored = ordered_pattern_seeds(size);
    EXPECT_EQ(std::vector<uint16_t>(stored.begin(), stored.end()),
              order_by_straight_cuts(size, partition_table(size, 2)))
        << block_size_name(size);
  }
}

}  // namespace
}  // namespace tessera::astc
