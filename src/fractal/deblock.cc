// Plain loops, compiled for every target so that the compiler's vectoriser can use each.
#include "fractal/deblock.h"

#include <algorithm>
#include <cstring>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "fractal/deblock.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "fractal/fixed_size-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::fractal::TESSERA_TARGET {

// What is added to p1 and p0, and taken from q1 and q0. No branches, so that lines of a seam can be
// done side by side.
struct Correction {
  int inner = 0;
  int outer = 0;
};

TESSERA_INLINE Correction correction(int p1, int p0, int q0, int q1, int limit) {
  const int jump = (9 * (q0 - p0) - 3 * (q1 - p1) + 8) >> 4;
  const int move = std::min(std::max(jump, -limit), limit);
  // A large step is an edge of the picture.
  const int inner = jump < 8 * limit && jump > -8 * limit ? move : 0;
  return {inner, inner / 4};
}

TESSERA_INLINE int clamp_pixel(int value) {
  return std::min(std::max(value, 0), 255);
}

// The seam above row q: four rows of samples.
TESSERA_INLINE void smooth_rows(uint8_t* q, ptrdiff_t stride, uint32_t length, int limit) {
  uint8_t* TESSERA_RESTRICT p1 = q - 2 * stride;
  uint8_t* TESSERA_RESTRICT p0 = q - stride;
  uint8_t* TESSERA_RESTRICT q0 = q;
  uint8_t* TESSERA_RESTRICT q1 = q + stride;
  for (uint32_t i = 0; i < length; ++i) {
    const Correction c = correction(p1[i], p0[i], q0[i], q1[i], limit);
    p1[i] = static_cast<uint8_t>(clamp_pixel(p1[i] + c.outer));
    p0[i] = static_cast<uint8_t>(clamp_pixel(p0[i] + c.inner));
    q0[i] = static_cast<uint8_t>(clamp_pixel(q0[i] - c.inner));
    q1[i] = static_cast<uint8_t>(clamp_pixel(q1[i] - c.outer));
  }
}

// The seam left of column q: the four samples of a line are one word, so that lines can be done
// side by side.
TESSERA_INLINE void smooth_columns(uint8_t* q, ptrdiff_t stride, uint32_t length, int limit) {
  constexpr uint32_t kMost = 64;  // the longest side, doubled
  TESSERA_ALIGN int32_t words[kMost];
  for (uint32_t first = 0; first < length; first += kMost) {
    const uint32_t count = std::min(length - first, kMost);
    uint8_t* const start = q - 2 + static_cast<ptrdiff_t>(first) * stride;
    for (uint32_t i = 0; i < count; ++i) {
      std::memcpy(words + i, start + static_cast<ptrdiff_t>(i) * stride, sizeof words[0]);
    }
    for (uint32_t i = 0; i < count; ++i) {
      const int32_t word = words[i];
      const int p1 = word & 255, p0 = word >> 8 & 255, q0 = word >> 16 & 255, q1 = word >> 24 & 255;
      const Correction c = correction(p1, p0, q0, q1, limit);
      words[i] = clamp_pixel(p1 + c.outer) | clamp_pixel(p0 + c.inner) << 8 |
                 clamp_pixel(q0 - c.inner) << 16 |
                 static_cast<int32_t>(static_cast<uint32_t>(clamp_pixel(q1 - c.outer)) << 24);
    }
    for (uint32_t i = 0; i < count; ++i) {
      std::memcpy(start + static_cast<ptrdiff_t>(i) * stride, words + i, sizeof words[0]);
    }
  }
}

// A seam changes two samples on each side and blocks have at least four, so seams of one direction
// do not touch each other and their order does not matter.
void deblock_on_target(const LeafList& list, uint32_t strength, uint32_t scale,
                       Plane<uint8_t>& pixels) {
  const int limit = static_cast<int>(strength) * list.dct_step / (kSampleUnit * 32);
  if (limit == 0) {
    return;
  }
  const auto stride = static_cast<ptrdiff_t>(pixels.width);
  // Calls smooth(first sample, length) for the seam of a leaf.
  const auto for_seam = [&](const Leaf& leaf, const auto& smooth) TESSERA_LAMBDA {
    uint8_t* const q = pixels.row(leaf.y * scale) + leaf.x * scale;
    // The scale is 1 or 2.
    with_fixed_size(leaf.log2_side + scale - 1u, [&](auto fixed) TESSERA_LAMBDA {
      constexpr uint32_t kLog2Side = decltype(fixed)::value;
      smooth(q, kLog2Side != 0 ? 1u << kLog2Side : leaf.side() * scale);
    });
  };
  for (const Leaf& leaf : list.leaves) {
    if (leaf.x > 0) {
      for_seam(leaf, [&](uint8_t* q, uint32_t length)
                         TESSERA_LAMBDA { smooth_columns(q, stride, length, limit); });
    }
  }
  for (const Leaf& leaf : list.leaves) {
    if (leaf.y > 0) {
      for_seam(leaf, [&](uint8_t* q, uint32_t length)
                         TESSERA_LAMBDA { smooth_rows(q, stride, length, limit); });
    }
  }
}

}  // namespace tessera::fractal::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera::fractal {

TESSERA_EXPORT(deblock_on_target);

void deblock(const LeafList& list, uint32_t strength, uint32_t scale, Plane<uint8_t>& pixels) {
  TESSERA_DISPATCH(deblock_on_target)(list, strength, scale, pixels);
}

}  // namespace tessera::fractal
#endif  // TESSERA_ONCE
