// Makes images of half and float samples for the tests.
#include "float_images.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/half.h"

namespace tessera {

Image make_float_image(uint32_t width, uint32_t height, uint32_t channels, SampleType sample) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = channels;
  info.sample = sample;
  info.color_space = ColorSpace::kLinear;
  Image image = std::move(Image::create(info).value());
  for (uint32_t y = 0; y < height; ++y) {
    for (size_t i = 0; i < size_t{width} * channels; ++i) {
      const size_t mixed = (i * 2654435761u + y * 40503u) % 1000;
      const float value = static_cast<float>(mixed * (i % channels + 1)) / 16;
      if (sample == SampleType::kF16) {
        image.row<uint16_t>(y)[i] = float_to_half(value);
      } else {
        image.row<float>(y)[i] = value;
      }
    }
  }
  return image;
}

void expect_same_bits(const Image& actual, const Image& expected) {
  ASSERT_EQ(actual.info(), expected.info());
  const size_t row_bytes = expected.width() * expected.info().pixel_bytes();
  for (uint32_t y = 0; y < expected.height(); ++y) {
    EXPECT_EQ(std::memcmp(actual.row<uint8_t>(y), expected.row<uint8_t>(y), row_bytes), 0)
        << "row " << y;
  }
}

}  // namespace tessera
