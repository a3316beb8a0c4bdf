// Tests TGA files.
#include <gtest/gtest.h>

#include <atomic>

#include "files/pictures/image_file.h"
#include "test_files.h"

namespace tessera {
namespace {

constexpr size_t kImageTypeOffset = 2;  // bytes into a TGA file
constexpr size_t kDescriptorOffset = 17;
constexpr uint8_t kTopDown = 0x20;

Bytes row_of(const Image& image, uint32_t y) {
  const uint8_t* const row = image.row<uint8_t>(y);
  return Bytes(row, row + image.width() * image.info().channels);
}

TEST(Tga, RoundTripsGreyRgbAndRgba) {
  for (const uint32_t channels : {1u, 3u, 4u}) {
    const Image image = make_test_image(21, 14, channels);
    const auto file = encode_image(image.view(), ImageFileType::kTga);
    ASSERT_TRUE(file.ok()) << file.error().message;
    expect_same_pixels(decode_or_fail(*file), image);
  }
}

// Pictures of some megabytes are read some rows at a time.
TEST(Tga, LargePicturesOfEveryKind) {
  for (const uint32_t channels : {1u, 3u, 4u}) {
    const Image image = make_test_image(601, 1103, channels);
    Bytes file = encode_image(image.view(), ImageFileType::kTga).value();
    expect_same_pixels(decode_or_fail(file), image);
    file[kDescriptorOffset] ^= kTopDown;
    const Image turned = decode_or_fail(file);
    for (const uint32_t y : {0u, 400u, 551u, 1102u}) {
      EXPECT_EQ(row_of(turned, y), row_of(image, 1102 - y));
    }
  }
}

TEST(Tga, RunsThatCrossRowsAndParts) {
  constexpr uint32_t kWidth = 601;
  constexpr uint32_t kHeight = 1103;
  TgaParts parts;
  parts.image_type = 10;
  parts.width = kWidth;
  parts.height = kHeight;
  parts.descriptor = kTopDown;
  Bytes expected;
  for (uint32_t left = kWidth * kHeight, n = 0; left > 0; ++n) {
    const uint32_t covered = std::min(left, 1 + n % 128);
    const bool repeated = n % 3 != 0;
    parts.rest.push_back(static_cast<uint8_t>((repeated ? 0x80u : 0u) | (covered - 1)));
    for (uint32_t i = 0; i < covered; ++i) {
      const Bytes pixel = {static_cast<uint8_t>(n), static_cast<uint8_t>(repeated ? 0 : i),
                           static_cast<uint8_t>(n >> 8)};
      if (!repeated || i == 0) {
        append(parts.rest, pixel);
      }
      append(expected, {pixel[2], pixel[1], pixel[0]});
    }
    left -= covered;
  }
  const Image decoded = decode_or_fail(build_tga(parts));
  for (uint32_t y = 0; y < kHeight; ++y) {
    const auto begin = expected.begin() + y * kWidth * 3;
    ASSERT_EQ(row_of(decoded, y), Bytes(begin, begin + kWidth * 3)) << y;
  }
  parts.rest.pop_back();
  expect_error(build_tga(parts), ErrorCode::kInvalid, "do not fill");
}

TEST(Tga, ReadingCanBeStopped) {
  const Bytes file = encode_image(make_test_image(40, 30, 3).view(), ImageFileType::kTga).value();
  const std::atomic<bool> cancelled = true;
  const auto image = decode_image(file, "it", ReadBudget({}, &cancelled));
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kInterrupted);
}

TEST(Tga, WritesGreyWithAlphaAsRgba) {
  const Image image = make_test_image(7, 5, 2);
  const auto file = encode_image(image.view(), ImageFileType::kTga);
  ASSERT_TRUE(file.ok()) << file.error().message;
  const Image decoded = decode_or_fail(*file);
  EXPECT_EQ(decoded.info().channels, 4u);
  EXPECT_EQ(to_rgba16(decoded), to_rgba16(image));
}

TEST(Tga, ImageMagickReadsWhatWeWrite) {
  SKIP_WITHOUT_IMAGEMAGICK();
  for (uint32_t channels = 1; channels <= 4; ++channels) {
    const Image image = make_test_image(19, 13, channels);
    const auto file = encode_image(image.view(), ImageFileType::kTga);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(imagemagick_pixels(*file, "tga"), to_rgba16(image));
  }
}

TEST(Tga, ReadsWhatImageMagickWrites) {
  SKIP_WITHOUT_IMAGEMAGICK();
  const Image image = make_test_image(31, 17, 4);
  Image opaque = make_test_image(31, 17, 4);
  set_opaque(opaque);
  struct Case {
    const Image* image;
    std::string options;
    uint8_t type;
    uint32_t channels;
  };
  const std::vector<Case> cases = {
      {&image, "-depth 8", 2, 4},
      {&image, "-depth 8 -compress RLE", 10, 4},
      {&opaque, "-depth 8 -alpha off", 2, 3},
      {&opaque, "-depth 8 -alpha off -compress RLE", 10, 3},
      {&opaque, "-depth 8 -alpha off -colorspace Gray", 3, 1},
      {&opaque, "-depth 8 -alpha off -colorspace Gray -compress RLE", 11, 1},
      {&opaque, "-depth 8 -alpha off +dither -colors 40 -type Palette", 1, 3},
      {&opaque, "-depth 8 -alpha off +dither -colors 40 -type Palette -compress RLE", 9, 3},
  };
  for (const Case& c : cases) {
    for (const bool top_down : {false, true}) {
      // ImageMagick 6 tells the first row by -orient.
      const std::string options =
          c.options + (top_down ? " -orient TopLeft" : " -orient BottomLeft");
      SCOPED_TRACE(options);
      const Bytes file = imagemagick_file(*c.image, options, "tga");
      ASSERT_EQ(file[kImageTypeOffset], c.type);
      ASSERT_EQ(file[kDescriptorOffset] & kTopDown, top_down ? kTopDown : 0);
      expect_as_imagemagick_sees_it(file, "tga", c.channels);
    }
  }
}

TEST(Tga, FirstRowIsTheBottomOneUnlessTold) {
  TgaParts parts;
  parts.image_type = 3;
  parts.pixel_bits = 8;
  parts.width = 2;
  parts.height = 2;
  parts.rest = {1, 2, 3, 4};
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{3, 4}));
  parts.descriptor = kTopDown;
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{1, 2}));
}

TEST(Tga, RunsAndLiteralsMayCrossRows) {
  TgaParts parts;
  parts.image_type = 11;
  parts.pixel_bits = 8;
  parts.width = 3;
  parts.height = 2;
  parts.descriptor = kTopDown;
  parts.rest = {0x83, 7, 0x01, 8, 9};  // four times 7, then 8 and 9
  const Image image = decode_or_fail(build_tga(parts));
  EXPECT_EQ(row_of(image, 0), (Bytes{7, 7, 7}));
  EXPECT_EQ(row_of(image, 1), (Bytes{7, 8, 9}));
}

TEST(Tga, AlphaBitsOfTheHeaderDecideWhetherThereIsAlpha) {
  TgaParts parts;
  parts.pixel_bits = 32;
  parts.rest = {1, 2, 3, 0};
  parts.descriptor = 8;
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{3, 2, 1, 0}));
  parts.descriptor = 0;
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{3, 2, 1}));
}

TEST(Tga, ReadsGreyWithAlpha) {
  TgaParts parts;
  parts.image_type = 3;
  parts.pixel_bits = 16;
  parts.descriptor = 8;
  parts.rest = {77, 88};
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{77, 88}));
}

TEST(Tga, ReadsFifteenBitColor) {
  TgaParts parts;
  parts.pixel_bits = 16;
  parts.rest = {0x1f, 0x7c};  // red and blue full, green none
  EXPECT_EQ(row_of(decode_or_fail(build_tga(parts)), 0), (Bytes{255, 0, 255}));
}

TgaParts mapped() {
  TgaParts parts;
  parts.color_map_type = 1;
  parts.image_type = 1;
  parts.map_length = 2;
  parts.map_bits = 24;
  parts.pixel_bits = 8;
  parts.width = 2;
  parts.rest = {1, 2, 3, 4, 5, 6, 1, 0};
  return parts;
}

TEST(Tga, ReadsColorMaps) {
  EXPECT_EQ(row_of(decode_or_fail(build_tga(mapped())), 0), (Bytes{6, 5, 4, 3, 2, 1}));
  TgaParts wide = mapped();
  wide.pixel_bits = 16;
  wide.rest = {1, 2, 3, 4, 5, 6, 1, 0, 0, 0};
  EXPECT_EQ(row_of(decode_or_fail(build_tga(wide)), 0), (Bytes{6, 5, 4, 3, 2, 1}));
}

TEST(Tga, RefusesIndicesBeyondTheColorMap) {
  TgaParts parts = mapped();
  parts.rest.back() = 2;
  expect_error(build_tga(parts), ErrorCode::kInvalid, "colour map");
  parts = mapped();
  parts.image_type = 9;
  parts.rest = {1, 2, 3, 4, 5, 6, 0x81, 200};
  expect_error(build_tga(parts), ErrorCode::kInvalid, "colour map");
}

TEST(Tga, RefusesWhatItCannotReadRightly) {
  TgaParts parts = mapped();
  parts.map_first = 1;
  expect_error(build_tga(parts), ErrorCode::kUnsupported, "start at 0");
  parts = mapped();
  parts.descriptor = 0x10;
  expect_error(build_tga(parts), ErrorCode::kUnsupported, "right to left");
  parts = {};
  parts.image_type = 3;
  parts.pixel_bits = 16;
  parts.rest = {1, 2};
  expect_error(build_tga(parts), ErrorCode::kUnsupported, "16 bits");
}

TEST(Tga, RefusesMissingPixels) {
  TgaParts parts;
  parts.width = 2;
  parts.rest = {1, 2, 3, 4, 5};
  expect_error(build_tga(parts), ErrorCode::kInvalid, "do not fill");
  parts.image_type = 10;
  parts.rest = {0x80, 1, 2, 3};
  expect_error(build_tga(parts), ErrorCode::kInvalid, "do not fill");
  parts = mapped();
  parts.rest.resize(5);
  expect_error(build_tga(parts), ErrorCode::kInvalid, "before the first pixel");
}

TEST(Tga, RefusesRunsBeyondTheLastPixel) {
  TgaParts parts;
  parts.image_type = 10;
  parts.width = 2;
  parts.rest = {0x82, 1, 2, 3};
  expect_error(build_tga(parts), ErrorCode::kInvalid, "do not fill");
}

TEST(Tga, ImplausibleHeadersAreNoTga) {
  const std::string no_picture =
      "is not a PNG, JPEG, PPM, PGM, TGA, BMP, OpenEXR or Radiance HDR file, nor a texture";
  TgaParts good;
  good.rest = {1, 2, 3};
  EXPECT_EQ(detect_image_file_type(build_tga(good)), ImageFileType::kTga);
  const auto refuse = [&](const TgaParts& parts) {
    expect_error(build_tga(parts), ErrorCode::kInvalid, no_picture);
  };
  for (const uint8_t type : Bytes{0, 4, 7, 8, 12, 18, 32, 34}) {
    TgaParts parts = good;
    parts.image_type = type;
    refuse(parts);
  }
  TgaParts parts = good;
  parts.width = 0;
  refuse(parts);
  parts = good;
  parts.height = 0;
  refuse(parts);
  parts = good;
  parts.pixel_bits = 8;
  refuse(parts);
  parts = good;
  parts.color_map_type = 1;
  refuse(parts);
  parts = good;
  parts.color_map_type = 2;
  refuse(parts);
  parts = good;
  parts.descriptor = 0x40;
  refuse(parts);
  parts = good;
  parts.descriptor = 9;
  refuse(parts);
  parts = mapped();
  parts.map_length = 0;
  refuse(parts);
  parts = mapped();
  parts.map_bits = 8;
  refuse(parts);
}

TEST(Tga, RefusesToWriteWideSamplesAndSides) {
  const Image wide = make_test_image(3, 3, 3, SampleType::kU16);
  const auto file = encode_image(wide.view(), ImageFileType::kTga);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::kUnsupported));
  EXPECT_NE(file.error().message.find("16-bit"), std::string::npos);
  const Image broad = make_test_image(65536, 1, 1);
  const auto second = encode_image(broad.view(), ImageFileType::kTga);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message.find("65535"), std::string::npos);
}

}  // namespace
}  // namespace tessera
