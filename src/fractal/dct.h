// The cosine basis of DCT leaves, in integers, the same on every machine: orthonormal DCT-II rows
// of length 4 to 64, times 2^13, and the order in which coefficients are coded.
#pragma once

#include <array>
#include <cstdint>

#include "fractal/leaf.h"

namespace tessera::fractal {

inline constexpr int kBasisBits = 13;
inline constexpr uint32_t kMaxBasisLength = 64;

namespace dct_detail {

// cos(π·t) for 0 ≤ t, by its series; only sums and products, so every compiler agrees.
constexpr double cosine_pi(double t) {
  while (t >= 2) {
    t -= 2;
  }
  if (t > 1) {
    t = 2 - t;
  }
  const bool negative = t > 0.5;
  if (negative) {
    t = 1 - t;
  }
  const double x = t * 3.14159265358979323846;
  double term = 1;
  double sum = 1;
  for (int i = 1; i < 14; ++i) {
    term *= -x * x / ((2 * i - 1) * (2 * i));
    sum += term;
  }
  return negative ? -sum : sum;
}

constexpr double square_root(double v) {
  double root = v > 1 ? v : 1;
  for (int i = 0; i < 40; ++i) {
    root = (root + v / root) / 2;
  }
  return root;
}

using Row = std::array<int16_t, kMaxBasisLength>;
using Basis = std::array<Row, kMaxDctSide>;

constexpr Basis make_basis(uint32_t length) {
  Basis basis{};
  for (uint32_t k = 0; k < kMaxDctSide && k < length; ++k) {
    const double norm = square_root((k == 0 ? 1.0 : 2.0) / length) * (1 << kBasisBits);
    for (uint32_t x = 0; x < length; ++x) {
      const double value = norm * cosine_pi((2.0 * x + 1) * k / (2.0 * length));
      basis[k][x] = static_cast<int16_t>(value < 0 ? value - 0.5 : value + 0.5);
    }
  }
  return basis;
}

inline constexpr std::array<Basis, 5> kBases = {make_basis(4), make_basis(8), make_basis(16),
                                                make_basis(32), make_basis(64)};

// Even waves are the same from both ends, odd ones negated: the decoder relies on it.
constexpr bool is_mirrored(uint32_t log2_length) {
  const uint32_t length = 1u << log2_length;
  for (uint32_t k = 0; k < kMaxDctSide && k < length; ++k) {
    for (uint32_t x = 0; x < length; ++x) {
      const int mirrored = kBases[log2_length - 2][k][length - 1 - x];
      if (kBases[log2_length - 2][k][x] != (k % 2 == 0 ? mirrored : -mirrored)) {
        return false;
      }
    }
  }
  return true;
}
static_assert(is_mirrored(2) && is_mirrored(3) && is_mirrored(4) && is_mirrored(5) &&
              is_mirrored(6));

}  // namespace dct_detail

// Rows 0…7 of the basis of length 4, 8, 16, 32 or 64.
constexpr const dct_detail::Basis& dct_basis(uint32_t log2_length) {
  return dct_detail::kBases[log2_length - 2];
}

constexpr uint32_t dct_side(uint32_t log2_side) {
  return log2_side <= 2 ? 4 : kMaxDctSide;
}

// Diagonal by diagonal from the lowest frequency on; the first entry is the mean and not coded.
struct ScanOrder {
  std::array<uint8_t, 64> column{};
  std::array<uint8_t, 64> row{};
};

constexpr ScanOrder make_scan(uint32_t side) {
  ScanOrder scan;
  size_t next = 0;
  for (uint32_t diagonal = 0; diagonal < 2 * side - 1; ++diagonal) {
    for (uint32_t i = 0; i <= diagonal; ++i) {
      const uint32_t row = diagonal % 2 == 0 ? diagonal - i : i;
      const uint32_t column = diagonal - row;
      if (row < side && column < side) {
        scan.row[next] = static_cast<uint8_t>(row);
        scan.column[next] = static_cast<uint8_t>(column);
        ++next;
      }
    }
  }
  return scan;
}

inline constexpr ScanOrder kScan4 = make_scan(4);
inline constexpr ScanOrder kScan8 = make_scan(8);

constexpr const ScanOrder& scan_order(uint32_t log2_side) {
  return log2_side <= 2 ? kScan4 : kScan8;
}
// Coefficients after the mean.
constexpr uint32_t max_levels(uint32_t log2_side) {
  return dct_side(log2_side) * dct_side(log2_side) - 1;
}

inline constexpr uint32_t kMaxLevels = kMaxDctSide * kMaxDctSide;

}  // namespace tessera::fractal
