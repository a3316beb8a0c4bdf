// Sorts the usable seeds by their stored ranks.
#include "astc/encode/pattern_order.h"

#include <algorithm>
#include <array>

#include "astc/encode/encoder_scope.h"
#include "astc/encode/pattern_ranks.h"
#include "astc/format/block_layout.h"
#include "astc/format/usable_seeds.h"

namespace tessera::astc {
namespace {

// The ranks of volumes follow those of pictures.
constexpr auto kStoredRanks = [] {
  constexpr size_t kPictureSizes = 14;
  std::array<uint8_t, kEncodesAll ? kRanks.size() : kFirstRanks[kPictureSizes]> ranks{};
  std::copy_n(kRanks.begin(), ranks.size(), ranks.begin());
  return ranks;
}();

}  // namespace

std::vector<uint16_t> ordered_pattern_seeds(BlockSize size) {
  constexpr unsigned kRankShift = 16;
  const uint8_t* rank = kStoredRanks.data() + kFirstRanks[block_size_index(size).value_or(0)];
  std::vector<uint32_t> ranked;
  for (uint32_t seed = 0; seed < kPartitionSeedCount; ++seed) {
    if (is_usable_seed(size, 2, seed)) {
      ranked.push_back(uint32_t{*rank++} << kRankShift | seed);
    }
  }
  std::sort(ranked.begin(), ranked.end());
  std::vector<uint16_t> seeds;
  seeds.reserve(ranked.size());
  for (const uint32_t entry : ranked) {
    seeds.push_back(static_cast<uint16_t>(entry));  // without its rank
  }
  return seeds;
}

}  // namespace tessera::astc
