// Samples of float pictures that textures cannot hold.
#pragma once

#include <cstdint>

#include "image/image.h"

namespace tessera {

// How many samples textures of half floats without sign have no number for, alpha included. They
// are clamped: NaN, negative samples and minus infinity to 0, the others to 65504.
struct UnusualSamples {
  uint64_t nan = 0;
  uint64_t infinite = 0;  // of either sign
  uint64_t negative = 0;
  uint64_t too_large = 0;  // above 65504, the largest half

  constexpr UnusualSamples& operator+=(const UnusualSamples& other) {
    nan += other.nan;
    infinite += other.infinite;
    negative += other.negative;
    too_large += other.too_large;
    return *this;
  }
  constexpr uint64_t total() const { return nan + infinite + negative + too_large; }
};

UnusualSamples count_unusual_samples(const ImageView& image);

// 0 where there is none above that; infinity counts as 65504.
double largest_sample(const ImageView& image);

}  // namespace tessera
