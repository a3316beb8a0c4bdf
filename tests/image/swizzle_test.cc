// Tests swizzles.
#include "image/swizzle.h"

#include "image/convert.h"
#include "image_helpers.h"

namespace tessera {
namespace {

TEST(ParseSwizzle, ReadsLettersInEitherCase) {
  const auto lower = parse_swizzle("bg01");
  ASSERT_TRUE(lower.ok());
  EXPECT_EQ(lower->components,
            (std::array{Component::kBlue, Component::kGreen, Component::kZero, Component::kOne}));
  EXPECT_EQ(parse_swizzle("BG01").value(), *lower);
  EXPECT_TRUE(parse_swizzle("rgba")->is_identity());
  EXPECT_TRUE(parse_swizzle("RgBa")->is_identity());
  EXPECT_FALSE(parse_swizzle("bgra")->is_identity());
}

TEST(ParseSwizzle, RefusesEverythingElse) {
  for (const std::string_view text :
       {"", "r", "rgb", "rgbaa", "rgbx", "rg b", "rgb2", "....", "rgb\xC3"}) {
    const auto swizzle = parse_swizzle(text);
    ASSERT_FALSE(swizzle.ok()) << text;
    EXPECT_EQ(swizzle.error().code, ErrorCode::kUsage);
    EXPECT_NE(swizzle.error().message.find(std::string(text)), std::string::npos);
  }
}

TEST(ApplySwizzle, PicksComponentsOfEverySampleTypeAndChannelCount) {
  for (const SampleType sample : kAllSampleTypes) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      ImageInfo info = make_info(5, 3, channels, sample, ColorSpace::kSrgb);
      info.layers = 2;
      const Image source = random_image(info, channels);
      const OddlyStridedCopy strided(source);
      const Image rgba = convert_channels(source.view(), 4).value();
      const Image swizzled = apply_swizzle(strided.view(), *parse_swizzle("a1r0")).value();
      info.channels = 4;
      ASSERT_EQ(swizzled.info(), info);
      for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
        const double expected = c == 0   ? get(rgba.view(), x, y, 3, slice)
                                : c == 1 ? 1.0
                                : c == 2 ? get(rgba.view(), x, y, 0, slice)
                                         : 0.0;
        ASSERT_EQ(get(swizzled.view(), x, y, c, slice), expected);
      });
    }
  }
}

TEST(ApplySwizzle, IdentityKeepsEverything) {
  const Image source = random_image(make_info(6, 6, 4, SampleType::kU16), 5);
  EXPECT_TRUE(same_samples(apply_swizzle(source.view(), Swizzle{}).value().view(), source.view()));
}

// Applying a and then b is applying the composed swizzle.
TEST(ApplySwizzle, ComposesForEveryPairOfSwizzles) {
  const Image source = random_image(make_info(3, 2, 4), 6);
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    Swizzle first;
    Swizzle second;
    Swizzle composed;
    for (size_t c = 0; c < 4; ++c) {
      first.components[c] = static_cast<Component>(random() % 6);
      second.components[c] = static_cast<Component>(random() % 6);
    }
    for (size_t c = 0; c < 4; ++c) {
      const Component pick = second.components[c];
      composed.components[c] =
          pick >= Component::kZero ? pick : first.components[static_cast<size_t>(pick)];
    }
    const Image step = apply_swizzle(source.view(), first).value();
    const Image twice = apply_swizzle(step.view(), second).value();
    const Image once = apply_swizzle(source.view(), composed).value();
    ASSERT_TRUE(same_samples(twice.view(), once.view()));
  }
}

TEST(ApplySwizzle, BgraTwiceIsTheIdentity) {
  const Image source = random_image(make_info(4, 4, 4, SampleType::kF32), 7);
  const Swizzle bgra = *parse_swizzle("bgra");
  const Image once = apply_swizzle(source.view(), bgra).value();
  EXPECT_FALSE(same_samples(once.view(), source.view()));
  EXPECT_TRUE(same_samples(apply_swizzle(once.view(), bgra).value().view(), source.view()));
}

TEST(ApplySwizzle, RefusesImagesWithoutPixelsOrWithOddChannels) {
  EXPECT_FALSE(apply_swizzle(ImageView{}, Swizzle{}).ok());
  const Image source = random_image(make_info(4, 4, 4), 7);
  for (const uint32_t channels : {0u, 5u}) {
    ImageView broken = source.view();
    broken.info.channels = channels;
    EXPECT_FALSE(apply_swizzle(broken, Swizzle{}).ok());
  }
}

}  // namespace
}  // namespace tessera
