// Images for tests, and slow but plain access to any sample.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/half.h"
#include "image/image.h"

namespace tessera {

inline constexpr SampleType kAllSampleTypes[] = {SampleType::kU8, SampleType::kU16,
                                                 SampleType::kF16, SampleType::kF32};

inline ImageInfo make_info(uint32_t width, uint32_t height, uint32_t channels,
                           SampleType sample = SampleType::kU8,
                           ColorSpace color_space = ColorSpace::kLinear) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = channels;
  info.sample = sample;
  info.color_space = color_space;
  return info;
}

inline Image make_image(const ImageInfo& info) {
  return Image::create(info).value();
}

// What a sample is worth: integers 0…1.
inline double get(const ImageView& image, uint32_t x, uint32_t y, uint32_t channel,
                  uint32_t slice = 0) {
  const size_t index = size_t{x} * image.info.channels + channel;
  switch (image.info.sample) {
    case SampleType::kU8:
      return image.row<uint8_t>(y, slice)[index] / 255.0;
    case SampleType::kU16:
      return image.row<uint16_t>(y, slice)[index] / 65535.0;
    case SampleType::kF16:
      return static_cast<double>(half_to_float(image.row<uint16_t>(y, slice)[index]));
    case SampleType::kF32:
      break;
  }
  return static_cast<double>(image.row<float>(y, slice)[index]);
}

inline void set(Image& image, uint32_t x, uint32_t y, uint32_t channel, double value,
                uint32_t slice = 0) {
  const size_t index = size_t{x} * image.info().channels + channel;
  switch (image.info().sample) {
    case SampleType::kU8:
      image.row<uint8_t>(y, slice)[index] = static_cast<uint8_t>(std::lround(value * 255.0));
      break;
    case SampleType::kU16:
      image.row<uint16_t>(y, slice)[index] = static_cast<uint16_t>(std::lround(value * 65535.0));
      break;
    case SampleType::kF16:
      image.row<uint16_t>(y, slice)[index] = float_to_half(static_cast<float>(value));
      break;
    case SampleType::kF32:
      image.row<float>(y, slice)[index] = static_cast<float>(value);
      break;
  }
}

// Calls function(x, y, channel, slice) for every sample.
template <typename Function>
void for_each_sample(const ImageInfo& info, Function&& function) {
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      for (uint32_t x = 0; x < info.width; ++x) {
        for (uint32_t channel = 0; channel < info.channels; ++channel) {
          function(x, y, channel, slice);
        }
      }
    }
  }
}

inline Image random_image(const ImageInfo& info, uint32_t seed) {
  Image image = make_image(info);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t channel, uint32_t slice) {
    set(image, x, y, channel, unit(random), slice);
  });
  return image;
}

inline Image constant_image(const ImageInfo& info, const std::vector<double>& color) {
  Image image = make_image(info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t channel, uint32_t slice) {
    set(image, x, y, channel, color[channel], slice);
  });
  return image;
}

inline bool same_samples(const ImageView& a, const ImageView& b) {
  if (a.info != b.info) {
    return false;
  }
  for (uint32_t slice = 0; slice < a.info.slices(); ++slice) {
    for (uint32_t y = 0; y < a.info.height; ++y) {
      if (std::memcmp(a.row<uint8_t>(y, slice), b.row<uint8_t>(y, slice),
                      a.info.width * a.info.pixel_bytes()) != 0) {
        return false;
      }
    }
  }
  return true;
}

// The same pixels with other strides: rows and slices padded with garbage, which is
// what a caller's own buffer may look like.
class OddlyStridedCopy {
 public:
  explicit OddlyStridedCopy(const Image& image) {
    const ImageInfo& info = image.info();
    const size_t row_bytes = info.width * info.pixel_bytes();
    view_.info = info;
    view_.row_stride = row_bytes + 12;  // a multiple of each sample's size
    view_.slice_stride = view_.row_stride * info.height + 28;
    // Nothing follows the last row, so that reading past it is seen by the sanitizer.
    buffer_.assign(
        view_.slice_stride * (info.slices() - 1) + view_.row_stride * (info.height - 1) + row_bytes,
        uint8_t{0xA5});
    view_.data = buffer_.data();
    for (uint32_t slice = 0; slice < info.slices(); ++slice) {
      for (uint32_t y = 0; y < info.height; ++y) {
        std::memcpy(buffer_.data() + slice * view_.slice_stride + y * view_.row_stride,
                    image.row<uint8_t>(y, slice), row_bytes);
      }
    }
  }
  OddlyStridedCopy(const OddlyStridedCopy&) = delete;
  OddlyStridedCopy& operator=(const OddlyStridedCopy&) = delete;

  const ImageView& view() const { return view_; }

 private:
  std::vector<uint8_t> buffer_;
  ImageView view_;
};

}  // namespace tessera
