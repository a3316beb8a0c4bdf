// Tests BMP files.
#include <gtest/gtest.h>

#include <atomic>

#include "files/pictures/image_file.h"
#include "test_files.h"

namespace tessera {
namespace {

constexpr size_t kPixelBitsOffset = 28;  // bytes into a BMP file

Bytes row_of(const Image& image, uint32_t y) {
  const uint8_t* const row = image.row<uint8_t>(y);
  return Bytes(row, row + image.width() * image.info().channels);
}

// Two pixels of 4 bits: colours 1 and 0.
BmpParts two_colors(uint32_t info_size) {
  BmpParts parts;
  parts.info_size = info_size;
  parts.width = 2;
  parts.pixel_bits = 4;
  parts.colors_used = 2;
  parts.palette = info_size == 12 ? Bytes{1, 2, 3, 4, 5, 6} : Bytes{1, 2, 3, 0, 4, 5, 6, 0};
  parts.pixels = {0x10, 0, 0, 0};
  return parts;
}

BmpParts masked(uint32_t info_size, uint16_t bits, std::vector<uint32_t> masks, Bytes pixels) {
  BmpParts parts;
  parts.info_size = info_size;
  parts.compression = 3;
  parts.pixel_bits = bits;
  parts.masks = std::move(masks);
  parts.pixels = std::move(pixels);
  return parts;
}

// Pictures of some megabytes are read some rows at a time, and an alpha of 0 everywhere is none.
TEST(Bmp, LargePicturesKeepTheirAlpha) {
  constexpr int32_t kWidth = 601;
  constexpr int32_t kHeight = 1103;
  for (const bool has_alpha : {false, true}) {
    for (const int32_t height : {kHeight, -kHeight}) {
      BmpParts parts;
      parts.width = kWidth;
      parts.height = height;
      parts.pixel_bits = 32;
      for (int32_t i = 0; i < kWidth * kHeight; ++i) {
        const bool is_marked = has_alpha && i == 7;
        append(parts.pixels, {static_cast<uint8_t>(i), static_cast<uint8_t>(i / kWidth), 3,
                              static_cast<uint8_t>(is_marked ? 200 : 0)});
      }
      const Image image = decode_or_fail(build_bmp(parts));
      ASSERT_EQ(image.info().channels, 4u);
      for (uint32_t y = 0; y < kHeight; ++y) {
        const auto stored = static_cast<uint32_t>(height > 0 ? kHeight - 1 - y : y);
        const uint8_t* const pixel = image.row<uint8_t>(y) + 7 * 4;
        ASSERT_EQ(pixel[0], 3) << y;
        ASSERT_EQ(pixel[1], static_cast<uint8_t>(stored));
        ASSERT_EQ(pixel[2], static_cast<uint8_t>(stored * kWidth + 7));
        ASSERT_EQ(pixel[3], !has_alpha ? 255 : stored == 0 ? 200 : 0);
      }
    }
  }
}

TEST(Bmp, ReadingCanBeStopped) {
  const std::atomic<bool> cancelled = true;
  const auto image = decode_image(build_bmp(two_colors(40)), "it", ReadBudget({}, &cancelled));
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kInterrupted);
}

TEST(Bmp, ReadsWhatImageMagickWrites) {
  SKIP_WITHOUT_IMAGEMAGICK();
  const Image image = make_test_image(31, 17, 4);
  Image opaque = make_test_image(31, 17, 4);
  set_opaque(opaque);
  struct Case {
    const Image* image;
    std::string options;
    std::string prefix;
    uint8_t pixel_bits;
    uint32_t channels;
  };
  const std::vector<Case> cases = {
      {&opaque, "-depth 8 -alpha off", "", 24, 3},
      {&opaque, "-depth 8 -alpha off", "BMP3:", 24, 3},
      {&image, "-depth 8", "", 32, 4},
      {&opaque, "-depth 8 -alpha off +dither -colors 200 -type Palette -compress none", "BMP3:", 8,
       3},
      {&opaque, "-depth 8 -alpha off +dither -colors 16 -type Palette -compress none", "BMP3:", 4,
       3},
      {&opaque, "-depth 8 -alpha off -monochrome -compress none", "BMP3:", 1, 3},
      {&opaque, "-depth 8 -alpha off +dither -colors 200 -type Palette -compress none", "", 8, 3},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.prefix + c.options);
    const std::string options =
        c.options + " -define bmp:format=" + (c.prefix.empty() ? "bmp4" : "bmp3");
    const Bytes file = imagemagick_file(*c.image, options, "bmp");
    ASSERT_EQ(file[kPixelBitsOffset], c.pixel_bits);
    expect_as_imagemagick_sees_it(file, "bmp", c.channels);
  }
}

TEST(Bmp, ReadsPalettesOfOldAndNewHeaders) {
  for (const uint32_t info_size : {12u, 40u, 56u, 64u, 108u, 124u}) {
    SCOPED_TRACE(info_size);
    EXPECT_EQ(row_of(decode_or_fail(build_bmp(two_colors(info_size))), 0),
              (Bytes{6, 5, 4, 3, 2, 1}));
  }
}

TEST(Bmp, ReadsOneBitPixels) {
  BmpParts parts = two_colors(40);
  parts.pixel_bits = 1;
  parts.pixels = {0x80, 0, 0, 0};
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{6, 5, 4, 3, 2, 1}));
}

TEST(Bmp, ColorsThatThePaletteLeavesOutAreBlack) {
  BmpParts parts = two_colors(40);
  parts.pixels[0] = 0x1f;
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{6, 5, 4, 0, 0, 0}));
}

TEST(Bmp, SkipsAGapBeforeThePixels) {
  BmpParts parts = two_colors(40);
  parts.gap = 10;
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{6, 5, 4, 3, 2, 1}));
  parts = {};
  parts.gap = 10;
  parts.pixels = {1, 2, 3, 0};
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{3, 2, 1}));
}

TEST(Bmp, FirstRowIsTheBottomOneUnlessHeightIsNegative) {
  BmpParts parts;
  parts.height = 2;
  parts.pixels = {1, 1, 1, 0, 2, 2, 2, 0};
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{2, 2, 2}));
  parts.height = -2;
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{1, 1, 1}));
}

TEST(Bmp, ReadsSixteenBits) {
  BmpParts parts;
  parts.pixel_bits = 16;
  parts.pixels = {0x1f, 0x7c, 0, 0};  // red and blue full
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{255, 0, 255}));
  for (const uint32_t info_size : {40u, 52u, 56u, 108u}) {
    SCOPED_TRACE(info_size);
    const Bytes file =
        build_bmp(masked(info_size, 16, {0xf800, 0x07e0, 0x001f}, {0xe0, 0x07, 0, 0}));
    EXPECT_EQ(row_of(decode_or_fail(file), 0), (Bytes{0, 255, 0}));
  }
}

TEST(Bmp, ReadsMasksWithAlpha) {
  for (const uint32_t info_size : {56u, 108u, 124u}) {
    SCOPED_TRACE(info_size);
    const Bytes file =
        build_bmp(masked(info_size, 32, {0xff, 0xff00, 0xff0000, 0xff000000}, {1, 2, 3, 4}));
    EXPECT_EQ(row_of(decode_or_fail(file), 0), (Bytes{1, 2, 3, 4}));
  }
}

TEST(Bmp, AFourthByteThatIsAlwaysZeroIsNotAlpha) {
  BmpParts parts;
  parts.pixel_bits = 32;
  parts.width = 2;
  parts.pixels = {1, 2, 3, 0, 4, 5, 6, 0};
  EXPECT_EQ(row_of(decode_or_fail(build_bmp(parts)), 0), (Bytes{3, 2, 1, 255, 6, 5, 4, 255}));
}

TEST(Bmp, RefusesCompression) {
  for (const uint32_t compression : {1u, 2u}) {
    BmpParts parts = two_colors(40);
    parts.compression = compression;
    expect_error(build_bmp(parts), ErrorCode::kUnsupported, "run-length");
  }
  for (const uint32_t compression : {4u, 5u}) {
    BmpParts parts = two_colors(40);
    parts.compression = compression;
    expect_error(build_bmp(parts), ErrorCode::kUnsupported, "JPEG or PNG");
  }
  BmpParts parts = two_colors(40);
  parts.compression = 77;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "77");
}

TEST(Bmp, RefusesBadMasks) {
  expect_error(build_bmp(masked(40, 16, {0xf800, 0, 0x1f}, {0, 0, 0, 0})), ErrorCode::kInvalid,
               "masks");
  expect_error(build_bmp(masked(40, 16, {0xf801, 0x7e0, 0x1e}, {0, 0, 0, 0})), ErrorCode::kInvalid,
               "masks");
  expect_error(build_bmp(masked(40, 16, {0xf80000, 0x7e0, 0x1f}, {0, 0, 0, 0})),
               ErrorCode::kInvalid, "masks");
  expect_error(build_bmp(masked(40, 24, {0xff0000, 0xff00, 0xff}, {0, 0, 0, 0})),
               ErrorCode::kInvalid, "16 or 32 bits");
  expect_error(build_bmp(masked(40, 32, {0x3ff00000, 0xffc00, 0x3ff}, {0, 0, 0, 0})),
               ErrorCode::kUnsupported, "more than 8 bits");
}

TEST(Bmp, RefusesBadHeaders) {
  BmpParts parts = two_colors(40);
  parts.planes = 2;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "plane");
  parts = two_colors(40);
  parts.width = 0;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "no pixels");
  parts = two_colors(40);
  parts.height = 0;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "no pixels");
  parts = two_colors(40);
  parts.width = -1;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "2^24");
  parts = two_colors(40);
  parts.height = INT32_MIN;
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "2^24");
  parts = two_colors(40);
  parts.pixel_bits = 2;
  expect_error(build_bmp(parts), ErrorCode::kUnsupported, "2 bits per pixel");
  parts = two_colors(41);
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "is not a PNG");
}

TEST(Bmp, RefusesPixelsOutsideTheFile) {
  BmpParts parts = two_colors(40);
  parts.pixels.pop_back();
  expect_error(build_bmp(parts), ErrorCode::kInvalid, "too short");
  Bytes file = build_bmp(two_colors(40));
  file[10] = 53;  // inside the header
  expect_error(file, ErrorCode::kInvalid, "outside");
  file[13] = 0x7f;  // two gigabytes on
  expect_error(file, ErrorCode::kInvalid, "outside");
}

TEST(Bmp, CannotBeWritten) {
  const Image image = make_test_image(4, 4, 3);
  const auto file = encode_image(image.view(), ImageFileType::kBmp);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::kUnsupported));
}

}  // namespace
}  // namespace tessera
