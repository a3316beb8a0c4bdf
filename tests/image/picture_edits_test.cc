// Tests what is done to pictures before they are encoded.
#include "image/picture_edits.h"

#include "image/mipmap.h"
#include "image_helpers.h"

namespace tessera {
namespace {

TEST(PictureEdits, RowsAreTurnedInEverySlice) {
  for (const SampleType sample : kAllSampleTypes) {
    ImageInfo info = make_info(5, 3, 3, sample);
    info.layers = 2;
    const Image source = random_image(info, 1);
    const OddlyStridedCopy strided(source);
    const Image turned = edit_picture(strided.view(), {true, false, false}).value();
    for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
      EXPECT_EQ(get(turned.view(), x, y, c, slice), get(source.view(), x, 2 - y, c, slice));
    });
    EXPECT_TRUE(same_samples(edit_picture(turned.view(), {true, false, false}).value().view(),
                             source.view()));
  }
}

TEST(PictureEdits, ColoursAreMultipliedAsLight) {
  Image source =
      constant_image(make_info(1, 1, 4, SampleType::kU8, ColorSpace::kSrgb), {1.0, 0.5, 0.0, 0.5});
  const Image light = edit_picture(source.view(), {false, true, false}).value();
  // Half of white light has the sRGB code 188; alpha stays.
  EXPECT_NEAR(get(light.view(), 0, 0, 0) * 255, 188, 1);
  EXPECT_NEAR(get(light.view(), 0, 0, 1) * 255, 92, 1);
  EXPECT_EQ(get(light.view(), 0, 0, 2), 0);
  EXPECT_EQ(get(light.view(), 0, 0, 3), get(source.view(), 0, 0, 3));
  source.set_color_space(ColorSpace::kLinear);
  const Image numbers = edit_picture(source.view(), {false, true, false}).value();
  EXPECT_NEAR(get(numbers.view(), 0, 0, 0) * 255, 128, 1);
}

TEST(PictureEdits, OpaqueAndLinearPicturesMultiplyExactly) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image rgb = random_image(make_info(7, 5, 3, sample), 2);
    EXPECT_TRUE(
        same_samples(edit_picture(rgb.view(), {false, true, false}).value().view(), rgb.view()));
    const Image opaque = constant_image(make_info(2, 2, 4, sample), {0.2, 0.4, 0.6, 1.0});
    EXPECT_TRUE(same_samples(edit_picture(opaque.view(), {false, true, false}).value().view(),
                             opaque.view()));
  }
  const Image grey = constant_image(make_info(1, 1, 2, SampleType::kF32), {3.0, 0.25});
  EXPECT_EQ(get(edit_picture(grey.view(), {false, true, false}).value().view(), 0, 0, 0), 0.75);
}

TEST(PictureEdits, NormalsGetTheLengthOne) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16, SampleType::kF32}) {
    const Image source = constant_image(make_info(2, 2, 4, sample), {0.7, 0.5, 0.65, 0.3});
    const Image unit = edit_picture(source.view(), {false, false, true}).value();
    double length = 0;
    for (uint32_t c = 0; c < 3; ++c) {
      const double v = get(unit.view(), 1, 1, c) * 2 - 1;
      length += v * v;
    }
    EXPECT_NEAR(std::sqrt(length), 1, sample == SampleType::kU8 ? 0.01 : 1e-4);
    EXPECT_NEAR(get(unit.view(), 1, 1, 0), 0.9, 0.005) << "(0.4, 0, 0.3) is (0.8, 0, 0.6)";
    EXPECT_EQ(get(unit.view(), 1, 1, 3), get(source.view(), 1, 1, 3)) << "alpha stays";
  }
  const Image grey = constant_image(make_info(1, 1, 1), {0.5});
  EXPECT_FALSE(edit_picture(grey.view(), {false, false, true}));
}

// The plain mean: what has been multiplied is not weighed again.
TEST(PictureEdits, MipLevelsOfMultipliedColours) {
  Image source = make_image(make_info(2, 1, 4, SampleType::kF32));
  for (uint32_t c = 0; c < 4; ++c) {
    set(source, 0, 0, c, 1.0);  // white, and nothing beside it
  }
  MipSettings settings;
  settings.premultiplied = true;
  const auto levels = make_mip_levels(source.view(), UINT32_MAX, settings).value();
  ASSERT_EQ(levels.size(), 1u);
  for (uint32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(get(levels[0].view(), 0, 0, c), 0.5) << c;
  }
  settings.premultiplied = false;
  EXPECT_EQ(get(make_mip_levels(source.view(), 2, settings).value()[0].view(), 0, 0, 0), 1.0);
}

}  // namespace
}  // namespace tessera
