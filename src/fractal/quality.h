// What one number of the file's header means: the quantisation steps of a plane.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "fractal/leaf.h"

namespace tessera::fractal {

inline constexpr uint32_t kMinQuality = 1;
inline constexpr uint32_t kMaxQuality = 100;

// Steps grow by a sixteenth of an octave: 2^(i/16) in 1/65536. (2^(1/16) by repeated roots.)
inline constexpr std::array<uint32_t, 16> kSixteenthOctaves = {
    65536, 68438, 71468,  74632,  77936,  81386,  84990,  88752,
    92682, 96785, 101070, 105545, 110218, 115098, 120194, 125515};

// The step of orthonormal DCT coefficients in 1/kSampleUnit: 2 pixel steps at quality 100, doubling
// every 16 below.
inline int32_t dct_step(uint32_t quality, bool chroma) {
  const uint32_t index = kMaxQuality - std::clamp(quality, kMinQuality, kMaxQuality);
  const uint64_t step = (uint64_t{2 * kSampleUnit} * kSixteenthOctaves[index % 16]) << (index / 16);
  // Chroma planes have a quarter of the samples, and eyes and PSNR care less about each.
  return static_cast<int32_t>((chroma ? step + step / 4 : step) >> 16);
}

// The step of a block's mean, in 1/kSampleUnit: that of an orthonormal DC coefficient.
inline int32_t mean_step(int32_t step, uint32_t log2_side) {
  return std::max(step >> log2_side, 1);
}

}  // namespace tessera::fractal
