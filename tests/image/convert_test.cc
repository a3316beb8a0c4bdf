// Tests conversion of sample types and channels.
#include "image/convert.h"

#include <limits>

#include "image_helpers.h"

namespace tessera {
namespace {

// One row that holds every 16-bit pattern.
Image all_patterns(SampleType sample) {
  Image image = make_image(make_info(65536, 1, 1, sample));
  for (uint32_t i = 0; i < 65536; ++i) {
    image.row<uint16_t>(0)[i] = static_cast<uint16_t>(i);
  }
  return image;
}

Image all_bytes() {
  Image image = make_image(make_info(256, 1, 1));
  for (uint32_t i = 0; i < 256; ++i) {
    image.row<uint8_t>(0)[i] = static_cast<uint8_t>(i);
  }
  return image;
}

TEST(ConvertSamples, EightBitToSixteenBitTimes257) {
  const Image wide = convert_samples(all_bytes().view(), SampleType::kU16).value();
  for (uint32_t i = 0; i < 256; ++i) {
    ASSERT_EQ(wide.row<uint16_t>(0)[i], i * 257);
  }
}

TEST(ConvertSamples, SixteenBitToEightBitRoundsToNearest) {
  const Image narrow =
      convert_samples(all_patterns(SampleType::kU16).view(), SampleType::kU8).value();
  for (uint32_t i = 0; i < 65536; ++i) {
    ASSERT_EQ(narrow.row<uint8_t>(0)[i], std::lround(i * 255.0 / 65535.0)) << i;
  }
}

TEST(ConvertSamples, EightBitSurvivesEveryDetour) {
  const Image bytes = all_bytes();
  for (const SampleType detour : kAllSampleTypes) {
    const Image there = convert_samples(bytes.view(), detour).value();
    EXPECT_EQ(there.info().sample, detour);
    const Image back = convert_samples(there.view(), SampleType::kU8).value();
    EXPECT_TRUE(same_samples(back.view(), bytes.view())) << sample_type_name(detour);
  }
}

TEST(ConvertSamples, SixteenBitSurvivesFloat) {
  const Image original = all_patterns(SampleType::kU16);
  const Image floats = convert_samples(original.view(), SampleType::kF32).value();
  for (uint32_t i = 0; i < 65536; ++i) {
    ASSERT_EQ(floats.row<float>(0)[i], static_cast<float>(i / 65535.0));
  }
  const Image back = convert_samples(floats.view(), SampleType::kU16).value();
  EXPECT_TRUE(same_samples(back.view(), original.view()));
}

TEST(ConvertSamples, HalfToIntegerIsNearestAndClamped) {
  const Image halves = all_patterns(SampleType::kF16);
  const Image bytes = convert_samples(halves.view(), SampleType::kU8).value();
  const Image words = convert_samples(halves.view(), SampleType::kU16).value();
  for (uint32_t i = 0; i < 65536; ++i) {
    const auto value = static_cast<double>(half_to_float(static_cast<uint16_t>(i)));
    const double clamped = std::isnan(value) ? 0.0 : std::min(std::max(value, 0.0), 1.0);
    ASSERT_EQ(bytes.row<uint8_t>(0)[i], std::lround(clamped * 255.0)) << i;
    ASSERT_EQ(words.row<uint16_t>(0)[i], std::lround(clamped * 65535.0)) << i;
  }
}

TEST(ConvertSamples, HalfSurvivesFloat) {
  const Image halves = all_patterns(SampleType::kF16);
  const Image floats = convert_samples(halves.view(), SampleType::kF32).value();
  const Image back = convert_samples(floats.view(), SampleType::kF16).value();
  for (uint32_t i = 0; i < 65536; ++i) {
    const float value = half_to_float(static_cast<uint16_t>(i));
    if (!std::isnan(value)) {
      ASSERT_EQ(floats.row<float>(0)[i], value);
      ASSERT_EQ(back.row<uint16_t>(0)[i], i);
    }
  }
}

TEST(ConvertSamples, FloatToIntegerClampsAndDropsNan) {
  Image floats = make_image(make_info(7, 1, 1, SampleType::kF32));
  const float values[] = {-1.0f,
                          2.0f,
                          std::numeric_limits<float>::quiet_NaN(),
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          0.5f,
                          0.4980391f};  // just below 127 / 255 + 1 / 510
  std::memcpy(floats.row<float>(0), values, sizeof(values));
  const Image bytes = convert_samples(floats.view(), SampleType::kU8).value();
  const uint8_t expected[] = {0, 255, 0, 255, 0, 128, 127};
  EXPECT_EQ(std::memcmp(bytes.row<uint8_t>(0), expected, sizeof(expected)), 0);
  const Image words = convert_samples(floats.view(), SampleType::kU16).value();
  EXPECT_EQ(words.row<uint16_t>(0)[0], 0);
  EXPECT_EQ(words.row<uint16_t>(0)[1], 65535);
  EXPECT_EQ(words.row<uint16_t>(0)[2], 0);
}

TEST(ConvertSamples, KeepsLayoutAndColourSpaceOfAnyStride) {
  for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
    ImageInfo info = make_info(5, 3, 2, SampleType::kU16, space);
    info.depth = 2;
    info.layers = 3;
    const Image image = random_image(info, 4);
    const OddlyStridedCopy strided(image);
    for (const SampleType sample : kAllSampleTypes) {
      const Image converted = convert_samples(strided.view(), sample).value();
      ImageInfo expected = info;
      expected.sample = sample;
      EXPECT_EQ(converted.info(), expected);
      for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
        const double tolerance = sample == SampleType::kU8 ? 0.5 / 255.0 + 1e-9 : 3e-4;
        ASSERT_NEAR(get(converted.view(), x, y, c, slice), get(image.view(), x, y, c, slice),
                    tolerance);
      });
    }
  }
}

TEST(ConvertSamples, RefusesAnImageWithoutPixels) {
  for (const SampleType sample : kAllSampleTypes) {
    EXPECT_FALSE(convert_samples(ImageView{}, sample).ok());
  }
}

// What convert_channels should give, from its description.
double expected_sample(const ImageView& source, uint32_t x, uint32_t y, uint32_t slice,
                       uint32_t target_channels, uint32_t channel) {
  const uint32_t from = source.info.channels;
  const bool wants_alpha = (target_channels == 2 && channel == 1) || channel == 3;
  if (wants_alpha) {
    return source.info.has_alpha() ? get(source, x, y, from - 1, slice) : 1.0;
  }
  if (from <= 2) {
    return get(source, x, y, 0, slice);
  }
  if (target_channels <= 2) {
    return 0.2126 * get(source, x, y, 0, slice) + 0.7152 * get(source, x, y, 1, slice) +
           0.0722 * get(source, x, y, 2, slice);
  }
  return get(source, x, y, channel, slice);
}

TEST(ConvertChannels, EveryPairOfCountsAndEverySampleType) {
  for (const SampleType sample : kAllSampleTypes) {
    const double step = sample == SampleType::kU8    ? 1.0 / 255.0
                        : sample == SampleType::kU16 ? 1.0 / 65535.0
                        : sample == SampleType::kF16 ? 0x1p-11
                                                     : 0x1p-24;
    for (uint32_t from = 1; from <= 4; ++from) {
      ImageInfo info = make_info(9, 4, from, sample, ColorSpace::kSrgb);
      info.layers = 2;
      const Image source = random_image(info, from);
      const OddlyStridedCopy strided(source);
      for (uint32_t to = 1; to <= 4; ++to) {
        const Image converted = convert_channels(strided.view(), to).value();
        info.channels = to;
        ASSERT_EQ(converted.info(), info);
        for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
          ASSERT_NEAR(get(converted.view(), x, y, c, slice),
                      expected_sample(source.view(), x, y, slice, to, c), 0.501 * step)
              << from << " to " << to << ", " << sample_type_name(sample);
        });
      }
    }
  }
}

TEST(ConvertChannels, LumaOfGreyIsThatGrey) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image grey = random_image(make_info(64, 8, 1, sample), 11);
    const Image rgb = convert_channels(grey.view(), 3).value();
    EXPECT_TRUE(same_samples(convert_channels(rgb.view(), 1).value().view(), grey.view()))
        << sample_type_name(sample);
  }
}

TEST(ConvertChannels, LumaOfPrimaries) {
  Image image = make_image(make_info(3, 1, 3));
  image.row<uint8_t>(0)[0] = 255;
  image.row<uint8_t>(0)[4] = 255;
  image.row<uint8_t>(0)[8] = 255;
  const Image grey = convert_channels(image.view(), 1).value();
  EXPECT_EQ(grey.row<uint8_t>(0)[0], 54);   // 54.2
  EXPECT_EQ(grey.row<uint8_t>(0)[1], 182);  // 182.4
  EXPECT_EQ(grey.row<uint8_t>(0)[2], 18);   // 18.4
}

TEST(ConvertChannels, RgbToRgbaOfEveryWidth) {
  for (uint32_t width = 1; width <= 40; ++width) {
    const Image rgb = random_image(make_info(width, 2, 3), width);
    const OddlyStridedCopy strided(rgb);
    const Image rgba = convert_channels(strided.view(), 4).value();
    for (uint32_t y = 0; y < 2; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        ASSERT_EQ(std::memcmp(rgba.row<uint8_t>(y) + 4 * x, rgb.row<uint8_t>(y) + 3 * x, 3), 0);
        ASSERT_EQ(rgba.row<uint8_t>(y)[4 * x + 3], 255);
      }
    }
  }
}

TEST(ConvertChannels, RefusesOtherCounts) {
  const Image image = random_image(make_info(2, 2, 3), 1);
  for (const uint32_t channels : {0u, 5u, 1000u}) {
    const auto converted = convert_channels(image.view(), channels);
    ASSERT_FALSE(converted.ok());
    EXPECT_EQ(converted.error().code, ErrorCode::kUsage);
  }
  ImageView broken = image.view();
  broken.info.channels = 0;
  EXPECT_EQ(convert_channels(broken, 4).error().code, ErrorCode::kInvalid);
  broken.info.channels = 7;
  EXPECT_EQ(convert_channels(broken, 4).error().code, ErrorCode::kInvalid);
}

TEST(IsOpaque, LooksAtEveryAlpha) {
  for (const SampleType sample : kAllSampleTypes) {
    for (const uint32_t channels : {2u, 4u}) {
      ImageInfo info = make_info(5, 3, channels, sample);
      info.layers = 2;
      Image image = constant_image(info, {0.2, channels == 2 ? 1.0 : 0.4, 0.6, 1.0});
      EXPECT_TRUE(is_opaque(image.view()));
      set(image, 4, 2, channels - 1, 0.99, 1);  // the very last pixel
      EXPECT_FALSE(is_opaque(image.view()));
      EXPECT_FALSE(is_opaque(OddlyStridedCopy(image).view()));
    }
  }
}

TEST(IsOpaque, WithoutAlphaAlways) {
  EXPECT_TRUE(is_opaque(random_image(make_info(3, 3, 1), 1).view()));
  EXPECT_TRUE(is_opaque(random_image(make_info(3, 3, 3), 1).view()));
}

}  // namespace
}  // namespace tessera
