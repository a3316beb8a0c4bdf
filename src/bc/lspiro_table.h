// Divisions by n(n + 1), the denominators of LSpiro's regression over n ranks.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::bc1 {

inline constexpr int kLspiroShift = 25;

// floor(x / (2n(n + 1))) = (x·magic) >> 25 for x up to 63.5·2n(n + 1), exact for n of 1…16.
constexpr std::array<int32_t, 17> make_lspiro_magic() {
  std::array<int32_t, 17> magic = {};
  for (int32_t n = 1; n <= 16; ++n) {
    const int32_t divisor = 2 * n * (n + 1);
    magic[static_cast<size_t>(n)] = ((1 << kLspiroShift) + divisor - 1) / divisor;
  }
  return magic;
}
inline constexpr std::array<int32_t, 17> kLspiroMagic = make_lspiro_magic();

}  // namespace tessera::bc1
