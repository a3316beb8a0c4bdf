// Partition patterns of one block size in the forms that lanes need: two bits a texel for blocks
// that have different patterns side by side, and four texels at a time for trying one pattern on
// many blocks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "astc/encode/candidates.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

inline constexpr unsigned kTexelsPerPatternWord = 16;
inline constexpr unsigned kMaxPatternWords = kMaxTexels2d / kTexelsPerPatternWord;
inline constexpr unsigned kTexelsPerGroup = 4;
inline constexpr unsigned kMaxTexelGroups = kMaxTexels2d / kTexelsPerGroup;

class PatternTable {
 public:
  PatternTable(BlockSize size, unsigned partition_count);

  // Usable patterns, the most plausible first: with two partitions, those most like a block cut by
  // a straight edge.
  size_t count() const { return seeds_.size(); }
  const int32_t* seeds() const { return seeds_.data(); }

  // Partition of texel t: bits 2·(t mod 16) and up of word [pattern · words_per_pattern() + t/16].
  unsigned words_per_pattern() const { return words_per_pattern_; }
  const int32_t* words() const { return words_.data(); }

  // Which texels of each group of four belong to a partition other than 0, as the offset of the
  // group's subset: 16·group + bit mask.
  unsigned group_count() const { return group_count_; }
  const uint16_t* subsets(size_t pattern, unsigned partition) const {
    return subsets_.data() + (pattern * (partition_count_ - 1u) + partition - 1u) * group_count_;
  }
  // 1 / the number of texels in a partition.
  float per_texel(size_t pattern, unsigned partition) const {
    return per_texel_[pattern][partition];
  }

 private:
  void add_pattern(BlockSize size, unsigned seed);

  unsigned partition_count_;
  unsigned words_per_pattern_;
  unsigned group_count_;
  std::vector<int32_t> seeds_;
  std::vector<int32_t> words_;
  std::vector<uint16_t> subsets_;
  std::vector<std::array<float, kMaxPartitions>> per_texel_;
};

// Made at first use. `size` is a 2D one, `partition_count` 2 to 4.
const PatternTable& pattern_table(BlockSize size, unsigned partition_count);

// For 4x4 and two partitions: the pattern that differs in the fewest texels from a grouping, whose
// bit t tells the group of texel t. 65,536 entries, made at first use.
const int32_t* patterns_nearest_to_groups_4x4();

}  // namespace tessera::astc
