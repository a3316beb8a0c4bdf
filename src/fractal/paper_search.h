// The exhaustive search of the quadtree coder by Hansen, Huber and Wüthrich ("Performance optimized
// fractal image compression with quadtree partitioning"): which domain block, turned which way,
// scaled by 0 ≤ s < 1 and shifted, comes nearest to a range block.
//
// All sums over pixels are exact integers, whichever kernel forms them, and one function turns them
// into a score; so the kernels agree to the last bit. Among equal scores the lowest domain wins,
// then the lowest rotation.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "fractal/plane.h"

namespace tessera::fractal {

enum class SearchKernel : uint8_t {
  kBaseline,  // everything anew for each pair of blocks
  kScalar,    // sums once per block, rotations by traversal, several rotations in flight
  kSimd,      // rotation split, many domains in lanes
};

enum class RotationSet : uint8_t {
  kAll,        // 0°, 90°, 180°, 270°
  kHalfTurns,  // 0° and 180°: the published experiment without column-wise access
};

// The largest s that files can hold, in pixel units; it keeps s below 1.
inline constexpr int kPaperScaleLevels = 32;
inline constexpr double kPaperMaxScale = 31.0 / 32.0;

struct BlockMatch {
  uint32_t domain = 0;
  uint32_t rotation = 0;
  double scale = 0.0;  // s in pixel units
  double error = 0.0;  // mean squared error, 0–255 scale
};

// Sums over the `count` samples of a block and its squares.
struct BlockSums {
  int64_t sum = 0;
  int64_t squares = 0;
};

struct ScaleAndGain {
  double scale = 0.0;  // s in units of the domain's sums of four: a quarter of pixel units
  double gain = 0.0;   // how much of count·Σ(b−mean)² the domain explains, times count
};

// count·Σab − ΣaΣb and count·Σa² − (Σa)² of one pairing; both are exact in 64 bits for up to 2^20
// samples. s is clamped first, then scored, so that a clamped match is never overrated.
constexpr ScaleAndGain score_pairing(int64_t covariance, int64_t domain_variance) {
  if (covariance <= 0 || domain_variance <= 0) {
    return {};
  }
  const auto c = static_cast<double>(covariance);
  const auto v = static_cast<double>(domain_variance);
  const double free_scale = c / v;
  if (free_scale <= kPaperMaxScale / 4) {
    return {free_scale, c * c / v};
  }
  constexpr double kScale = kPaperMaxScale / 4;
  return {kScale, kScale * (2 * c - kScale * v)};
}

// Keeps the best pairing of one range block; feed it domains and rotations in rising order.
struct BestMatch {
  uint32_t domain = 0;
  uint32_t rotation = 0;
  ScaleAndGain best;

  constexpr void offer(uint32_t candidate_domain, uint32_t candidate_rotation, int64_t covariance,
                       int64_t domain_variance) {
    const ScaleAndGain score = score_pairing(covariance, domain_variance);
    if (score.gain > best.gain) {
      domain = candidate_domain;
      rotation = candidate_rotation;
      best = score;
    }
  }

  constexpr BlockMatch finish(const BlockSums& range, int64_t count) const {
    const int64_t variance = count * range.squares - range.sum * range.sum;
    const auto n = static_cast<double>(count);
    const double error = (static_cast<double>(variance) - best.gain) / n / n;
    return {domain, rotation, best.scale * 4, std::max(error, 0.0)};
  }
};

// Where the blocks of one search lie. `side` is that of range blocks in the image and of domain
// blocks in the half-resolution plane.
struct BlockPosition {
  uint32_t x = 0;
  uint32_t y = 0;
};

struct SearchTask {
  const Plane<uint8_t>* image = nullptr;
  const Plane<uint16_t>* half = nullptr;  // sums_of_four(image)
  uint32_t side = 4;                      // a power of two from 4 on
  std::span<const BlockPosition> ranges;
  std::span<const BlockPosition> domains;  // in the half-resolution plane
  RotationSet rotations = RotationSet::kAll;
};

// One match a range block. `matches` has the size of task.ranges.
void search_baseline(const SearchTask& task, std::span<BlockMatch> matches);
void search_scalar(const SearchTask& task, std::span<BlockMatch> matches);

// The domain blocks of a task, packed for the SIMD kernel: made once, shared by all threads.
struct PackedDomains {
  uint32_t side = 0;
  size_t count = 0;                 // without padding
  std::vector<int16_t> components;  // see rotation_split.h
  std::vector<float> variance;      // count·Σa² − (Σa)² and its inverse, for ranking only
  std::vector<float> inverse_variance;
  std::vector<float> sum;  // of the components' offset samples
  std::vector<int32_t> offset_sum;
  std::vector<int64_t> exact_variance;
};
PackedDomains pack_domains(const SearchTask& task);
void search_simd(const SearchTask& task, const PackedDomains& domains,
                 std::span<const BlockPosition> ranges, std::span<BlockMatch> matches);

}  // namespace tessera::fractal
