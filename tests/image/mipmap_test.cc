// Tests mip levels against plain averages.
#include "image/mipmap.h"

#include <algorithm>
#include <limits>

#include "image_helpers.h"

namespace tessera {
namespace {

double decode(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double encode(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

// How much of source texel `i` lies under texel `j` of the next level, along one side.
double overlap(uint32_t extent, uint32_t i, uint32_t j) {
  const uint32_t next = mip_extent(extent, 1);
  const double begin = static_cast<double>(j) * extent / next;
  const double end = static_cast<double>(j + 1) * extent / next;
  return std::max(0.0, std::min(end, i + 1.0) - std::max(begin, static_cast<double>(i)));
}

// One sample of the next level, straight from the description: the average over the box.
double expected_sample(const ImageView& source, uint32_t x, uint32_t y, uint32_t z, uint32_t layer,
                       uint32_t channel) {
  const ImageInfo& info = source.info;
  const bool is_alpha = info.has_alpha() && channel == info.channels - 1;
  const bool srgb = info.color_space == ColorSpace::kSrgb && !is_alpha;
  double plain = 0.0;
  double plain_total = 0.0;
  double weighted = 0.0;
  double weighted_total = 0.0;
  for (uint32_t k = 0; k < info.depth; ++k) {
    for (uint32_t j = 0; j < info.height; ++j) {
      for (uint32_t i = 0; i < info.width; ++i) {
        const double area =
            overlap(info.width, i, x) * overlap(info.height, j, y) * overlap(info.depth, k, z);
        if (area <= 1e-12) {
          continue;
        }
        const uint32_t slice = layer * info.depth + k;
        const double stored = get(source, i, j, channel, slice);
        const double value = srgb ? decode(stored) : stored;
        const double alpha = info.has_alpha() ? get(source, i, j, info.channels - 1, slice) : 1.0;
        plain += area * value;
        plain_total += area;
        weighted += area * alpha * value;
        weighted_total += area * alpha;
      }
    }
  }
  const bool weigh = !is_alpha && weighted_total > 0.0;
  const double average = weigh ? weighted / weighted_total : plain / plain_total;
  return srgb ? encode(average) : average;
}

// Half a step of the sample type, and a little for rounding in the filter.
double tolerance_of(SampleType sample) {
  switch (sample) {
    case SampleType::kU8:
      return 0.5001 / 255.0;
    case SampleType::kU16:
      return 0.501 / 65535.0;
    case SampleType::kF16:
      return 0x1.01p-12;
    case SampleType::kF32:
      break;
  }
  return 1e-7;
}

void expect_next_level(const Image& source) {
  const OddlyStridedCopy strided(source);
  const auto level = next_mip_level(strided.view());
  ASSERT_TRUE(level.ok());
  ImageInfo info = source.info();
  info.width = mip_extent(info.width, 1);
  info.height = mip_extent(info.height, 1);
  info.depth = mip_extent(info.depth, 1);
  ASSERT_EQ(level->info(), info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t channel, uint32_t slice) {
    const double expected =
        expected_sample(source.view(), x, y, slice % info.depth, slice / info.depth, channel);
    ASSERT_NEAR(get(level->view(), x, y, channel, slice), expected, tolerance_of(info.sample))
        << sample_type_name(info.sample) << ", texel " << x << ", " << y << ", channel " << channel;
  });
}

struct Size {
  uint32_t width, height, depth, layers;
};

constexpr Size kSizes[] = {{8, 8, 1, 1}, {5, 5, 1, 1}, {7, 4, 1, 1}, {1, 9, 1, 1},
                           {6, 1, 1, 1}, {3, 3, 1, 1}, {1, 1, 1, 1}, {2, 13, 1, 1},
                           {4, 6, 4, 1}, {3, 5, 7, 1}, {5, 2, 1, 3}, {4, 3, 3, 2}};

TEST(NextMipLevel, MatchesTheBoxAverageForEveryImageType) {
  uint32_t seed = 1;
  for (const SampleType sample : kAllSampleTypes) {
    for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
      for (uint32_t channels = 1; channels <= 4; ++channels) {
        for (const Size& size : kSizes) {
          ImageInfo info = make_info(size.width, size.height, channels, sample, space);
          info.depth = size.depth;
          info.layers = size.layers;
          expect_next_level(random_image(info, ++seed));
        }
      }
    }
  }
}

// Transparent texels, alone and in whole boxes.
TEST(NextMipLevel, MatchesTheBoxAverageWithTransparency) {
  uint32_t seed = 1000;
  for (const SampleType sample : kAllSampleTypes) {
    for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
      for (const uint32_t channels : {2u, 4u}) {
        for (const uint32_t width : {8u, 9u}) {
          Image image = random_image(make_info(width, 8, channels, sample, space), ++seed);
          for (uint32_t y = 0; y < 8; ++y) {
            for (uint32_t x = 0; x < width; ++x) {
              if (x < 4 || (x + y) % 3 == 0) {
                set(image, x, y, channels - 1, 0.0);
              }
            }
          }
          expect_next_level(image);
        }
      }
    }
  }
}

TEST(NextMipLevel, ConstantsStayWhatTheyAre) {
  for (const SampleType sample : kAllSampleTypes) {
    for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
      for (const Size& size : kSizes) {
        ImageInfo info = make_info(size.width * 3, size.height * 5, 4, sample, space);
        info.depth = size.depth;
        info.layers = size.layers;
        for (const double alpha : {1.0, 0.3, 0.0}) {
          const Image image = constant_image(info, {0.7, 0.013, 0.42, alpha});
          const auto levels = make_mip_levels(image.view(), 32);
          ASSERT_TRUE(levels.ok());
          for (const Image& level : *levels) {
            for_each_sample(level.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
              // Float pictures in sRGB go through the curve and back.
              const bool curved = space == ColorSpace::kSrgb && sample == SampleType::kF32;
              ASSERT_NEAR(get(level.view(), x, y, c, slice), get(image.view(), 0, 0, c),
                          curved ? 1e-6 : 0.0)
                  << sample_type_name(sample) << " alpha " << alpha;
            });
          }
        }
      }
    }
  }
}

TEST(NextMipLevel, AveragesLightNotCodes) {
  Image image = make_image(make_info(2, 1, 3, SampleType::kU8, ColorSpace::kSrgb));
  std::memset(image.row<uint8_t>(0) + 3, 255, 3);  // black and white
  EXPECT_EQ(next_mip_level(image.view())->row<uint8_t>(0)[0], 188);
  image.set_color_space(ColorSpace::kLinear);
  EXPECT_EQ(next_mip_level(image.view())->row<uint8_t>(0)[0], 128);  // halves round up
}

TEST(NextMipLevel, SixteenBitPicturesKeepTheirPrecision) {
  Image image = make_image(make_info(2, 1, 1, SampleType::kU16, ColorSpace::kSrgb));
  image.row<uint16_t>(0)[1] = 65535;
  EXPECT_EQ(next_mip_level(image.view())->row<uint16_t>(0)[0], std::lround(encode(0.5) * 65535.0));
}

TEST(NextMipLevel, OfFourEightBitChannelsIsTheSame) {
  for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
    Image image = make_image(make_info(7, 5, 4, SampleType::kU8, space));
    for (uint32_t y = 0; y < 5; ++y) {
      for (uint32_t i = 0; i < 28; ++i) {
        image.row<uint8_t>(y)[i] = static_cast<uint8_t>(i * 37 + y * 91);
      }
    }
    const Image expected = next_mip_level(image.view()).value();
    const Image level = next_rgba8_mip_level(image.view()).value();
    ASSERT_EQ(level.width(), expected.width());
    ASSERT_EQ(level.height(), expected.height());
    for (uint32_t y = 0; y < level.height(); ++y) {
      EXPECT_EQ(std::memcmp(level.row<uint8_t>(y), expected.row<uint8_t>(y), 4u * level.width()),
                0);
    }
  }
}

TEST(NextMipLevel, HiddenColoursDoNotBleed) {
  Image image = make_image(make_info(2, 2, 4));
  const uint8_t green[] = {0, 255, 0, 0};  // transparent
  const uint8_t red[] = {255, 0, 0, 128};
  std::memcpy(image.row<uint8_t>(0), green, 4);
  std::memcpy(image.row<uint8_t>(0) + 4, red, 4);
  std::memcpy(image.row<uint8_t>(1), green, 4);
  std::memcpy(image.row<uint8_t>(1) + 4, green, 4);
  const Image level = next_mip_level(image.view()).value();
  const uint8_t expected[] = {255, 0, 0, 32};
  EXPECT_EQ(std::memcmp(level.row<uint8_t>(0), expected, 4), 0);
}

TEST(NextMipLevel, FullyTransparentBoxesKeepTheirAverageColour) {
  Image image = make_image(make_info(2, 1, 4));
  const uint8_t texels[] = {100, 0, 40, 0, 200, 0, 60, 0};
  std::memcpy(image.row<uint8_t>(0), texels, sizeof(texels));
  const Image level = next_mip_level(image.view()).value();
  const uint8_t expected[] = {150, 0, 50, 0};
  EXPECT_EQ(std::memcmp(level.row<uint8_t>(0), expected, 4), 0);
}

TEST(NextMipLevel, FiveTexelsMakeTwoOfTwoAndAHalf) {
  Image image = make_image(make_info(5, 1, 1, SampleType::kF32));
  const float texels[] = {0.0f, 10.0f, 20.0f, 30.0f, 40.0f};
  std::memcpy(image.row<float>(0), texels, sizeof(texels));
  const Image level = next_mip_level(image.view()).value();
  ASSERT_EQ(level.width(), 2u);
  EXPECT_FLOAT_EQ(level.row<float>(0)[0], 8.0f);   // (0 + 10 + 20/2) / 2.5
  EXPECT_FLOAT_EQ(level.row<float>(0)[1], 32.0f);  // (20/2 + 30 + 40) / 2.5
}

// High dynamic range is neither clamped nor spoilt by infinities that do not count.
TEST(NextMipLevel, FloatsMayLeaveTheUnitRange) {
  Image image = make_image(make_info(2, 1, 4, SampleType::kF32));
  const float infinity = std::numeric_limits<float>::infinity();
  const float texels[] = {1000.0f, -2.0f, 0.0f, 1.0f, infinity, infinity, infinity, 0.0f};
  std::memcpy(image.row<float>(0), texels, sizeof(texels));
  const Image level = next_mip_level(image.view()).value();
  EXPECT_EQ(level.row<float>(0)[0], 1000.0f);
  EXPECT_EQ(level.row<float>(0)[1], -2.0f);
  EXPECT_EQ(level.row<float>(0)[3], 0.5f);
}

TEST(NextMipLevel, OddAlphaCountsAsZeroOrOneForColours) {
  Image image = make_image(make_info(2, 1, 2, SampleType::kF32));
  const float texels[] = {10.0f, 3.0f, 30.0f, -1.0f};
  std::memcpy(image.row<float>(0), texels, sizeof(texels));
  const Image level = next_mip_level(image.view()).value();
  EXPECT_EQ(level.row<float>(0)[0], 10.0f);
  EXPECT_EQ(level.row<float>(0)[1], 1.0f);
}

TEST(NextMipLevel, FloatPicturesInSrgbKeepHighlights) {
  Image image = make_image(make_info(2, 1, 1, SampleType::kF32, ColorSpace::kSrgb));
  image.row<float>(0)[0] = 4.0f;
  image.row<float>(0)[1] = 4.0f;
  EXPECT_NEAR(next_mip_level(image.view())->row<float>(0)[0], 4.0f, 1e-6f);
}

TEST(NextMipLevel, RefusesImagesWithoutPixels) {
  EXPECT_FALSE(next_mip_level(ImageView{}).ok());
  const Image image = random_image(make_info(4, 4, 4), 1);
  for (const uint32_t channels : {0u, 5u}) {
    ImageView broken = image.view();
    broken.info.channels = channels;
    EXPECT_FALSE(next_mip_level(broken).ok());
  }
  for (uint32_t ImageInfo::*member :
       {&ImageInfo::width, &ImageInfo::height, &ImageInfo::depth, &ImageInfo::layers}) {
    ImageView broken = image.view();
    broken.info.*member = 0;
    EXPECT_FALSE(next_mip_level(broken).ok());
  }
}

TEST(MipLevelCount, IsOneMoreThanTheLogarithm) {
  EXPECT_EQ(mip_level_count(1, 1), 1u);
  EXPECT_EQ(mip_level_count(2, 1), 2u);
  EXPECT_EQ(mip_level_count(3, 3), 2u);
  EXPECT_EQ(mip_level_count(4, 1), 3u);
  EXPECT_EQ(mip_level_count(1, 255), 8u);
  EXPECT_EQ(mip_level_count(256, 7), 9u);
  EXPECT_EQ(mip_level_count(1, 1, 64), 7u);
  EXPECT_EQ(mip_level_count(1u << 24, 1), 25u);
}

TEST(MipExtent, NeverFallsBelowOne) {
  EXPECT_EQ(mip_extent(13, 0), 13u);
  EXPECT_EQ(mip_extent(13, 1), 6u);
  EXPECT_EQ(mip_extent(13, 3), 1u);
  EXPECT_EQ(mip_extent(13, 4), 1u);
  EXPECT_EQ(mip_extent(13, 31), 1u);
  EXPECT_EQ(mip_extent(13, 32), 1u);
  EXPECT_EQ(mip_extent(13, 1000), 1u);
}

TEST(MakeMipLevels, GivesTheFullChain) {
  ImageInfo info = make_info(37, 11, 3, SampleType::kU8, ColorSpace::kSrgb);
  info.layers = 2;
  const Image base = random_image(info, 9);
  const auto levels = make_mip_levels(base.view(), 100);
  ASSERT_TRUE(levels.ok());
  ASSERT_EQ(levels->size(), 5u);  // 18, 9, 4, 2, 1
  Image previous = copy_image(base.view()).value();
  for (size_t i = 0; i < levels->size(); ++i) {
    const auto level = static_cast<uint32_t>(i + 1);
    EXPECT_EQ((*levels)[i].width(), mip_extent(37, level));
    EXPECT_EQ((*levels)[i].height(), mip_extent(11, level));
    EXPECT_EQ((*levels)[i].info().layers, 2u);
    Image next = next_mip_level(previous.view()).value();
    EXPECT_TRUE(same_samples(next.view(), (*levels)[i].view()));
    previous = std::move(next);
  }
}

// Written files hold these pixels, so they must be the same on every machine and compiler.
TEST(MakeMipLevels, PixelsAreTheSameEverywhere) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  uint32_t state = 1;
  for (const SampleType sample : kAllSampleTypes) {
    for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
      Image base = make_image(make_info(61, 46, 4, sample, space));
      for_each_sample(base.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
        state = state * 1664525u + 1013904223u;
        set(base, x, y, c, (state >> 16) / 65535.0);
      });
      const auto levels = make_mip_levels(base.view(), 32);
      ASSERT_TRUE(levels.ok());
      for (const Image& level : *levels) {
        for (uint32_t y = 0; y < level.height(); ++y) {
          for (size_t i = 0; i < level.width() * level.info().pixel_bytes(); ++i) {
            hash = (hash ^ level.row<uint8_t>(y)[i]) * 0x100000001B3u;
          }
        }
      }
    }
  }
  EXPECT_EQ(hash, 0xAFED9F04C7999DFBu) << std::hex << hash;
}

TEST(MakeMipLevels, StopsAtTheLimit) {
  const Image base = random_image(make_info(64, 64, 1), 9);
  EXPECT_EQ(make_mip_levels(base.view(), 0)->size(), 0u);
  EXPECT_EQ(make_mip_levels(base.view(), 1)->size(), 0u);
  EXPECT_EQ(make_mip_levels(base.view(), 2)->size(), 1u);
  EXPECT_EQ(make_mip_levels(base.view(), 7)->size(), 6u);
  EXPECT_EQ(make_mip_levels(base.view(), 8)->size(), 6u);
}

TEST(MakeMipLevels, OfOneTexelAreNone) {
  const Image base = random_image(make_info(1, 1, 4), 9);
  const auto levels = make_mip_levels(base.view(), 10);
  ASSERT_TRUE(levels.ok());
  EXPECT_TRUE(levels->empty());
}

}  // namespace
}  // namespace tessera
