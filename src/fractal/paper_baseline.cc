// The plain search: for every pair of blocks the domain is scaled down and turned by copying, and
// all sums are formed anew in doubles. Slow on purpose; it is what the others are measured against.
#include <array>
#include <cmath>

#include "fractal/isometry.h"
#include "fractal/paper_search.h"

namespace tessera::fractal {
namespace {

using Block = std::vector<double>;

// Means of 2x2 pixels, times four so that they stay whole numbers.
Block shrink_domain(const Plane<uint8_t>& image, const BlockPosition& domain, uint32_t side) {
  Block block;
  block.reserve(size_t{side} * side);
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      const uint32_t image_x = 2 * (domain.x + x);
      const uint32_t image_y = 2 * (domain.y + y);
      const double sum = double{1} * image.at(image_x, image_y) + image.at(image_x + 1, image_y) +
                         image.at(image_x, image_y + 1) + image.at(image_x + 1, image_y + 1);
      block.push_back(sum);
    }
  }
  return block;
}

Block turn(const Block& block, uint32_t rotation, uint32_t side) {
  const Traversal way = traversal(rotation, side, side);
  Block turned;
  turned.reserve(block.size());
  for (ptrdiff_t y = 0; y < static_cast<ptrdiff_t>(side); ++y) {
    for (ptrdiff_t x = 0; x < static_cast<ptrdiff_t>(side); ++x) {
      turned.push_back(block[static_cast<size_t>(way.base + x * way.step_x + y * way.step_y)]);
    }
  }
  return turned;
}

Block range_pixels(const Plane<uint8_t>& image, const BlockPosition& range, uint32_t side) {
  Block block;
  for (uint32_t y = 0; y < side; ++y) {
    for (uint32_t x = 0; x < side; ++x) {
      block.push_back(image.at(range.x + x, range.y + y));
    }
  }
  return block;
}

void compare_blocks(const Block& range, const Block& domain, uint32_t domain_index,
                    uint32_t rotation, BestMatch& best) {
  double sum_a = 0;
  double sum_aa = 0;
  double sum_b = 0;
  double sum_ab = 0;
  for (size_t i = 0; i < range.size(); ++i) {
    sum_a += domain[i];
    sum_aa += domain[i] * domain[i];
    sum_b += range[i];
    sum_ab += domain[i] * range[i];
  }
  // Sums of whole numbers below 2^53: exact.
  const auto count = static_cast<int64_t>(range.size());
  const int64_t covariance = count * static_cast<int64_t>(sum_ab) -
                             static_cast<int64_t>(sum_a) * static_cast<int64_t>(sum_b);
  const int64_t variance = count * static_cast<int64_t>(sum_aa) -
                           static_cast<int64_t>(sum_a) * static_cast<int64_t>(sum_a);
  best.offer(domain_index, rotation, covariance, variance);
}

}  // namespace

void search_baseline(const SearchTask& task, std::span<BlockMatch> matches) {
  const uint32_t step = task.rotations == RotationSet::kAll ? 1 : 2;
  for (size_t i = 0; i < task.ranges.size(); ++i) {
    const Block range = range_pixels(*task.image, task.ranges[i], task.side);
    BlockSums sums;
    for (const double b : range) {
      sums.sum += static_cast<int64_t>(b);
      sums.squares += static_cast<int64_t>(b * b);
    }
    BestMatch best;
    for (size_t d = 0; d < task.domains.size(); ++d) {
      const Block domain = shrink_domain(*task.image, task.domains[d], task.side);
      for (uint32_t rotation = 0; rotation < kRotationCount; rotation += step) {
        compare_blocks(range, turn(domain, rotation, task.side), static_cast<uint32_t>(d), rotation,
                       best);
      }
    }
    matches[i] = best.finish(sums, static_cast<int64_t>(range.size()));
  }
}

}  // namespace tessera::fractal
