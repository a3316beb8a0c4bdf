#include "fractal/deblock.h"

#include <algorithm>

namespace tessera::fractal {
namespace {

// What is added to p1 and p0, and taken from q1 and q0. No branches, so that lines of a seam can be
// done side by side.
struct Correction {
  int inner = 0;
  int outer = 0;
};

inline Correction correction(int p1, int p0, int q0, int q1, int limit) {
  const int jump = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
  const int move = std::min(std::max(jump, -limit), limit);
  // A large step is an edge of the picture.
  const int inner = jump < 8 * limit && jump > -8 * limit ? move : 0;
  return {inner, inner / 4};
}

inline uint8_t clamp_pixel(int value) {
  return static_cast<uint8_t>(std::min(std::max(value, 0), 255));
}

// The seam above row q: four rows of samples.
void smooth_rows(uint8_t* q, ptrdiff_t stride, uint32_t length, int limit) {
  uint8_t* __restrict p1 = q - 2 * stride;
  uint8_t* __restrict p0 = q - stride;
  uint8_t* __restrict q0 = q;
  uint8_t* __restrict q1 = q + stride;
  for (uint32_t i = 0; i < length; ++i) {
    const Correction c = correction(p1[i], p0[i], q0[i], q1[i], limit);
    p1[i] = clamp_pixel(p1[i] + c.outer);
    p0[i] = clamp_pixel(p0[i] + c.inner);
    q0[i] = clamp_pixel(q0[i] - c.inner);
    q1[i] = clamp_pixel(q1[i] - c.outer);
  }
}

// The seam left of column q.
void smooth_columns(uint8_t* q, ptrdiff_t stride, uint32_t length, int limit) {
  for (uint32_t i = 0; i < length; ++i, q += stride) {
    const Correction c = correction(q[-2], q[-1], q[0], q[1], limit);
    q[-2] = clamp_pixel(q[-2] + c.outer);
    q[-1] = clamp_pixel(q[-1] + c.inner);
    q[0] = clamp_pixel(q[0] - c.inner);
    q[1] = clamp_pixel(q[1] - c.outer);
  }
}

}  // namespace

// A seam changes two samples on each side and blocks have at least four, so seams of one direction
// do not touch each other and their order does not matter.
void deblock(const LeafList& list, uint32_t strength, uint32_t scale, Plane<uint8_t>& pixels) {
  const int limit = static_cast<int>(strength) * list.dct_step / (kSampleUnit * 32);
  if (limit == 0) {
    return;
  }
  const auto stride = static_cast<ptrdiff_t>(pixels.width);
  for (const Leaf& leaf : list.leaves) {
    if (leaf.x > 0) {
      smooth_columns(pixels.row(leaf.y * scale) + leaf.x * scale, stride, leaf.side() * scale,
                     limit);
    }
  }
  for (const Leaf& leaf : list.leaves) {
    if (leaf.y > 0) {
      smooth_rows(pixels.row(leaf.y * scale) + leaf.x * scale, stride, leaf.side() * scale, limit);
    }
  }
}

}  // namespace tessera::fractal
