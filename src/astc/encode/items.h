// Between ranking and fitting: blocks with what they could be, sorted so that those of the same
// family, grid and block mode lie together.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

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
  Items()
      : items_(std::make_unique_for_overwrite<Item[]>(kMaxItems)),
        unsorted_(std::make_unique_for_overwrite<Item[]>(kMaxItems)) {}

  // The best choices of each block, as the ranking left them, as far as their estimated error is
  // below a limit.
  void collect(const CandidateTable& table, const Chunk& chunk, unsigned fits, float limit);
  // Of each block the `kept` items with the lowest errors remain, or but one where its error, a
  // texel, is small enough.
  void keep_best(const Chunk& chunk, unsigned kept, float small_error);

  // Whether there are items of the family.
  bool has_family(unsigned family) const { return has_family_[family]; }
  // Of a family that has some; those of the same mode lie together.
  std::span<Item> of_batch(const CandidateTable::Batch& batch) {
    return {items_.get() + first_[batch.first], items_.get() + end_[batch.end - 1]};
  }

 private:
  void sort();

  size_t count_ = 0;
  const CandidateTable* table_ = nullptr;
  std::array<bool, kFamilyCount> has_family_{};
  // Room for kMaxItems, of which most presets touch a small part.
  std::unique_ptr<Item[]> items_;     // sorted
  std::unique_ptr<Item[]> unsorted_;  // of block after block
  // Of each mode.
  std::array<uint32_t, kFamilyCount * kMaxCandidates> first_{};
  std::array<uint32_t, kFamilyCount * kMaxCandidates> end_{};
};

}  // namespace tessera::astc
