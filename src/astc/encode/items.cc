#include "astc/encode/items.h"

#include <algorithm>

namespace tessera::astc {
void Items::collect(const CandidateTable& table, const Chunk& chunk, unsigned fits, float limit) {
  static_assert(kFamilyCount * kMaxCandidates <= 0xFFFF);
  table_ = &table;
  count_ = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    for (unsigned i = 0; i < fits; ++i) {
      const int32_t code = chunk.choice(i)[block];
      if (code == kConstantBlock || chunk.estimate(i)[block] >= limit) {
        continue;
      }
      const Choice choice = Choice::of_code(code);
      Item& item = unsorted_[count_++];
      item.block = static_cast<uint16_t>(block);
      item.mode = static_cast<uint16_t>(table.number(choice.family, choice.candidate));
      item.choice = code;
    }
  }
  sort();
}

// By counting; items of a mode stay in order. Only the counters of families that occur are touched.
void Items::sort() {
  has_family_.fill(false);
  for (size_t i = 0; i < count_; ++i) {
    has_family_[Choice::of_code(unsorted_[i].choice).family] = true;
  }
  // Calls work(mode) for each mode of the families that occur.
  const auto for_modes = [&](const auto& work) {
    for (unsigned family = 0; family < kFamilyCount; ++family) {
      for (unsigned mode = table_->first_number(family);
           has_family_[family] && mode < table_->first_number(family + 1); ++mode) {
        work(mode);
      }
    }
  };
  for_modes([&](unsigned mode) { end_[mode] = 0; });
  for (size_t i = 0; i < count_; ++i) {
    ++end_[unsorted_[i].mode];
  }
  uint32_t next = 0;
  for_modes([&](unsigned mode) {
    first_[mode] = next;
    next += end_[mode];
    end_[mode] = first_[mode];
  });
  for (size_t i = 0; i < count_; ++i) {
    items_[end_[unsorted_[i].mode]++] = unsorted_[i];
  }
}

void Items::keep_best(const Chunk& chunk, unsigned kept, float small_error) {
  // Back to the order of the blocks, by counting again.
  std::array<uint32_t, kMaxChunkBlocks + 1> first{};
  for (size_t i = 0; i < count_; ++i) {
    ++first[items_[i].block + 1u];
  }
  for (size_t block = 0; block < chunk.count; ++block) {
    first[block + 1] += first[block];
  }
  std::array<uint32_t, kMaxChunkBlocks + 1> next = first;
  for (size_t i = 0; i < count_; ++i) {
    unsorted_[next[items_[i].block]++] = items_[i];
  }
  size_t count = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    Item* const begin = unsorted_.get() + first[block];
    Item* const end = unsorted_.get() + first[block + 1];
    const auto room = std::min<ptrdiff_t>(kept, end - begin);
    // Equal errors must not leave the choice to the library.
    std::partial_sort(begin, begin + room, end, [](const Item& a, const Item& b) {
      return a.error != b.error ? a.error < b.error : a.choice < b.choice;
    });
    const bool one_will_do = room > 1 && begin->error <= small_error * chunk.texels_inside(block);
    const auto taken = one_will_do ? ptrdiff_t{1} : room;
    std::move(begin, begin + taken, unsorted_.get() + count);
    count += static_cast<size_t>(taken);
  }
  count_ = count;
  sort();
}

}  // namespace tessera::astc
