// Samples of float pictures that textures cannot hold.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// How many samples textures of half floats without sign have no number for, alpha included. They
// are clamped: NaN, negative samples and minus infinity to 0, the others to 65504.
struct UnusualSamples {
  uint64_t nan = 0;
  uint64_t infinite = 0;  // of either sign
  uint64_t negative = 0;
  uint64_t too_large = 0;  // above 65504, the largest half
  uint64_t alpha = 0;      // above 1, where the texture's alpha is of low dynamic range

  constexpr UnusualSamples& operator+=(const UnusualSamples& other) {
    nan += other.nan;
    infinite += other.infinite;
    negative += other.negative;
    too_large += other.too_large;
    alpha += other.alpha;
    return *this;
  }
  constexpr uint64_t total() const { return nan + infinite + negative + too_large + alpha; }
};

// Of a float picture; `alpha` is not looked at.
UnusualSamples count_unusual_samples(const ImageView& image);

// A copy of a float picture without them. Whatever mixes samples has to come after this: a single
// NaN would spread over all that it is a part of.
Result<Image> without_unusual_samples(const ImageView& image);

// Samples of the last channel that are above 1, and a copy where they are 1.
uint64_t count_alpha_above_one(const ImageView& image);
Result<Image> with_alpha_up_to_one(const ImageView& image);

// 0 where there is none above that; infinity counts as 65504.
double largest_sample(const ImageView& image);

}  // namespace tessera
