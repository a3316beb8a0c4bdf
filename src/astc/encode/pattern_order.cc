// Sorts the usable seeds by their stored ranks.
#include "astc/encode/pattern_order.h"

#include <algorithm>
#include <array>

#include "astc/encode/encoder_scope.h"
#include "astc/encode/pattern_ranks.h"
#include "astc/encode/usable_seeds.h"

namespace tessera::astc {
namespace {

// The ranks of volumes follow those of pictures.
constexpr auto kStoredRanks = [] {
  std::array<uint8_t, kEncodesAll ? kRanks.size() : kFirstRanks[kBlockSizeCount2d]> ranks{};
  std::copy_n(kRanks.begin(), ranks.size(), ranks.begin());
  return ranks;
}();

}  // namespace

std::vector<uint16_t> ordered_pattern_seeds(BlockSize size) {
  constexpr unsigned kRankShift = 16;
  const uint8_t* rank = kStoredRanks.data() + kFirstRanks[block_size_index(size).value_or(0)];
  std::vector<uint32_t> ranked;
  for (const uint16_t seed : usable_seeds(size, 2)) {
    ranked.push_back(uint32_t{*rank++} << kRankShift | seed);
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
