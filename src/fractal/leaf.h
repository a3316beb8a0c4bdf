// What a fractal image is made of: leaves of a quadtree, each a block of the image.
//
// Samples have units of 1/16 of a pixel step. A leaf's block is mean + s·(T(D) − mean of D), with D
// a block of the same side in the half-resolution image and T an isometry: the mean is kept apart
// from the rest ("mean-orthogonal form"), so it is right from the first pass on.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::fractal {

inline constexpr int kSampleUnit = 16;
inline constexpr int kMaxSample = 255 * kSampleUnit;
inline constexpr int kScaleUnit = 32;
// Coefficients a DCT leaf may carry a side.
inline constexpr uint32_t kMaxDctSide = 8;

enum class LeafKind : uint8_t { kFlat, kFractal, kDct };

struct Leaf {
  uint16_t x = 0;  // in the plane
  uint16_t y = 0;
  uint8_t log2_side = 2;
  LeafKind kind = LeafKind::kFlat;
  int8_t scale = 0;  // s in 1/kScaleUnit
  uint8_t isometry = 0;
  int16_t mean = 0;       // in 1/kSampleUnit
  uint16_t domain_x = 0;  // upper left corner in the half-resolution plane
  uint16_t domain_y = 0;
  uint16_t level_count = 0;  // DCT: levels in scan order, the last one not zero
  uint32_t first_level = 0;

  uint32_t side() const { return 1u << log2_side; }
};

// All leaves of one plane of a tile. They cover it without gaps or overlaps.
struct LeafList {
  uint32_t width = 0;  // of the plane, padded to whole root blocks
  uint32_t height = 0;
  std::vector<Leaf> leaves;
  std::vector<int16_t> levels;
  int32_t dct_step = 0;  // quantisation step of orthonormal coefficients, in 1/kSampleUnit
};

}  // namespace tessera::fractal
