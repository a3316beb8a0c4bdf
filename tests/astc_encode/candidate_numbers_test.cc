// Tests the order in which candidates are numbered, and so fitted.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "astc/encode/encode_tables.h"
#include "astc/encode/families.h"
#include "astc/format/block_size.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

class CandidateNumbers : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Sizes, CandidateNumbers, testing::Range(0u, kBlockSizeCount),
                         [](const auto& i) { return block_size_name(kBlockSizes[i.param]); });

TEST_P(CandidateNumbers, AreBatchedByGridWithoutGaps) {
  const EncodeTables& table = all_tables(kBlockSizes[GetParam()]);
  unsigned next = 0;
  for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
    EXPECT_EQ(table.first_number[group], next);
    for (const EncodeTables::Batch& batch : table.batches(group)) {
      ASSERT_EQ(batch.first, next);
      ASSERT_GT(batch.end, batch.first);
      for (; next < batch.end; ++next) {
        EXPECT_EQ(table.candidate_of_number(next).grid, batch.grid);
      }
    }
  }
  EXPECT_EQ(next, table.all_candidates.size());
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const unsigned group = family_group(family_of_index(index));
    for (unsigned i = 0; i < table.candidates(index).size(); ++i) {
      EXPECT_GE(table.number(index, i), table.first_number[group]);
      EXPECT_LT(table.number(index, i), table.first_number[group + 1]);
      EXPECT_EQ(&table.candidate_of_number(table.number(index, i)), &table.candidates(index)[i]);
    }
  }
}

// Fits of different families in one vector rely on it that none stores more than the first.
TEST_P(CandidateNumbers, OfABatchStoreFewerAndFewerValues) {
  const EncodeTables& table = all_tables(kBlockSizes[GetParam()]);
  std::vector<unsigned> saved(table.all_candidates.size());  // by number
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    for (unsigned i = 0; i < table.candidates(index).size(); ++i) {
      saved[table.number(index, i)] = family_of_index(index).saved_pairs;
    }
  }
  for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
    for (const EncodeTables::Batch& batch : table.batches(group)) {
      EXPECT_TRUE(std::is_sorted(saved.begin() + batch.first, saved.begin() + batch.end)) << group;
    }
  }
}

}  // namespace
}  // namespace tessera::astc
