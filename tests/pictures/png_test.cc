// Tests PNG files.
#include <gtest/gtest.h>

#include <algorithm>

#include "files/pictures/image_file.h"
#include "test_files.h"

namespace tessera {
namespace {

constexpr size_t kBitDepthOffset = 24;  // bytes into a PNG file
constexpr size_t kColorTypeOffset = 25;
constexpr size_t kInterlaceOffset = 28;

bool contains(const Bytes& bytes, const std::string& text) {
  return std::search(bytes.begin(), bytes.end(), text.begin(), text.end()) != bytes.end();
}

TEST(Png, RoundTripsEveryChannelCountAndDepth) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      SCOPED_TRACE(channels);
      const Image image = make_test_image(37, 23, channels, sample);
      const auto file = encode_image(image.view(), ImageFileType::kPng);
      ASSERT_TRUE(file.ok()) << file.error().message;
      EXPECT_TRUE(contains(*file, "sRGB"));
      expect_same_pixels(decode_or_fail(*file), image);
    }
  }
}

TEST(Png, RoundTripsOnePixel) {
  const Image image = make_test_image(1, 1, 4);
  expect_same_pixels(decode_or_fail(*encode_image(image.view(), ImageFileType::kPng)), image);
}

TEST(Png, WritesPaddedRowsOfAView) {
  const Image whole = make_test_image(40, 20, 3);
  ImageView part = whole.view();
  part.data += 5 * whole.row_stride() + 7 * 3;
  part.info.width = 11;
  part.info.height = 6;
  const Image image = decode_or_fail(*encode_image(part, ImageFileType::kPng));
  expect_same_pixels(image, *copy_image(part));
}

TEST(Png, LinearImagesGetNoSrgbChunk) {
  Image image = make_test_image(4, 4, 3);
  image.set_color_space(ColorSpace::kLinear);
  EXPECT_FALSE(contains(*encode_image(image.view(), ImageFileType::kPng), "sRGB"));
}

TEST(Png, ImageMagickReadsWhatWeWrite) {
  SKIP_WITHOUT_IMAGEMAGICK();
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      SCOPED_TRACE(channels);
      const Image image = make_test_image(19, 13, channels, sample);
      const auto file = encode_image(image.view(), ImageFileType::kPng);
      ASSERT_TRUE(file.ok());
      EXPECT_EQ(imagemagick_pixels(*file, "png"), to_rgba16(image));
    }
  }
}

struct PngKind {
  uint8_t color_type;
  uint8_t bit_depth;
  uint32_t channels;
};

TEST(Png, ReadsEveryKindThatImageMagickWrites) {
  SKIP_WITHOUT_IMAGEMAGICK();
  const std::vector<PngKind> kinds = {{0, 1, 1}, {0, 2, 1},  {0, 4, 1},  {0, 8, 1}, {0, 16, 1},
                                      {2, 8, 3}, {2, 16, 3}, {3, 1, 3},  {3, 2, 3}, {3, 4, 3},
                                      {3, 8, 3}, {4, 8, 2},  {4, 16, 2}, {6, 8, 4}, {6, 16, 4}};
  for (const PngKind& kind : kinds) {
    for (const bool interlaced : {false, true}) {
      const std::string depth = std::to_string(kind.bit_depth);
      SCOPED_TRACE("colour type " + std::to_string(kind.color_type) + ", depth " + depth +
                   (interlaced ? ", interlaced" : ""));
      Image image = make_test_image(29, 21, 4, SampleType::kU16);
      std::string options;
      if (kind.color_type < 4) {
        set_opaque(image);
        options = "-alpha off ";
      }
      options += kind.color_type == 0 || kind.color_type == 4 ? "-colorspace Gray " : "";
      if (kind.color_type == 3) {
        options += "+dither -colors " + std::to_string(1 << kind.bit_depth) + " -type Palette ";
        options += "-define png:exclude-chunk=bKGD ";  // would take a place in the palette
      } else {
        options += "+dither -depth " + depth + " ";
      }
      options += "-define png:color-type=" + std::to_string(kind.color_type) +
                 " -define png:bit-depth=" + depth + (interlaced ? " -interlace PNG" : "");
      const Bytes file = imagemagick_file(image, options, "png");
      ASSERT_GT(file.size(), kInterlaceOffset);
      ASSERT_EQ(file[kBitDepthOffset], kind.bit_depth);
      ASSERT_EQ(file[kColorTypeOffset], kind.color_type);
      ASSERT_EQ(file[kInterlaceOffset], interlaced ? 1 : 0);
      expect_as_imagemagick_sees_it(file, "png", kind.channels,
                                    kind.bit_depth == 16 ? SampleType::kU16 : SampleType::kU8);
    }
  }
}

// Two rows of four 2-bit pixels: 0 1 2 3 and 3 2 1 0.
PngParts four_levels(uint8_t color_type) {
  PngParts parts;
  parts.width = 4;
  parts.height = 2;
  parts.bit_depth = 2;
  parts.color_type = color_type;
  parts.scanlines = {0, 0b00011011, 0, 0b11100100};
  return parts;
}

TEST(Png, PaletteWithTransparencyGivesRgba) {
  PngParts parts = four_levels(3);
  parts.chunks_before_pixels = {{"PLTE", {1, 2, 3, 10, 20, 30, 40, 50, 60, 70, 80, 90}},
                                {"tRNS", {0, 128}}};
  const Bytes file = build_png(parts);
  const Image image = decode_or_fail(file);
  ASSERT_EQ(image.info().channels, 4u);
  const uint8_t* row = image.row<uint8_t>(0);
  EXPECT_EQ(Bytes(row, row + 16),
            (Bytes{1, 2, 3, 0, 10, 20, 30, 128, 40, 50, 60, 255, 70, 80, 90, 255}));
  if (have_imagemagick()) {
    expect_as_imagemagick_sees_it(file, "png", 4);
  }
}

TEST(Png, PaletteWithoutTransparencyGivesRgb) {
  PngParts parts = four_levels(3);
  parts.chunks_before_pixels = {{"PLTE", {1, 2, 3, 10, 20, 30, 40, 50, 60, 70, 80, 90}}};
  const Image image = decode_or_fail(build_png(parts));
  ASSERT_EQ(image.info().channels, 3u);
  const uint8_t* row = image.row<uint8_t>(1);
  EXPECT_EQ(Bytes(row, row + 6), (Bytes{70, 80, 90, 40, 50, 60}));
}

TEST(Png, GreyTransparencyGivesGreyAndAlpha) {
  PngParts parts = four_levels(0);
  parts.chunks_before_pixels = {{"tRNS", {0, 2}}};
  const Bytes file = build_png(parts);
  const Image image = decode_or_fail(file);
  ASSERT_EQ(image.info().channels, 2u);
  const uint8_t* row = image.row<uint8_t>(0);
  EXPECT_EQ(Bytes(row, row + 8), (Bytes{0, 255, 85, 255, 170, 0, 255, 255}));
  if (have_imagemagick()) {
    expect_as_imagemagick_sees_it(file, "png", 2);
  }
}

TEST(Png, WideGreyTransparencyComparesAllSixteenBits) {
  PngParts parts;
  parts.width = 2;
  parts.bit_depth = 16;
  parts.scanlines = {0, 0x12, 0x34, 0x12, 0x35};
  parts.chunks_before_pixels = {{"tRNS", {0x12, 0x34}}};
  const Image image = decode_or_fail(build_png(parts));
  ASSERT_EQ(image.info().channels, 2u);
  const uint16_t* row = image.row<uint16_t>(0);
  EXPECT_EQ(std::vector<uint16_t>(row, row + 4), (std::vector<uint16_t>{0x1234, 0, 0x1235, 65535}));
}

TEST(Png, RgbTransparencyGivesRgba) {
  PngParts parts;
  parts.width = 2;
  parts.color_type = 2;
  parts.scanlines = {0, 1, 2, 3, 1, 2, 4};
  parts.chunks_before_pixels = {{"tRNS", {0, 1, 0, 2, 0, 3}}};
  const Bytes file = build_png(parts);
  const Image image = decode_or_fail(file);
  ASSERT_EQ(image.info().channels, 4u);
  const uint8_t* row = image.row<uint8_t>(0);
  EXPECT_EQ(Bytes(row, row + 8), (Bytes{1, 2, 3, 0, 1, 2, 4, 255}));
}

TEST(Png, WideRgbTransparencyGivesWideRgba) {
  PngParts parts;
  parts.width = 2;
  parts.bit_depth = 16;
  parts.color_type = 2;
  parts.scanlines = {0, 0, 1, 0, 2, 0, 3, 1, 1, 0, 2, 0, 3};
  parts.chunks_before_pixels = {{"tRNS", {0, 1, 0, 2, 0, 3}}};
  const Image image = decode_or_fail(build_png(parts));
  ASSERT_EQ(image.info().channels, 4u);
  const uint16_t* row = image.row<uint16_t>(0);
  EXPECT_EQ(std::vector<uint16_t>(row, row + 8),
            (std::vector<uint16_t>{1, 2, 3, 0, 257, 2, 3, 65535}));
}

TEST(Png, RefusesWrongChecksumsOfCriticalChunks) {
  const Image image = make_test_image(8, 8, 3);
  const auto file = encode_image(image.view(), ImageFileType::kPng);
  ASSERT_TRUE(file.ok());
  for (const char* const type : {"IHDR", "IDAT", "IEND"}) {
    SCOPED_TRACE(type);
    Bytes damaged = *file;
    const std::string text = type;
    const auto at = std::search(damaged.begin(), damaged.end(), text.begin(), text.end());
    ASSERT_NE(at, damaged.end());
    const auto position = static_cast<size_t>(at - damaged.begin());
    const size_t length = ByteSpan(damaged)[position - 1] +
                          (size_t{damaged[position - 2]} << 8);  // all shorter than 64 KiB
    damaged[position + 4 + length] ^= 1;
    expect_error(damaged, ErrorCode::kInvalid, "PNG data");
  }
}

TEST(Png, ReadsPastAWrongChecksumOfAnAncillaryChunk) {
  PngParts parts = four_levels(0);
  parts.chunks_before_pixels = {{"tEXt", bytes_of("Title\0x")}};
  Bytes file = build_png(parts);
  const std::string type = "tEXt";
  auto at = std::search(file.begin(), file.end(), type.begin(), type.end());
  ASSERT_NE(at, file.end());
  at[4] ^= 1;
  EXPECT_EQ(decode_or_fail(file).width(), 4u);
}

TEST(Png, RefusesChunksThatDoNotLeadToAnEnd) {
  Bytes file = build_png(four_levels(0));
  file.resize(file.size() - 12);
  expect_error(file, ErrorCode::kInvalid, "ends too early");
  append(file, png_chunk("tEXt", bytes_of("not the end")));
  expect_error(file, ErrorCode::kInvalid, "ends too early");
}

TEST(Png, RefusesTooFewScanlines) {
  PngParts parts = four_levels(0);
  parts.scanlines.resize(2);
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
}

TEST(Png, RefusesAnUnknownFilter) {
  PngParts parts = four_levels(0);
  parts.scanlines[0] = 9;
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
}

TEST(Png, RefusesPaletteFilesWithoutPalette) {
  expect_error(build_png(four_levels(3)), ErrorCode::kInvalid, "PNG data");
}

TEST(Png, ColorsThatThePaletteLeavesOutAreBlack) {
  PngParts parts = four_levels(3);
  parts.chunks_before_pixels = {{"PLTE", {1, 2, 3, 10, 20, 30}}};
  const Image image = decode_or_fail(build_png(parts));
  const uint8_t* row = image.row<uint8_t>(0);
  EXPECT_EQ(Bytes(row, row + 12), (Bytes{1, 2, 3, 10, 20, 30, 0, 0, 0, 0, 0, 0}));
}

TEST(Png, RefusesImpossibleHeaders) {
  PngParts parts = four_levels(0);
  parts.bit_depth = 3;
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
  parts = four_levels(5);
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
  parts = four_levels(0);
  parts.interlace = 2;
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
  parts = four_levels(0);
  parts.width = 0;
  expect_error(build_png(parts), ErrorCode::kInvalid, "");
  parts = four_levels(0);
  parts.height = 0;
  expect_error(build_png(parts), ErrorCode::kInvalid, "");
}

TEST(Png, RefusesAnUnknownCriticalChunk) {
  PngParts parts = four_levels(0);
  parts.chunks_before_pixels = {{"ABCD", {1}}};
  expect_error(build_png(parts), ErrorCode::kInvalid, "PNG data");
}

}  // namespace
}  // namespace tessera
