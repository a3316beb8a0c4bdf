// Unpacks the seeds worth trying, which are stored as differences between block sizes.
#include "astc/encode/usable_seeds.h"

#include <algorithm>
#include <array>

#include "astc/encode/encoder_scope.h"
#include "astc/encode/usable_seeds_table.h"

namespace tessera::astc {
namespace {

constexpr size_t kSeedWords = 1024 / 64;
constexpr size_t kWordsPerSize = 3 * kSeedWords;

// The block sizes of volumes follow those of pictures.
constexpr auto kStoredChanges = [] {
  std::array<uint64_t, kEncodesAll ? kChangedSeeds.size() : kBlockSizeCount2d * kWordsPerSize>
      kept{};
  std::copy_n(kChangedSeeds.begin(), kept.size(), kept.begin());
  return kept;
}();

}  // namespace

std::vector<uint16_t> usable_seeds(BlockSize size, unsigned partition_count) {
  const size_t last = block_size_index(size).value_or(0);
  std::vector<uint16_t> seeds;
  for (size_t word = 0; word < kSeedWords; ++word) {
    uint64_t bits = 0;
    for (size_t index = 0; index <= last; ++index) {
      bits ^= kStoredChanges[index * kWordsPerSize + (partition_count - 2) * kSeedWords + word];
    }
    for (size_t bit = 0; bit < 64; ++bit) {
      if ((bits >> bit & 1) != 0) {
        seeds.push_back(static_cast<uint16_t>(word * 64 + bit));
      }
    }
  }
  return seeds;
}

}  // namespace tessera::astc
