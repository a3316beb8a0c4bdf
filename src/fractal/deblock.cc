#include "fractal/deblock.h"

#include <algorithm>

namespace tessera::fractal {
namespace {

// Samples p1 p0 | q0 q1 across a seam, `step` apart; `along` is the way to the next line.
void smooth_seam(uint8_t* q, ptrdiff_t step, ptrdiff_t along, uint32_t length, int limit) {
  for (uint32_t i = 0; i < length; ++i, q += along) {
    const int p1 = q[-2 * step];
    const int p0 = q[-step];
    const int q0 = q[0];
    const int q1 = q[step];
    const int jump = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
    if (jump >= 8 * limit || jump <= -8 * limit) {
      continue;  // an edge of the picture
    }
    const int move = std::clamp(jump, -limit, limit);
    const int less = move / 2;
    q[-2 * step] = static_cast<uint8_t>(std::clamp(p1 + less / 2, 0, 255));
    q[-step] = static_cast<uint8_t>(std::clamp(p0 + move, 0, 255));
    q[0] = static_cast<uint8_t>(std::clamp(q0 - move, 0, 255));
    q[step] = static_cast<uint8_t>(std::clamp(q1 - less / 2, 0, 255));
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
      smooth_seam(pixels.row(leaf.y * scale) + leaf.x * scale, 1, stride, leaf.side() * scale,
                  limit);
    }
  }
  for (const Leaf& leaf : list.leaves) {
    if (leaf.y > 0) {
      smooth_seam(pixels.row(leaf.y * scale) + leaf.x * scale, stride, 1, leaf.side() * scale,
                  limit);
    }
  }
}

}  // namespace tessera::fractal
