// What all blocks share in cluster fit: a network that sorts sixteen keys, and the divisors of all
// splits into four runs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/rule_table.h"
#include "bc/bc1_format.h"

namespace tessera::bc1 {

// Batcher's odd-even merge sort for sixteen keys: 63 comparisons.
constexpr std::array<std::pair<uint8_t, uint8_t>, 63> make_sort_network() {
  std::array<std::pair<uint8_t, uint8_t>, 63> network = {};
  size_t count = 0;
  for (size_t p = 1; p < kBlockTexels; p *= 2) {
    for (size_t k = p; k >= 1; k /= 2) {
      for (size_t j = k % p; j + k < kBlockTexels; j += 2 * k) {
        for (size_t i = 0; i < k && i + j + k < kBlockTexels; ++i) {
          if ((i + j) / (p * 2) == (i + j + k) / (p * 2)) {
            network[count++] = {static_cast<uint8_t>(i + j), static_cast<uint8_t>(i + j + k)};
          }
        }
      }
    }
  }
  return network;
}
inline constexpr auto kSortNetwork = make_sort_network();

inline constexpr size_t kThirdsSplits = 969;

// 1/(16·Σs² − (Σs)²) of the splits 0 <= i <= j <= k <= 16, in that order; 0 where all texels have
// one step.
TESSERA_TABLE_RULE std::array<float, kThirdsSplits> make_thirds_inverse() {
  std::array<float, kThirdsSplits> inverse = {};
  size_t count = 0;
  for (int i = 0; i <= 16; ++i) {
    for (int j = i; j <= 16; ++j) {
      for (int k = j; k <= 16; ++k) {
        const int s = (16 - i) + (16 - j) + (16 - k);
        const int ss = (16 - i) + 3 * (16 - j) + 5 * (16 - k);
        const int determinant = 16 * ss - s * s;
        inverse[count++] = determinant > 0 ? 1.0F / static_cast<float>(determinant) : 0.0F;
      }
    }
  }
  return inverse;
}

inline const std::array<float, kThirdsSplits>& thirds_inverse() {
  static TESSERA_RULE_TABLE std::array<float, kThirdsSplits> kInverse = make_thirds_inverse();
  return kInverse;
}

}  // namespace tessera::bc1
