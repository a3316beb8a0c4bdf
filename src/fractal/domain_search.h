// The search of our coder: for every block the best domain of each distance class, over all eight
// isometries and both signs of s. Near domains lie at every sample of the half-resolution image,
// far ones at every second (distance_rings.h). Blocks of 16x16 and 32x32 are compared by 8x8 means.
#pragma once

#include <span>

#include "fractal/distance_rings.h"
#include "fractal/domain_measures.h"
#include "fractal/leaf_syntax.h"
#include "fractal/plane.h"

namespace tessera::fractal {

inline constexpr float kMaxScale = 1.5f;

using BlockCandidates = std::array<DomainCandidate, kRingCount>;

// Domains of one pool, packed in groups of lanes: consecutive positions of a row.
struct DomainPool {
  int32_t stride = 1;
  uint32_t columns = 0;  // positions a row
  uint32_t rows = 0;
  uint32_t groups_across = 0;
  std::vector<int16_t> words;       // group by group, word by word, domain by domain
  std::vector<float> inverse_root;  // 1/√variance of the domain in sums of four, 0 where flat
};

// Everything that searching blocks of one size needs; shared by all threads.
struct SizeSearch {
  uint32_t log2_side = 2;
  DomainField field;
  DomainPool near;
  DomainPool far;
};

SizeSearch prepare_search(const Plane<uint16_t>& half, uint32_t log2_side);

// Blocks in one row of blocks; `found` has an entry for each block of the row.
void search_block_row(const Plane<uint8_t>& image, const Plane<uint16_t>& half,
                      const SizeSearch& search, uint32_t block_row,
                      std::span<BlockCandidates> found);

}  // namespace tessera::fractal
