// Images, errors and struct sizes at the border of the C interface.
#include <cstring>
#include <limits>

#include "api_testing.h"

namespace tessera_testing {
namespace {

std::string why_refused(const tessera_image& image) {
  tessera_picture* level = nullptr;
  tessera_error error = {};
  EXPECT_EQ(tessera_next_mip_level(&image, &level, &error), TESSERA_ERROR_USAGE);
  EXPECT_EQ(error.status, TESSERA_ERROR_USAGE);
  EXPECT_EQ(level, nullptr);
  return error.message;
}

class ImageTest : public testing::Test {
 protected:
  ImageTest() {
    image_.pixels = pixels_;
    image_.width = 4;
    image_.height = 4;
  }
  alignas(16) uint8_t pixels_[4096] = {};
  tessera_image image_ = TESSERA_IMAGE_INIT;
};

TEST_F(ImageTest, ZerosMeanDefaults) {
  tessera_picture* level = nullptr;
  ASSERT_EQ(tessera_next_mip_level(&image_, &level, nullptr), TESSERA_OK);
  const tessera_image smaller = image_of(Picture(level));
  EXPECT_EQ(smaller.width, 2U);
  EXPECT_EQ(smaller.height, 2U);
  EXPECT_EQ(smaller.depth, 1U);
  EXPECT_EQ(smaller.layers, 1U);
  EXPECT_EQ(smaller.channels, 4U);
}

TEST_F(ImageTest, WrongImagesAreRefusedWithASentence) {
  constexpr int kOutOfRange = 9;  // as C lets a caller pass it
  const tessera_image good = image_;
  image_.pixels = nullptr;
  EXPECT_NE(why_refused(image_).find("NULL"), std::string::npos);
  image_ = good;
  image_.width = 0;
  EXPECT_NE(why_refused(image_).find("no pixels"), std::string::npos);
  image_ = good;
  image_.channels = 5;
  EXPECT_NE(why_refused(image_).find("5 channels"), std::string::npos);
  image_ = good;
  image_.row_stride = 15;
  EXPECT_NE(why_refused(image_).find("row_stride is 15 bytes"), std::string::npos);
  image_ = good;
  image_.layers = 2;
  image_.slice_stride = 63;
  EXPECT_NE(why_refused(image_).find("slice_stride is 63 bytes"), std::string::npos);
  image_ = good;
  std::memcpy(&image_.sample, &kOutOfRange, sizeof kOutOfRange);
  EXPECT_NE(why_refused(image_).find("sample type"), std::string::npos);
  image_ = good;
  std::memcpy(&image_.color_space, &kOutOfRange, sizeof kOutOfRange);
  EXPECT_NE(why_refused(image_).find("colour space"), std::string::npos);
  image_ = good;
  image_.struct_size = 0;
  EXPECT_NE(why_refused(image_).find("struct_size"), std::string::npos);
}

TEST_F(ImageTest, SizesThatOverflowAreRefused) {
  const tessera_image good = image_;
  image_.width = UINT32_MAX;
  EXPECT_NE(why_refused(image_).find("2^24"), std::string::npos);
  image_ = good;
  image_.depth = 1U << 24;
  image_.layers = 1U << 24;
  EXPECT_NE(why_refused(image_).find("slices"), std::string::npos);
  image_ = good;
  image_.row_stride = std::numeric_limits<size_t>::max() - 15;
  EXPECT_NE(why_refused(image_).find("too large"), std::string::npos);
  image_ = good;
  image_.layers = 1U << 20;
  image_.slice_stride = size_t{1} << 60;
  EXPECT_NE(why_refused(image_).find("too large"), std::string::npos);
}

TEST_F(ImageTest, SamplesOfSeveralBytesMustBeAligned) {
  image_.sample = TESSERA_SAMPLE_F32;
  image_.pixels = pixels_ + 1;
  EXPECT_NE(why_refused(image_).find("multiple"), std::string::npos);
  image_.pixels = pixels_;
  image_.row_stride = 66;
  EXPECT_NE(why_refused(image_).find("multiples"), std::string::npos);
}

TEST_F(ImageTest, AStrideAsLongAsTheMemoryIsTaken) {
  image_.row_stride = 1024;  // the last row needs 16 bytes of it
  for (size_t i = 0; i < sizeof pixels_; ++i) {
    pixels_[i] = i % 1024 < 16 ? 200 : 0;
  }
  tessera_picture* level = nullptr;
  ASSERT_EQ(tessera_next_mip_level(&image_, &level, nullptr), TESSERA_OK);
  const Picture owner(level);
  const tessera_image smaller = image_of(owner);
  EXPECT_EQ(static_cast<const uint8_t*>(smaller.pixels)[0], 200);
}

TEST(StructSizeTest, AnOlderHeaderGetsWhatItKnows) {
  const Picture picture = make_sample(8, 4);
  tessera_image image;
  std::memset(&image, 0xAB, sizeof image);
  image.struct_size = offsetof(tessera_image, depth);
  ASSERT_EQ(tessera_picture_image(picture.get(), &image, nullptr), TESSERA_OK);
  EXPECT_EQ(image.width, 8U);
  EXPECT_EQ(image.height, 4U);
  EXPECT_EQ(image.struct_size, offsetof(tessera_image, depth));
  EXPECT_EQ(image.depth, 0xABABABABU);  // not touched
}

TEST(StructSizeTest, FieldsThatAnOlderHeaderLacksAreDefaults) {
  const Picture picture = make_sample(16, 16);
  tessera_image image = image_of(picture);
  ASSERT_EQ(image.channels, 3U);
  image.width = image.height = 8;  // there is room for four channels
  image.channels = 77;             // not part of the older struct
  image.struct_size = offsetof(tessera_image, channels);
  tessera_picture* level = nullptr;
  ASSERT_EQ(tessera_next_mip_level(&image, &level, nullptr), TESSERA_OK);
  EXPECT_EQ(image_of(Picture(level)).channels, 4U);
}

TEST(StructSizeTest, ANewerHeaderIsUnderstood) {
  struct NewerMetrics {
    tessera_metrics known;
    double unknown;
  };
  const Picture picture = make_sample(16, 16);
  const tessera_image image = image_of(picture);
  NewerMetrics metrics = {};
  metrics.unknown = 5;
  metrics.known.struct_size = sizeof metrics;
  ASSERT_EQ(tessera_compare(&image, &image, 0, 0, &metrics.known, nullptr), TESSERA_OK);
  EXPECT_EQ(metrics.known.psnr_rgb, 999.0);
  EXPECT_EQ(metrics.known.struct_size, sizeof metrics);
  EXPECT_EQ(metrics.unknown, 0);
}

TEST(ErrorTest, LongSentencesAreCutBetweenCharacters) {
  std::string kind(1010, 'a');
  for (int i = 0; i < 300; ++i) {
    kind += "é";
  }
  tessera_picture* picture = nullptr;
  tessera_error error;
  ASSERT_EQ(tessera_make_sample(kind.c_str(), 8, 8, 1, &picture, &error), TESSERA_ERROR_USAGE);
  const size_t length = std::strlen(error.message);
  EXPECT_GE(length, sizeof error.message - 2);
  EXPECT_EQ(std::string(error.message).substr(length - 2), "é");
}

TEST(ErrorTest, SuccessClearsTheSentence) {
  tessera_error error;
  std::memset(&error, 'x', sizeof error);
  tessera_picture* picture = nullptr;
  ASSERT_EQ(tessera_make_sample("noise", 8, 8, 1, &picture, &error), TESSERA_OK);
  EXPECT_EQ(error.status, TESSERA_OK);
  EXPECT_STREQ(error.message, "");
  tessera_picture_destroy(picture);
}

TEST(ErrorTest, NullHandlesAreNoTrouble) {
  tessera_picture_destroy(nullptr);
  tessera_buffer_destroy(nullptr);
  tessera_context_destroy(nullptr);
  tessera_encoder_destroy(nullptr);
  tessera_tile_encoder_destroy(nullptr);
  tessera_stop_destroy(nullptr);
  tessera_stop_request(nullptr);
  EXPECT_EQ(tessera_buffer_data(nullptr), nullptr);
  EXPECT_EQ(tessera_buffer_size(nullptr), 0U);
  EXPECT_EQ(tessera_tile_size(nullptr, 4, 4), 0U);
  EXPECT_EQ(tessera_make_sample("photo", 8, 8, 1, nullptr, nullptr), TESSERA_ERROR_USAGE);
}

TEST(CompareTest, ImagesOfDifferentSizesDiffer) {
  const Picture first = make_sample(16, 16);
  const Picture second = make_sample(16, 8);
  const tessera_image a = image_of(first);
  const tessera_image b = image_of(second);
  tessera_metrics metrics = {};
  metrics.struct_size = sizeof metrics;
  tessera_error error;
  EXPECT_EQ(tessera_compare(&a, &b, 4, 4, &metrics, &error), TESSERA_ERROR_DIFFER);
  EXPECT_STREQ(error.message,
               "the reference is 16x16 and the other image 16x8: images of different sizes cannot "
               "be compared");
}

TEST(CompareTest, ASheetShowsThreePicturesSideBySide) {
  const Picture first = make_sample(32, 16);
  const tessera_image a = image_of(first);
  tessera_picture* sheet = nullptr;
  ASSERT_EQ(tessera_comparison_sheet(&a, &a, 8, &sheet, nullptr), TESSERA_OK);
  const tessera_image image = image_of(Picture(sheet));
  EXPECT_GE(image.width, 96U);
  EXPECT_EQ(image.channels, 3U);
  EXPECT_EQ(tessera_comparison_sheet(&a, &a, 0, &sheet, nullptr), TESSERA_ERROR_USAGE);
  EXPECT_EQ(sheet, nullptr);
}

}  // namespace
}  // namespace tessera_testing
