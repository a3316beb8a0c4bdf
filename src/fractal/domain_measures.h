// The numbers that our coder's search works with, for the CPU and for devices: means that blocks
// are compared by, the contrast of domains, and the exact covariance of what has been found.
#pragma once

#include <cmath>
#include <cstdint>

#include "fractal/isometry.h"
#include "fractal/paper_search.h"
#include "fractal/plane.h"
#include "spmd/host_device.h"

namespace tessera::fractal {

// The best domain of a distance class. Its error with scale s is that of the block's mean alone
// minus 2·s·covariance plus s²·variance, in squared pixel steps.
struct DomainCandidate {
  float covariance = 0.0f;  // Σ (b − mean)(a − mean); 0: no candidate
  float variance = 0.0f;    // Σ (a − mean)²
  uint16_t x = 0;
  uint16_t y = 0;
  uint8_t isometry = 0;
  uint8_t unused[3] = {};  // so that no byte of it is left as it was
};

// Where a domain was found that is better than those before it.
struct FoundDomain {
  uint16_t x = 0;
  uint16_t y = 0;
  uint8_t isometry = 0;
  bool valid = false;
};

// How many samples per side one compared sample stands for.
constexpr uint32_t shrink_factor(uint32_t log2_side) {
  return log2_side <= 3 ? 1 : 1u << (log2_side - 3);
}
// Compared samples per side.
constexpr uint32_t compared_side(uint32_t log2_side) {
  return log2_side == 2 ? 4 : 8;
}

constexpr int rounded_mean_of(int sum, int count) {
  return (sum + count / 2) / count;
}

// The mean of the factor x factor samples from (x, y) on.
template <typename T>
constexpr int box_mean(const PlaneView<T>& plane, uint32_t x, uint32_t y, uint32_t factor) {
  uint32_t sum = 0;
  for (uint32_t j = 0; j < factor; ++j) {
    const T* row = plane.row(y + j) + x;
    for (uint32_t i = 0; i < factor; ++i) {
      sum += row[i];
    }
  }
  const uint32_t count = factor * factor;
  return static_cast<int>((sum + count / 2) / count);
}

// 1/√variance of a domain whose samples are sums of four; 0 for domains whose standard deviation is
// less than half a pixel step: they are flat.
TESSERA_HOST_DEVICE inline float inverse_root_of(const BlockSums& block, double count) {
  constexpr double kFlatDeviation = 0.5;
  const double variance = static_cast<double>(block.squares) -
                          static_cast<double>(block.sum) * static_cast<double>(block.sum) / count;
  return variance > count * kFlatDeviation * kFlatDeviation * 16
             ? static_cast<float>(1.0 / std::sqrt(variance))
             : 0.0f;
}

// Covariance and variance at full size, for the winners.
constexpr DomainCandidate measure_domain(const PlaneView<uint8_t>& image,
                                         const PlaneView<uint16_t>& half, uint32_t x, uint32_t y,
                                         uint32_t side, const FoundDomain& found) {
  const Traversal way = traversal(found.isometry, side, half.width);
  const uint16_t* domain = half.row(found.y) + found.x + way.base;
  int64_t sum_a = 0;
  int64_t sum_b = 0;
  int64_t sum_aa = 0;
  int64_t sum_ab = 0;
  for (uint32_t j = 0; j < side; ++j) {
    const uint8_t* range = image.row(y + j) + x;
    const uint16_t* line = domain + static_cast<ptrdiff_t>(j) * way.step_y;
    int32_t a_line = 0;
    int32_t b_line = 0;
    int32_t aa_line = 0;
    int32_t ab_line = 0;
    for (uint32_t i = 0; i < side; ++i) {
      const int32_t a = line[static_cast<ptrdiff_t>(i) * way.step_x];
      const int32_t b = range[i];
      a_line += a;
      b_line += b;
      aa_line += a * a;
      ab_line += a * b;
    }
    sum_a += a_line;
    sum_b += b_line;
    sum_aa += aa_line;
    sum_ab += ab_line;
  }
  const auto count = static_cast<double>(side) * side;
  const double covariance =
      static_cast<double>(sum_ab) - static_cast<double>(sum_a) * static_cast<double>(sum_b) / count;
  const double variance =
      static_cast<double>(sum_aa) - static_cast<double>(sum_a) * static_cast<double>(sum_a) / count;
  return {static_cast<float>(covariance / 4),
          static_cast<float>(variance / 16),
          found.x,
          found.y,
          found.isometry,
          {}};
}

}  // namespace tessera::fractal
