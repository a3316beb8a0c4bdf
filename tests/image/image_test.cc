// Tests images in memory and the sizes that they refuse.
#include "image/image.h"

#include "image_helpers.h"

namespace tessera {
namespace {

TEST(Image, IsZeroedAndAligned) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image image = make_image(make_info(87, 5, 3, sample));
    EXPECT_EQ(image.row_stride() % 64, 0u);
    EXPECT_GE(image.row_stride(), 87 * 3 * sample_bytes(sample));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(image.row<uint8_t>(4)) % 64, 0u);
    for_each_sample(image.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t slice) {
      ASSERT_EQ(get(image.view(), x, y, c, slice), 0.0);
    });
  }
}

TEST(Image, ThinImagesTakeNoMoreThanTheirSamples) {
  for (const SampleType sample : kAllSampleTypes) {
    const auto layout = layout_of(make_info(1, 1u << 24, 1, sample));
    ASSERT_TRUE(layout.ok());
    EXPECT_EQ(layout->bytes, sample_bytes(sample) << 24);
  }
  for (uint32_t width = 1; width < 400; ++width) {
    const auto layout = layout_of(make_info(width, 1000, 4));
    ASSERT_TRUE(layout.ok());
    EXPECT_LE(layout->bytes, size_t{width} * 4000 * 5 / 4) << width;
  }
}

TEST(Image, SlicesFollowEachOther) {
  ImageInfo info = make_info(3, 2, 1);
  info.depth = 2;
  info.layers = 3;
  const Image image = random_image(info, 1);
  EXPECT_EQ(info.slices(), 6u);
  EXPECT_EQ(info.pixel_count(), 36u);
  EXPECT_EQ(image.row<uint8_t>(0, 5) - image.row<uint8_t>(0, 0),
            static_cast<ptrdiff_t>(5 * 2 * image.row_stride()));
}

TEST(Image, CopiesFromAnyStride) {
  ImageInfo info = make_info(5, 3, 4, SampleType::kU16);
  info.layers = 2;
  const Image image = random_image(info, 2);
  const OddlyStridedCopy strided(image);
  const auto copy = copy_image(strided.view());
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE(same_samples(copy->view(), image.view()));
}

TEST(Image, RefusesSizesWithoutPixels) {
  for (const ImageInfo& info : {make_info(0, 4, 4), make_info(4, 0, 4), make_info(4, 4, 0)}) {
    const auto image = Image::create(info);
    ASSERT_FALSE(image.ok());
    EXPECT_EQ(image.error().code, ErrorCode::kInvalid);
  }
  ImageInfo no_depth = make_info(4, 4, 4);
  no_depth.depth = 0;
  EXPECT_FALSE(Image::create(no_depth).ok());
  ImageInfo no_layers = make_info(4, 4, 4);
  no_layers.layers = 0;
  EXPECT_FALSE(Image::create(no_layers).ok());
}

TEST(Image, RefusesFiveChannels) {
  EXPECT_FALSE(Image::create(make_info(4, 4, 5)).ok());
}

TEST(Image, RefusesAbsurdSizes) {
  EXPECT_FALSE(Image::create(make_info(0xFFFFFFFF, 1, 4)).ok());
  EXPECT_FALSE(Image::create(make_info(1 << 24, 1 << 24, 4)).ok());
  ImageInfo deep = make_info(1, 1, 1);
  deep.depth = 1 << 24;
  deep.layers = 1 << 24;
  EXPECT_FALSE(Image::create(deep).ok());
}

TEST(Image, NamesItsSampleTypes) {
  EXPECT_EQ(sample_type_name(SampleType::kU8), "8-bit");
  EXPECT_EQ(sample_type_name(SampleType::kU16), "16-bit");
  EXPECT_EQ(sample_type_name(SampleType::kF16), "half");
  EXPECT_EQ(sample_type_name(SampleType::kF32), "float");
}

// A machine with 32-bit addresses, on any machine.
TEST(ImageLayout, SizesAreCheckedAgainstTheAddressSpace) {
  ImageInfo info;
  info.width = 1u << 15;
  info.height = (1u << 15) - 1;
  const auto fits = layout_of(info, UINT32_MAX);
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->row_stride, size_t{1} << 17);
  EXPECT_EQ(fits->bytes, (uint64_t{1} << 32) - (1u << 17));
  info.height = 1u << 15;  // 2^32 bytes: their number would become 0 in 32 bits
  EXPECT_EQ(layout_of(info, UINT32_MAX).error().code, ErrorCode::kInvalid);
  EXPECT_TRUE(layout_of(info, UINT64_MAX));
  // A row alone: 2^24 pixels of four floats are 2^28 bytes, and 17 of them too many.
  info.width = 1u << 24;
  info.sample = SampleType::kF32;
  info.height = 15;
  EXPECT_TRUE(layout_of(info, UINT32_MAX));
  info.height = 17;
  EXPECT_FALSE(layout_of(info, UINT32_MAX));
}

}  // namespace
}  // namespace tessera
