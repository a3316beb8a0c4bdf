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

// A copy of a picture whose samples become change(sample, number in its row).
template <class Change>
Result<Image> changed_copy(const ImageView& image, const Change& change) {
  TESSERA_ASSIGN_OR_RETURN(Image copy, Image::create(image.info));
  const MutableImageView target = copy.mutable_view();
  with_sample_type(image.info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    using Storage = typename Sample::Storage;
    const size_t samples = size_t{image.info.width} * image.info.channels;
    for (uint32_t slice = 0; slice < image.info.slices(); ++slice) {
      for (uint32_t y = 0; y < image.info.height; ++y) {
        const auto* const from = image.row<Storage>(y, slice);
        auto* const to = target.row<Storage>(y, slice);
        for (size_t i = 0; i < samples; ++i) {
          const float value = Sample::to_float(from[i]);
          const float changed = change(value, i);
          to[i] = changed == value ? from[i] : Sample::from_double(static_cast<double>(changed));
        }
      }
    }
  });
  return copy;
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

Result<Image> without_unusual_samples(const ImageView& image) {
  return changed_copy(
      image, [](float value, size_t) { return value >= 0 ? std::min(value, kMost) : 0.0F; });
}

uint64_t count_alpha_above_one(const ImageView& image) {
  uint64_t count = 0;
  const uint32_t channels = image.info.channels;
  uint32_t channel = 0;
  for_samples(image, [&](float value) {
    channel = channel + 1 == channels ? 0 : channel + 1;
    count += channel == 0 && value > 1 ? 1 : 0;
  });
  return count;
}

Result<Image> with_alpha_up_to_one(const ImageView& image) {
  const size_t channels = image.info.channels;
  return changed_copy(image, [&](float value, size_t i) {
    return i % channels + 1 == channels ? std::min(value, 1.0F) : value;
  });
}

double largest_sample(const ImageView& image) {
  float largest = 0;
  for_samples(image,
              [&](float value) { largest = value > largest ? std::min(value, kMost) : largest; });
  return static_cast<double>(largest);
}

}  // namespace tessera
