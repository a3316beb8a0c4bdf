// Looks through float pictures.
#include "image/unusual_samples.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"
#include "image/sample.h"

namespace tessera {
namespace {

constexpr auto kMost = static_cast<float>(kLargestHalf);

template <class Work>
void for_samples(const ImageView& image, const Work& work) {
  with_sample_type(image.info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    const size_t samples = size_t{image.info.width} * image.info.channels;
    for (uint32_t slice = 0; slice < image.info.slices(); ++slice) {
      for (uint32_t y = 0; y < image.info.height; ++y) {
        const auto* const row = image.row<typename Sample::Storage>(y, slice);
        for (size_t i = 0; i < samples; ++i) {
          work(Sample::to_float(row[i]));
        }
      }
    }
  });
}

}  // namespace

UnusualSamples count_unusual_samples(const ImageView& image) {
  UnusualSamples counts;
  if (!is_float(image.info.sample)) {
    return counts;
  }
  for_samples(image, [&](float value) {
    if (value >= 0 && value <= kMost) {
      return;
    }
    uint64_t& count = std::isnan(value)   ? counts.nan
                      : std::isinf(value) ? counts.infinite
                      : value < 0         ? counts.negative
                                          : counts.too_large;
    ++count;
  });
  return counts;
}

double largest_sample(const ImageView& image) {
  float largest = 0;
  for_samples(image,
              [&](float value) { largest = value > largest ? std::min(value, kMost) : largest; });
  return static_cast<double>(largest);
}

}  // namespace tessera
