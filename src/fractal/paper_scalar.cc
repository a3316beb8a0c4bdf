// The scalar search, optimised as the paper does it: sums of each block once, no block structures
// in the inner loop, rotations by walking the domain another way, and all rotations in one loop so
// that independent sums are in flight together.
#include "fractal/isometry.h"
#include "fractal/paper_search.h"

namespace tessera::fractal {
namespace {

template <typename T>
BlockSums sums_of(const T* first, uint32_t stride, uint32_t side) {
  BlockSums sums;
  for (uint32_t y = 0; y < side; ++y) {
    const T* row = first + size_t{y} * stride;
    for (uint32_t x = 0; x < side; ++x) {
      sums.sum += row[x];
      sums.squares += int64_t{row[x]} * row[x];
    }
  }
  return sums;
}

template <typename T>
std::vector<BlockSums> sums_of_blocks(const Plane<T>& plane, std::span<const BlockPosition> blocks,
                                      uint32_t side) {
  std::vector<BlockSums> sums;
  sums.reserve(blocks.size());
  for (const BlockPosition& block : blocks) {
    sums.push_back(sums_of(plane.row(block.y) + block.x, plane.width, side));
  }
  return sums;
}

struct DotProducts {
  int64_t turned[kRotationCount] = {};
};

// Σab for 0° and 180°, and with kAll for 90° and 270° too, in one walk over the range block.
template <bool kAll>
DotProducts dot_products(const uint8_t* range, uint32_t range_stride, const uint16_t* domain,
                         uint32_t domain_stride, uint32_t side) {
  DotProducts dots;
  const auto stride = static_cast<ptrdiff_t>(domain_stride);
  const ptrdiff_t last = static_cast<ptrdiff_t>(side) - 1;
  for (ptrdiff_t y = 0; y <= last; ++y) {
    const uint8_t* b = range + y * static_cast<ptrdiff_t>(range_stride);
    const uint16_t* row = domain + y * stride;
    const uint16_t* row_back = domain + (last - y) * stride + last;
    const uint16_t* column = domain + last - y;
    const uint16_t* column_back = domain + last * stride + y;
    int64_t sum0 = 0;
    int64_t sum1 = 0;
    int64_t sum2 = 0;
    int64_t sum3 = 0;
    for (ptrdiff_t x = 0; x <= last; ++x) {
      const int32_t value = b[x];
      sum0 += value * row[x];
      sum2 += value * row_back[-x];
      if constexpr (kAll) {
        sum1 += value * column[x * stride];
        sum3 += value * column_back[-x * stride];
      }
    }
    dots.turned[0] += sum0;
    dots.turned[1] += sum1;
    dots.turned[2] += sum2;
    dots.turned[3] += sum3;
  }
  return dots;
}

template <bool kAll>
void search(const SearchTask& task, std::span<BlockMatch> matches) {
  const int64_t count = int64_t{task.side} * task.side;
  const std::vector<BlockSums> domains = sums_of_blocks(*task.half, task.domains, task.side);
  for (size_t i = 0; i < task.ranges.size(); ++i) {
    const BlockPosition& position = task.ranges[i];
    const uint8_t* range = task.image->row(position.y) + position.x;
    const BlockSums sums = sums_of(range, task.image->width, task.side);
    BestMatch best;
    for (size_t d = 0; d < domains.size(); ++d) {
      const BlockPosition& place = task.domains[d];
      const uint16_t* domain = task.half->row(place.y) + place.x;
      const DotProducts dots =
          dot_products<kAll>(range, task.image->width, domain, task.half->width, task.side);
      const int64_t variance = count * domains[d].squares - domains[d].sum * domains[d].sum;
      for (uint32_t rotation = 0; rotation < kRotationCount; rotation += kAll ? 1 : 2) {
        const int64_t covariance = count * dots.turned[rotation] - domains[d].sum * sums.sum;
        best.offer(static_cast<uint32_t>(d), rotation, covariance, variance);
      }
    }
    matches[i] = best.finish(sums, count);
  }
}

}  // namespace

void search_scalar(const SearchTask& task, std::span<BlockMatch> matches) {
  if (task.rotations == RotationSet::kAll) {
    search<true>(task, matches);
  } else {
    search<false>(task, matches);
  }
}

}  // namespace tessera::fractal
