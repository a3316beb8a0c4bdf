// Between ranking and fitting: blocks with what they could be, sorted so that those of the same
// block mode lie together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "astc/encode/candidates.h"
#include "astc/encode/chunk.h"

namespace tessera::astc {

struct Item {
  uint16_t block;
  uint16_t mode;   // number of the candidate in the table
  int32_t choice;  // see Choice
  float error;     // of the fit
};

class Items {
 public:
  Items() : items_(kMaxItems), unsorted_(kMaxItems + 1) {}

  // The best choices of each block, as the ranking left them.
  void collect(const CandidateTable& table, const Chunk& chunk, unsigned fits);
  // Of each block the `kept` items with the lowest errors remain.
  void keep_best(const Chunk& chunk, unsigned kept);

  // Whether there are items of the family.
  bool has_family(unsigned family) const { return has_family_[family]; }
  // Of a family that has some; `number` is that of the candidate in the table.
  std::span<Item> of_mode(unsigned number) {
    return {items_.data() + first_[number], items_.data() + end_[number]};
  }

 private:
  void sort();

  size_t count_ = 0;
  const CandidateTable* table_ = nullptr;
  std::array<bool, kFamilyCount> has_family_{};
  std::vector<Item> items_;     // sorted
  std::vector<Item> unsorted_;  // of block after block
  // Of each mode.
  std::array<uint16_t, kFamilyCount * kMaxCandidates> first_{};
  std::array<uint16_t, kFamilyCount * kMaxCandidates> end_{};
};

}  // namespace tessera::astc
