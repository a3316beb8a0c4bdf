// Partition patterns of one block size in the forms that lanes need: two bits per texel for blocks
// that have different patterns side by side, and four texels at a time for trying one pattern on
// many blocks.
#pragma once

#include <array>
#include <cstdint>

#include "astc/encode/flat_memory.h"
#include "astc/encode/weight_grid.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

inline constexpr unsigned kTexelsPerPatternWord = 16;
inline constexpr unsigned kTexelsPerGroup = 4;

class PatternTable {
 public:
  // Usable patterns, the most plausible first: with two partitions, those most like a block cut by
  // a straight edge.
  constexpr size_t count() const { return seeds_.size(); }
  constexpr const int32_t* seeds() const { return seeds_.data(); }

  // Partition of texel t: bits 2·(t mod 16) and up of word [pattern · words_per_pattern() + t/16].
  constexpr unsigned words_per_pattern() const { return words_per_pattern_; }
  constexpr const int32_t* words() const { return words_.data(); }

  // Which texels of each group of four belong to a partition other than 0, as the offset of the
  // group's subset: 16·group + bit mask.
  constexpr unsigned group_count() const { return group_count_; }
  constexpr const uint16_t* subsets(size_t pattern, unsigned partition) const {
    return subsets_.data() + (pattern * (partition_count_ - 1u) + partition - 1u) * group_count_;
  }
  // 1 / the number of texels in a partition.
  constexpr float per_texel(size_t pattern, unsigned partition) const {
    return per_texel_[pattern][partition];
  }

  // `partition_count` is 2 to 4. The table has been placed by the writer.
  void make(BlockSize size, unsigned partition_count, FlatWriter& writer);
  // The same as in another table, which has been made.
  void copy(const PatternTable& made, FlatWriter& writer);

 private:
  // Of a pattern's partitions, next to each other, so that a device loads two of them at once.
  struct alignas(16) PerTexel : std::array<float, kMaxPartitions> {};

  uint32_t partition_count_ = 0;
  uint32_t words_per_pattern_ = 0;
  uint32_t group_count_ = 0;
  FlatArray<int32_t> seeds_;
  FlatArray<int32_t> words_;
  FlatArray<uint16_t> subsets_;
  FlatArray<PerTexel> per_texel_;
};

// For 4x4 and two partitions: the pattern that differs in the fewest texels from a grouping, whose
// bit t tells the group of texel t. 65,536 entries.
void make_patterns_nearest_to_groups(const PatternTable& two_partitions, FlatWriter& writer,
                                     FlatArray<int32_t>& nearest);

}  // namespace tessera::astc
