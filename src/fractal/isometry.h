// The eight ways to lay a square block onto another. 0…3 turn it by 0°, 90°, 180°, 270°; 4…7 do so
// after transposing it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::fractal {

inline constexpr uint32_t kIsometryCount = 8;
inline constexpr uint32_t kRotationCount = 4;

// Our coder's search scores isometries together whose turns differ by 180°: the pairs are 0 and 2,
// 1 and 3, 4 and 6, 5 and 7.
constexpr uint8_t pair_isometry(uint32_t pair, bool second) {
  return static_cast<uint8_t>(pair % 2 + pair / 2 * 4 + (second ? 2 : 0));
}

// The transformed block's sample (x, y) is source[base + x·step_x + y·step_y].
struct Traversal {
  ptrdiff_t base = 0;
  ptrdiff_t step_x = 1;
  ptrdiff_t step_y = 0;
};

constexpr Traversal traversal(uint32_t isometry, uint32_t block_side, uint32_t source_stride) {
  const auto stride = static_cast<ptrdiff_t>(source_stride);
  const ptrdiff_t last = static_cast<ptrdiff_t>(block_side) - 1;
  switch (isometry) {
    case 0:
      return {0, 1, stride};
    case 1:
      return {last, stride, -1};
    case 2:
      return {last * (stride + 1), -1, -stride};
    case 3:
      return {last * stride, -stride, 1};
    case 4:
      return {0, stride, 1};
    case 5:
      return {last * stride, 1, -stride};
    case 6:
      return {last * (stride + 1), -stride, -1};
    default:
      return {last, -1, stride};
  }
}

}  // namespace tessera::fractal
