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

// All orbits of a block whose first sample is `block`, with `offset` taken from every sample.
template <typename T>
void split_rotations(const T* block, size_t stride, uint32_t side, int offset,
                     std::vector<OrbitValues>& orbits) {
  orbits.resize(size_t{side} * side / 4);
  OrbitValues* out = orbits.data();
  const auto last = static_cast<ptrdiff_t>(side) - 1;
  const auto down = static_cast<ptrdiff_t>(stride);
  for (ptrdiff_t y = 0; y < static_cast<ptrdiff_t>(side / 2); ++y) {
    const T* v0 = block + y * down;
    const T* v1 = block + last - y;
    const T* v2 = block + (last - y) * down + last;
    const T* v3 = block + last * down + y;
    for (ptrdiff_t x = 0; x < static_cast<ptrdiff_t>(side / 2); ++x, ++out) {
      const int a = v0[x] + v2[-x] - 2 * offset;
      const int b = v1[x * down] + v3[-x * down] - 2 * offset;
      out->z = static_cast<int16_t>(a + b);
      out->y = static_cast<int16_t>(a - b);
      out->p = static_cast<int16_t>(v0[x] - v2[-x]);
      out->q = static_cast<int16_t>(v1[x * down] - v3[-x * down]);
    }
  }
}

}  // namespace tessera::fractal
