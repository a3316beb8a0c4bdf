// Between ranking and fitting: blocks sorted by the mode chosen for them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "astc/encode/candidates.h"
#include "astc/encode/chunk.h"

namespace tessera::astc {

inline constexpr unsigned kMaxBatches = CandidateTable::kListCount * kMaxCandidates;

// The blocks of a chunk that need a fit, grouped by list and candidate; in each
// group in order.
struct Batches {
  std::array<uint16_t, kMaxBatches + 1> first;  // of each group in `blocks`
  std::array<uint16_t, kMaxChunkBlocks> blocks;

  std::span<const uint16_t> group(unsigned list, size_t candidate) const {
    const size_t key = list * kMaxCandidates + candidate;
    return {blocks.data() + first[key], blocks.data() + first[key + 1]};
  }
};

void sort_into_batches(const Chunk& chunk, Batches& batches);

}  // namespace tessera::astc
