// Writes the usable partition patterns in the forms that lanes need.
#include "astc/encode/patterns.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "astc/encode/pattern_order.h"
#include "astc/encode/usable_seeds.h"
#include "astc/format/partition.h"

namespace tessera::astc {

namespace {

std::vector<uint16_t> seeds_in_order(BlockSize size, unsigned partition_count) {
  return partition_count == 2 ? ordered_pattern_seeds(size) : usable_seeds(size, partition_count);
}

// Four texels' partitions, a byte each, as a number.
uint32_t load_group(const uint8_t* texels) {
  return texels[0] | uint32_t{texels[1]} << 8 | uint32_t{texels[2]} << 16 |
         uint32_t{texels[3]} << 24;
}

// Which of the four bytes are this partition, a bit each. The product has a copy of each byte's
// lowest bit at bits 24 and up, and no two of its terms meet.
uint32_t mask_of(uint32_t group, uint32_t partition) {
  constexpr uint32_t kLowest = 0x01010101;
  const uint32_t differs = group ^ (partition * kLowest);
  const uint32_t same = ~(differs | differs >> 1) & kLowest;  // partitions have two bits
  return (same * (1u << 24 | 1u << 17 | 1u << 10 | 1u << 3)) >> 24 & 15u;
}

// The four bytes with two bits each, in the same way.
uint32_t packed(uint32_t group) {
  return (group * (1u << 24 | 1u << 18 | 1u << 12 | 1u << 6)) >> 24;
}

}  // namespace

void PatternTable::make(BlockSize size, unsigned partition_count, FlatWriter& writer) {
  constexpr unsigned kGroupsPerWord = kTexelsPerPatternWord / kTexelsPerGroup;
  partition_count_ = partition_count;
  words_per_pattern_ = (size.texel_count() + kTexelsPerPatternWord - 1) / kTexelsPerPatternWord;
  group_count_ = (size.texel_count() + kTexelsPerGroup - 1) / kTexelsPerGroup;
  const std::vector<uint16_t> order = seeds_in_order(size, partition_count);
  const auto seeds = writer.place(seeds_, order.size());
  const auto words = writer.place(words_, order.size() * words_per_pattern_);
  const auto sets = writer.place(subsets_, order.size() * (partition_count - 1) * group_count_);
  const auto per_texel = writer.place(per_texel_, order.size());
  const PatternDrawer drawer(size);
  std::array<uint8_t, kMaxTexels + kTexelsPerGroup> drawn{};  // partition 0 behind the last texel
  for (size_t i = 0; i < order.size(); ++i) {
    seeds[i] = order[i];
    drawer.draw(partition_count, order[i], std::span(drawn).first(size.texel_count()));
    std::array<unsigned, kMaxPartitions> texels{};
    for (unsigned g = 0; g < group_count_; ++g) {
      const uint32_t group = load_group(drawn.data() + size_t{kTexelsPerGroup} * g);
      words[i * words_per_pattern_ + g / kGroupsPerWord] |=
          static_cast<int32_t>(packed(group) << (8 * (g % kGroupsPerWord)));
      for (unsigned p = 1; p < partition_count; ++p) {
        const uint32_t mask = mask_of(group, p);
        sets[(i * (partition_count - 1) + p - 1) * group_count_ + g] =
            static_cast<uint16_t>(16 * g + mask);
        texels[p] += static_cast<unsigned>(std::popcount(mask));
      }
    }
    texels[0] = size.texel_count() - texels[1] - texels[2] - texels[3];
    for (unsigned p = 0; p < partition_count; ++p) {
      per_texel[i][p] = 1.0F / static_cast<float>(texels[p]);
    }
  }
}

void PatternTable::copy(const PatternTable& made, FlatWriter& writer) {
  partition_count_ = made.partition_count_;
  words_per_pattern_ = made.words_per_pattern_;
  group_count_ = made.group_count_;
  const auto copy_array = [&writer](const auto& from, auto& to) {
    writer.place(to, std::span(from.data(), from.size()));
  };
  copy_array(made.seeds_, seeds_);
  copy_array(made.words_, words_);
  copy_array(made.subsets_, subsets_);
  copy_array(made.per_texel_, per_texel_);
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
