// The rotation split. A quarter turn moves a pixel of a square block through an orbit of four,
// v0 → v1 → v2 → v3. For each orbit keep
//   z = v0+v1+v2+v3,  y = v0−v1+v2−v3,  p = v0−v2,  q = v1−v3
// of domain (a) and range (b). With the sums over all orbits
//   Z = Σ za·zb,  Y = Σ ya·yb,  C = Σ (pa·pb + qa·qb),  E = Σ (qa·pb − pa·qb)
// four times the dot product of the range with the domain turned by r quarters is
//   r = 0: Z+Y+2C,  1: Z−Y+2E,  2: Z+Y−2C,  3: Z−Y−2E:
// six multiplications an orbit instead of sixteen. All values fit 16 bits, all sums are exact.
//
// Memory: domains in groups of kDomainGroup; for each pair of orbits (j, j+1) and each domain of
// the group the pairs (z_j, z_j+1), (y_j, y_j+1), (p_j, q_j), (p_j+1, q_j+1), component after
// component. Ranges: for each pair of orbits the six pairs z, y, (p, q)_j, (−q, p)_j, (p, q)_j+1,
// (−q, p)_j+1.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::fractal {

inline constexpr size_t kDomainGroup = 32;
inline constexpr size_t kDomainPairWords = 4;  // words of two 16-bit values, an orbit pair
inline constexpr size_t kRangePairWords = 6;
// 64x64 samples: up to here the sums of offset samples stay below 2^30.
inline constexpr size_t kMaxExactOrbitPairs = 64 * 64 / 8;

struct OrbitValues {
  int16_t z = 0;
  int16_t y = 0;
  int16_t p = 0;
  int16_t q = 0;
};

// All orbits of a block; `sample(x, y)` gives a sample of it.
template <typename Sample>
void split_rotations(uint32_t side, const Sample& sample, std::vector<OrbitValues>& orbits) {
  orbits.clear();
  const uint32_t last = side - 1;
  for (uint32_t y = 0; y < side / 2; ++y) {
    for (uint32_t x = 0; x < side / 2; ++x) {
      const int v0 = sample(x, y);
      const int v1 = sample(last - y, x);
      const int v2 = sample(last - x, last - y);
      const int v3 = sample(y, last - x);
      orbits.push_back({static_cast<int16_t>(v0 + v1 + v2 + v3),
                        static_cast<int16_t>(v0 - v1 + v2 - v3), static_cast<int16_t>(v0 - v2),
                        static_cast<int16_t>(v1 - v3)});
    }
  }
}

}  // namespace tessera::fractal
