#include "astc/encode/items.h"

#include <algorithm>

namespace tessera::astc {
void Items::collect(const CandidateTable& table, const Chunk& chunk, unsigned fits) {
  static_assert(kFamilyCount * kMaxCandidates <= 0xFFFF);
  mode_count_ = table.first_number(kFamilyCount);
  count_ = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    for (unsigned i = 0; i < fits; ++i) {
      const int32_t code = chunk.choice[i][block];
      const Choice choice = Choice::of_code(code);
      unsorted_[count_].block = static_cast<uint16_t>(block);
      unsorted_[count_].mode =
          static_cast<uint16_t>(table.first_number(choice.family) + choice.candidate);
      unsorted_[count_].choice = code;
      count_ += code != kConstantBlock ? 1 : 0;
    }
  }
  sort();
}

// By counting; items of a mode stay in order.
void Items::sort() {
  static_assert(kMaxItems <= 0xFFFF);
  std::fill_n(first_.begin(), mode_count_ + 1, uint16_t{0});
  for (size_t i = 0; i < count_; ++i) {
    ++first_[unsorted_[i].mode + 1u];
  }
  for (unsigned i = 0; i < mode_count_; ++i) {
    first_[i + 1] = static_cast<uint16_t>(first_[i + 1] + first_[i]);
  }
  // Filling moves the starts to the ends of the groups, which are the starts of the next ones.
  for (size_t i = 0; i < count_; ++i) {
    items_[first_[unsorted_[i].mode]++] = unsorted_[i];
  }
  for (unsigned i = mode_count_; i > 0; --i) {
    first_[i] = first_[i - 1];
  }
  first_[0] = 0;
}

void Items::keep_best(const Chunk& chunk, unsigned kept) {
  // Back to the order of the blocks, by counting again.
  std::array<uint16_t, kMaxChunkBlocks + 1> first{};
  for (size_t i = 0; i < count_; ++i) {
    ++first[items_[i].block + 1u];
  }
  for (size_t block = 0; block < chunk.count; ++block) {
    first[block + 1] = static_cast<uint16_t>(first[block + 1] + first[block]);
  }
  std::array<uint16_t, kMaxChunkBlocks + 1> next = first;
  for (size_t i = 0; i < count_; ++i) {
    unsorted_[next[items_[i].block]++] = items_[i];
  }
  size_t count = 0;
  for (size_t block = 0; block < chunk.count; ++block) {
    Item* const begin = unsorted_.data() + first[block];
    Item* const end = unsorted_.data() + first[block + 1];
    const auto room = std::min<ptrdiff_t>(kept, end - begin);
    // Equal errors must not leave the choice to the library.
    std::partial_sort(begin, begin + room, end, [](const Item& a, const Item& b) {
      return a.error != b.error ? a.error < b.error : a.choice < b.choice;
    });
    std::move(begin, begin + room, unsorted_.data() + count);
    count += static_cast<size_t>(room);
  }
  count_ = count;
  sort();
}

}  // namespace tessera::astc
