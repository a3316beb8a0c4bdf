// Writes the usable partition patterns in the forms that lanes need.
#include "astc/encode/patterns.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "astc/encode/pattern_order.h"
#include "astc/format/partition.h"

namespace tessera::astc {

void PatternTable::make(BlockSize size, unsigned partition_count, FlatWriter& writer) {
  partition_count_ = partition_count;
  words_per_pattern_ = (size.texel_count() + kTexelsPerPatternWord - 1) / kTexelsPerPatternWord;
  group_count_ = (size.texel_count() + kTexelsPerGroup - 1) / kTexelsPerGroup;
  const PartitionTable& table = partition_table(size, partition_count);
  const std::span<const uint16_t> order =
      partition_count == 2 ? ordered_pattern_seeds(size) : table.usable_seeds();
  const auto seeds = writer.place(seeds_, order.size());
  const auto words = writer.place(words_, order.size() * words_per_pattern_);
  const auto sets = writer.place(subsets_, order.size() * (partition_count - 1) * group_count_);
  const auto per_texel = writer.place(per_texel_, order.size());
  for (size_t i = 0; i < sets.size(); ++i) {
    sets[i] = static_cast<uint16_t>(16 * (i % group_count_));
  }
  for (size_t i = 0; i < order.size(); ++i) {
    seeds[i] = order[i];
    const auto pattern = table.pattern(order[i]);
    std::array<unsigned, kMaxPartitions> texels{};
    for (unsigned t = 0; t < pattern.size(); ++t) {
      const unsigned partition = pattern[t];
      words[i * words_per_pattern_ + t / kTexelsPerPatternWord] |=
          static_cast<int32_t>(partition << (2 * (t % kTexelsPerPatternWord)));
      ++texels[partition];
      if (partition > 0) {
        uint16_t& subset =
            sets[(i * (partition_count - 1) + partition - 1) * group_count_ + t / kTexelsPerGroup];
        subset = static_cast<uint16_t>(subset | (1u << (t % kTexelsPerGroup)));
      }
    }
    for (unsigned p = 0; p < partition_count; ++p) {
      per_texel[i][p] = 1.0F / static_cast<float>(texels[p]);
    }
  }
}

void make_patterns_nearest_to_groups(const PatternTable& two_partitions, FlatWriter& writer,
                                     FlatArray<int32_t>& nearest) {
  constexpr unsigned kTexels = 16;
  std::vector<uint16_t> masks;
  for (size_t i = 0; i < two_partitions.count(); ++i) {
    unsigned mask = 0;
    for (unsigned t = 0; t < kTexels; ++t) {
      mask |= (static_cast<uint32_t>(two_partitions.words()[i]) >> (2 * t) & 1u) << t;
    }
    masks.push_back(static_cast<uint16_t>(mask));
  }
  const std::span<int32_t> entries = writer.place(nearest, size_t{1} << kTexels);
  for (unsigned group = 0; group < entries.size(); ++group) {
    unsigned least = kTexels;
    for (size_t i = 0; i < masks.size(); ++i) {
      const auto count = static_cast<unsigned>(std::popcount(group ^ masks[i]));
      if (std::min(count, kTexels - count) < least) {
        least = std::min(count, kTexels - count);
        entries[group] = static_cast<int32_t>(i);
      }
    }
  }
}

}  // namespace tessera::astc
