// Tests PPM and PGM files.
#include <gtest/gtest.h>

#include "files/pictures/image_file.h"
#include "test_files.h"

namespace tessera {
namespace {

Bytes row_of(const Image& image, uint32_t y) {
  const uint8_t* const row = image.row<uint8_t>(y);
  return Bytes(row, row + image.width() * image.info().channels);
}

TEST(Pnm, RoundTripsGreyAndColor) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (const uint32_t channels : {1u, 3u}) {
      const Image image = make_test_image(17, 9, channels, sample);
      const auto file = encode_image(image.view(), ImageFileType::kPnm);
      ASSERT_TRUE(file.ok()) << file.error().message;
      EXPECT_EQ((*file)[1], channels == 1 ? '5' : '6');
      expect_same_pixels(decode_or_fail(*file), image);
    }
  }
}

TEST(Pnm, DropsOpaqueAlpha) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (const uint32_t channels : {2u, 4u}) {
      Image image = make_test_image(5, 4, channels, sample);
      set_opaque(image);
      const auto file = encode_image(image.view(), ImageFileType::kPnm);
      ASSERT_TRUE(file.ok()) << file.error().message;
      const Image decoded = decode_or_fail(*file);
      EXPECT_EQ(decoded.info().channels, channels - 1);
      EXPECT_EQ(to_rgba16(decoded), to_rgba16(image));
    }
  }
}

TEST(Pnm, RefusesToDropRealAlpha) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    Image image = make_test_image(5, 4, 4, sample);
    set_opaque(image);
    image.row<uint8_t>(3)[5 * image.info().pixel_bytes() - 1] = 0xfe;
    const auto file = encode_image(image.view(), ImageFileType::kPnm);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::kUnsupported));
    EXPECT_NE(file.error().message.find("transparent"), std::string::npos);
  }
}

TEST(Pnm, ReadsWhatImageMagickWrites) {
  SKIP_WITHOUT_IMAGEMAGICK();
  Image image = make_test_image(23, 11, 4, SampleType::kU16);
  set_opaque(image);
  for (const bool plain : {false, true}) {
    for (const bool wide : {false, true}) {
      const std::string options =
          std::string(plain ? "-compress none " : "") + (wide ? "-depth 16" : "-depth 8");
      SCOPED_TRACE(options);
      const SampleType sample = wide ? SampleType::kU16 : SampleType::kU8;
      const Bytes color = imagemagick_file(image, options, "ppm");
      ASSERT_EQ(color[1], plain ? '3' : '6');
      expect_as_imagemagick_sees_it(color, "ppm", 3, sample);
      const Bytes grey = imagemagick_file(image, "-colorspace Gray " + options, "pgm");
      ASSERT_EQ(grey[1], plain ? '2' : '5');
      expect_as_imagemagick_sees_it(grey, "pgm", 1, sample);
    }
  }
}

TEST(Pnm, ImageMagickReadsWhatWeWrite) {
  SKIP_WITHOUT_IMAGEMAGICK();
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (const uint32_t channels : {1u, 3u}) {
      const Image image = make_test_image(19, 13, channels, sample);
      const auto file = encode_image(image.view(), ImageFileType::kPnm);
      ASSERT_TRUE(file.ok());
      EXPECT_EQ(imagemagick_pixels(*file, "ppm"), to_rgba16(image));
    }
  }
}

TEST(Pnm, ReadsCommentsAnywhereInTheHeader) {
  const Image image =
      decode_or_fail(bytes_of("P3#made by hand\n# size\n2 # width\n 1\n#max\n255 \n1 2 3\t4 5 6"));
  EXPECT_EQ(row_of(image, 0), (Bytes{1, 2, 3, 4, 5, 6}));
}

TEST(Pnm, BinarySamplesMayLookLikeCommentsOrSpaces) {
  const Image image = decode_or_fail(bytes_of("P5\n4 1\n255\n#\n 9"));
  EXPECT_EQ(row_of(image, 0), (Bytes{'#', '\n', ' ', '9'}));
}

TEST(Pnm, ScalesSmallMaximumValuesToEightBitsWithRounding) {
  const Image image = decode_or_fail(bytes_of("P2 4 2 100\n0 1 2 33\n50 66 99 100\n"));
  EXPECT_EQ(static_cast<int>(image.info().sample), static_cast<int>(SampleType::kU8));
  EXPECT_EQ(row_of(image, 0), (Bytes{0, 3, 5, 84}));         // 2.55, 5.1, 84.15
  EXPECT_EQ(row_of(image, 1), (Bytes{128, 168, 252, 255}));  // 127.5, 168.3, 252.45
  const Image binary = decode_or_fail(bytes_of("P5 2 1 1\n" + std::string("\x01\x00", 2)));
  EXPECT_EQ(row_of(binary, 0), (Bytes{255, 0}));
}

TEST(Pnm, ScalesLargeMaximumValuesToSixteenBits) {
  const Image image = decode_or_fail(bytes_of("P2 4 1 1023 0 1 512 1023"));
  EXPECT_EQ(static_cast<int>(image.info().sample), static_cast<int>(SampleType::kU16));
  const uint16_t* const row = image.row<uint16_t>(0);
  EXPECT_EQ(std::vector<uint16_t>(row, row + 4), (std::vector<uint16_t>{0, 64, 32800, 65535}));
}

TEST(Pnm, RefusesRelatives) {
  expect_error(bytes_of("P1 1 1 0"), ErrorCode::kUnsupported, "PBM");
  expect_error(bytes_of("P4 1 1\n1"), ErrorCode::kUnsupported, "PBM");
  expect_error(bytes_of("P7\nWIDTH 1\n"), ErrorCode::kUnsupported, "PAM");
}

TEST(Pnm, RefusesBadHeaders) {
  expect_error(bytes_of("P6\n"), ErrorCode::kInvalid, "header");
  expect_error(bytes_of("P6 # only a comment"), ErrorCode::kInvalid, "header");
  expect_error(bytes_of("P6 -1 1 255\n123"), ErrorCode::kInvalid, "header");
  expect_error(bytes_of("P6 0 1 255\n"), ErrorCode::kInvalid, "no pixels");
  expect_error(bytes_of("P6 1 0 255\n"), ErrorCode::kInvalid, "no pixels");
  expect_error(bytes_of("P6 1 1 0\n123"), ErrorCode::kInvalid, "maximum value");
  expect_error(bytes_of("P6 1 1 65536\n123456"), ErrorCode::kInvalid, "maximum value");
  expect_error(bytes_of("P6 1 1 255"), ErrorCode::kInvalid, "white space");
  expect_error(bytes_of("P6 99999999999999999999 1 255\n123"), ErrorCode::kInvalid, "2^24");
}

TEST(Pnm, RefusesSamplesBeyondTheMaximum) {
  expect_error(bytes_of("P2 2 1 100 100 101"), ErrorCode::kInvalid, "larger than the maximum");
  expect_error(bytes_of("P5 1 1 10\n\x0b"), ErrorCode::kInvalid, "larger than the maximum");
  expect_error(bytes_of("P5 1 1 300\n\x02\x02"), ErrorCode::kInvalid, "larger than the maximum");
}

TEST(Pnm, RefusesMissingAndBrokenSamples) {
  expect_error(bytes_of("P5 2 2 255\n123"), ErrorCode::kInvalid, "too short");
  expect_error(bytes_of("P5 2 1 256\n123"), ErrorCode::kInvalid, "too short");
  expect_error(bytes_of("P2 2 1 255 77  "), ErrorCode::kInvalid, "end too early");
  expect_error(bytes_of("P2 2 1 255 7 x "), ErrorCode::kInvalid, "decimal number");
}

}  // namespace
}  // namespace tessera
