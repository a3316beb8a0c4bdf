// Tests partition patterns and weight infill against the standard's formulae.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "astc/encode/usable_seeds.h"
#include "astc/format/infill.h"
#include "astc/format/partition.h"

namespace tessera::astc {
namespace {

// Published counts of seeds that are neither degenerate nor repeats.
TEST(Partition, UsableSeedCounts) {
  struct Expected {
    BlockSize size;
    size_t counts[3];
  };
  const Expected expected[] = {{{4, 4, 1}, {437, 329, 321}},
                               {{6, 6, 1}, {521, 333, 305}},
                               {{8, 8, 1}, {701, 476, 464}},
                               {{12, 12, 1}, {838, 626, 644}}};
  for (const Expected& e : expected) {
    for (unsigned count = 2; count <= 4; ++count) {
      EXPECT_EQ(usable_seeds(e.size, count).size(), e.counts[count - 2])
          << block_size_name(e.size) << ' ' << count;
    }
  }
}

TEST(Partition, TablesAreTheFunction) {
  for (const BlockSize size : kBlockSizes) {
    for (unsigned count = 2; count <= 4; ++count) {
      for (unsigned seed = 0; seed < kPartitionSeedCount; seed += 31) {
        const auto pattern = partition_table(size, count).pattern(seed);
        size_t i = 0;
        for (unsigned z = 0; z < size.depth; ++z) {
          for (unsigned y = 0; y < size.height; ++y) {
            for (unsigned x = 0; x < size.width; ++x) {
              ASSERT_EQ(pattern[i++], partition_of_texel(size, count, seed, x, y, z));
            }
          }
        }
        EXPECT_EQ(i, pattern.size());
      }
    }
  }
}

TEST(Partition, UsablePatternsHaveAllPartitions) {
  for (const BlockSize size : kBlockSizes) {
    for (unsigned count = 2; count <= 4; ++count) {
      const PartitionTable& table = partition_table(size, count);
      int last = -1;
      for (const uint16_t seed : usable_seeds(size, count)) {
        const auto pattern = table.pattern(seed);
        EXPECT_EQ(std::set<uint8_t>(pattern.begin(), pattern.end()).size(), count);
        EXPECT_GT(seed, last);
        last = seed;
      }
      EXPECT_GT(last, 900);  // usable ones are all over the range
    }
  }
}

// Partitions in the order of their first texels.
std::vector<uint8_t> renamed(std::span<const uint8_t> pattern) {
  std::vector<uint8_t> names, result;
  for (const uint8_t partition : pattern) {
    const auto known = std::find(names.begin(), names.end(), partition);
    result.push_back(static_cast<uint8_t>(known - names.begin()));
    if (known == names.end()) {
      names.push_back(partition);
    }
  }
  return result;
}

TEST(Partition, UsablePatternsAreAllThatDiffer) {
  for (const BlockSize size : kBlockSizes) {
    for (unsigned count = 2; count <= 4; ++count) {
      const PartitionTable& table = partition_table(size, count);
      std::set<std::vector<uint8_t>> known;
      std::vector<uint16_t> expected;
      for (uint16_t seed = 0; seed < kPartitionSeedCount; ++seed) {
        std::vector<uint8_t> pattern = renamed(table.pattern(seed));
        const bool is_whole = *std::max_element(pattern.begin(), pattern.end()) + 1u == count;
        if (is_whole && known.insert(std::move(pattern)).second) {
          expected.push_back(seed);
        }
      }
      EXPECT_EQ(usable_seeds(size, count), expected)
          << block_size_name(size) << ", " << count << " partitions";
    }
  }
}

TEST(Partition, OnePartitionIsZero) {
  EXPECT_EQ(partition_of_texel({8, 8, 1}, 1, 77, 3, 4, 0), 0u);
}

TEST(Infill, FactorsSumToSixteenAndTapsAreInTheGrid) {
  for (const BlockSize size : kBlockSizes) {
    for (const auto& entry : block_mode_table(size).entries()) {
      const GridSize grid = entry.mode.grid;
      const auto taps = infill_table(size).taps(grid);
      ASSERT_EQ(taps.size(), size.texel_count());
      for (const InfillTap& tap : taps) {
        unsigned sum = 0;
        for (unsigned i = 0; i < 4; ++i) {
          sum += tap.factor[i];
          ASSERT_LT(tap.grid[i], grid.count());
        }
        ASSERT_EQ(sum, 16u);
      }
    }
  }
}

TEST(Infill, TablesAreTheFormula) {
  for (const BlockSize size : {BlockSize{6, 5, 1}, BlockSize{5, 4, 4}}) {
    for (const auto& entry : block_mode_table(size).entries()) {
      const auto taps = infill_table(size).taps(entry.mode.grid);
      size_t i = 0;
      for (unsigned z = 0; z < size.depth; ++z) {
        for (unsigned y = 0; y < size.height; ++y) {
          for (unsigned x = 0; x < size.width; ++x, ++i) {
            const InfillTap tap = infill_tap(size, entry.mode.grid, x, y, z);
            ASSERT_EQ(taps[i].grid, tap.grid);
            ASSERT_EQ(taps[i].factor, tap.factor);
          }
        }
      }
    }
  }
}

// A full grid needs no interpolation; corners of any grid are the block's corners.
TEST(Infill, FullGridsAndCorners) {
  for (const BlockSize size : kBlockSizes) {
    const GridSize full = {static_cast<uint8_t>(size.width), static_cast<uint8_t>(size.height),
                           static_cast<uint8_t>(size.depth)};
    unsigned index = 0;
    for (unsigned z = 0; z < size.depth; ++z) {
      for (unsigned y = 0; y < size.height; ++y) {
        for (unsigned x = 0; x < size.width; ++x, ++index) {
          const InfillTap tap = infill_tap(size, full, x, y, z);
          EXPECT_EQ(tap.factor[0], 16);
          EXPECT_EQ(tap.grid[0], index);
        }
      }
    }
    const GridSize small = {3, 2, static_cast<uint8_t>(size.is_3d() ? 2 : 1)};
    const InfillTap last =
        infill_tap(size, small, size.width - 1u, size.height - 1u, size.depth - 1u);
    EXPECT_EQ(last.factor[0], 16);
    EXPECT_EQ(last.grid[0], small.count() - 1);
  }
}

// 6 texels over a grid of 3, texel (1, 1): (1024 + 3)/5 = 205; (205·2 + 32) >> 6 = 6 sixteenths.
TEST(Infill, ATexelByHand) {
  const InfillTap flat = infill_tap({6, 6, 1}, {3, 3, 1}, 1, 1, 0);
  EXPECT_EQ(flat.factor, (std::array<uint8_t, 4>{6, 4, 4, 2}));  // both: (36 + 8) >> 4 = 2
  EXPECT_EQ(flat.grid, (std::array<uint8_t, 4>{0, 1, 3, 4}));
  // In 3D at (1, 2, 0): s 6/16, t 13/16 of the first cell, r 0: first along y, then x.
  const InfillTap deep = infill_tap({6, 6, 6}, {3, 3, 3}, 1, 2, 0);
  EXPECT_EQ(deep.factor, (std::array<uint8_t, 4>{3, 7, 6, 0}));
  EXPECT_EQ(deep.grid, (std::array<uint8_t, 4>{0, 3, 4, 0}));
}

}  // namespace
}  // namespace tessera::astc
