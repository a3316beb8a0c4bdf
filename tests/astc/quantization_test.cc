// Tests the tables of quantised weights and colours.
#include "astc/format/quantization.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace tessera::astc {
namespace {

template <typename Table>
void expect_consistent(const Table& table, unsigned levels, unsigned max_value) {
  EXPECT_EQ(table.value_of_rank[0], 0);
  EXPECT_EQ(table.value_of_rank[levels - 1], max_value);
  for (unsigned rank = 0; rank < levels; ++rank) {
    EXPECT_EQ(table.rank_of_code[table.code_of_rank[rank]], rank);
    EXPECT_EQ(table.value_of_code[table.code_of_rank[rank]], table.value_of_rank[rank]);
    if (rank > 0) {
      EXPECT_LT(table.value_of_rank[rank - 1], table.value_of_rank[rank]);
    }
    // The scale is nearly even, and its two ends mirror each other.
    EXPECT_EQ(table.value_of_rank[rank] + table.value_of_rank[levels - 1 - rank], max_value);
    EXPECT_LE(std::abs(static_cast<int>(table.value_of_rank[rank] * (levels - 1)) -
                       static_cast<int>(rank * max_value)),
              static_cast<int>(2 * (levels - 1)));
  }
  for (unsigned value = 0; value <= max_value; ++value) {
    const unsigned chosen = table.value_of_code[table.nearest_code[value]];
    const int distance = std::abs(static_cast<int>(chosen) - static_cast<int>(value));
    for (unsigned code = 0; code < levels; ++code) {
      const unsigned other = table.value_of_code[code];
      const int other_distance = std::abs(static_cast<int>(other) - static_cast<int>(value));
      ASSERT_LE(distance, other_distance);
      ASSERT_TRUE(distance < other_distance || chosen <= other);  // ties go down
    }
  }
}

TEST(Quantization, WeightTablesAreConsistent) {
  for (unsigned i = 0; i < kWeightRangeCount; ++i) {
    SCOPED_TRACE(i);
    expect_consistent(weight_table(range_from_index(i)), range_levels(range_from_index(i)),
                      kMaxWeight);
  }
}

TEST(Quantization, ColorTablesAreConsistent) {
  for (unsigned i = range_index(kSmallestColorRange); i < kRangeCount; ++i) {
    SCOPED_TRACE(i);
    expect_consistent(color_table(range_from_index(i)), range_levels(range_from_index(i)), 255);
  }
}

template <typename Table>
std::vector<int> first_values(const Table& table, unsigned count) {
  return {table.value_of_code.begin(), table.value_of_code.begin() + count};
}

// Worked by hand from the standard's formulae.
TEST(Quantization, WeightValuesByHand) {
  EXPECT_EQ(first_values(weight_table(IntegerRange::k2Levels), 2), (std::vector{0, 64}));
  EXPECT_EQ(first_values(weight_table(IntegerRange::k3Levels), 3), (std::vector{0, 32, 64}));
  EXPECT_EQ(first_values(weight_table(IntegerRange::k4Levels), 4), (std::vector{0, 21, 43, 64}));
  EXPECT_EQ(first_values(weight_table(IntegerRange::k5Levels), 5),
            (std::vector{0, 16, 32, 48, 64}));
  EXPECT_EQ(first_values(weight_table(IntegerRange::k6Levels), 6),
            (std::vector{0, 64, 12, 52, 25, 39}));
}

TEST(Quantization, ColorValuesByHand) {
  EXPECT_EQ(first_values(color_table(IntegerRange::k6Levels), 6),
            (std::vector{0, 255, 51, 204, 102, 153}));
  EXPECT_EQ(first_values(color_table(IntegerRange::k8Levels), 8),
            (std::vector{0, 36, 73, 109, 146, 182, 219, 255}));
  EXPECT_EQ(first_values(color_table(IntegerRange::k10Levels), 10),
            (std::vector{0, 255, 28, 227, 56, 199, 84, 171, 113, 142}));
}

}  // namespace
}  // namespace tessera::astc
