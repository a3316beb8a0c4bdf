// Which of the 1,024 seeds of partition patterns are worth trying, for each block size and number
// of partitions: no partition is empty, and the pattern is no renaming of that of a lower seed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "astc/format/block_size.h"

namespace tessera::astc {

inline constexpr size_t kSeedWords = 1024 / 64;
// For 2, 3 and 4 partitions of each block size.
inline constexpr size_t kUsableSeedWords = kBlockSizeCount * 3 * kSeedWords;

extern const std::array<uint64_t, kUsableSeedWords> kUsableSeeds;

inline bool is_usable_seed(BlockSize size, unsigned partition_count, unsigned seed) {
  const size_t list = size_t{block_size_index(size).value_or(0)} * 3 + partition_count - 2;
  return (kUsableSeeds[list * kSeedWords + seed / 64] >> (seed % 64) & 1) != 0;
}

}  // namespace tessera::astc
