// Tests comparison sheets with labels and the worst block.
#include "image/annotated_sheet.h"

#include <gtest/gtest.h>

#include <array>

namespace tessera {
namespace {

using Pixel = std::array<uint8_t, 3>;
constexpr Pixel kBackground = {24, 26, 29};
constexpr Pixel kInk = {236, 238, 240};
constexpr Pixel kMark = {255, 214, 10};

Image grey(uint32_t width, uint32_t height, uint8_t value) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = 3;
  Image image = Image::create(info).value();
  for (uint32_t y = 0; y < height; ++y) {
    std::fill_n(image.row<uint8_t>(y), width * 3, value);
  }
  return image;
}

Pixel pixel(const Image& image, uint32_t x, uint32_t y) {
  const uint8_t* place = image.row<uint8_t>(y) + x * 3;
  return {place[0], place[1], place[2]};
}

// All pixels of one colour in a row.
size_t count(const Image& image, uint32_t y, const Pixel& color) {
  size_t found = 0;
  for (uint32_t x = 0; x < image.width(); ++x) {
    found += pixel(image, x, y) == color ? 1 : 0;
  }
  return found;
}

TEST(AnnotatedSheet, TheWorstBlockIsShownFromNear) {
  const Image reference = grey(240, 30, 100);
  Image test = grey(240, 30, 100);
  test.row<uint8_t>(13)[81 * 3] = 110;  // red of a pixel in block 13,2 of 6x6
  SheetOptions options;
  options.block_width = options.block_height = 6;
  const Image sheet = make_annotated_sheet(reference.view(), test.view(), options).value();
  constexpr uint32_t kLabel = 7 + 2 * 5;
  constexpr uint32_t kZoom = 240 / (7 * 6);
  EXPECT_EQ(sheet.width(), 3U * 240 + 2 * 8);
  EXPECT_EQ(sheet.height(), kLabel + 30 + 8 + kLabel + 30 * kZoom);
  EXPECT_EQ(pixel(sheet, 248 + 81, kLabel + 13), (Pixel{110, 100, 100}));
  EXPECT_EQ(pixel(sheet, 496 + 81, kLabel + 13), (Pixel{80, 0, 0})) << "8 times the error";
  // Blocks 10 to 16 are shown, with the whole height: the pixel is 21 pixels from their left.
  const uint32_t top = kLabel + 30 + 8 + kLabel;
  const uint32_t x = (81 - 60) * kZoom + 2;
  EXPECT_EQ(pixel(sheet, 248 + x, top + 13 * kZoom + 2), (Pixel{110, 100, 100}));
  EXPECT_EQ(pixel(sheet, 496 + x, top + 13 * kZoom + 2), (Pixel{80, 0, 0}));
  for (const uint32_t left : {0U, 248U, 496U}) {
    EXPECT_EQ(pixel(sheet, left + 18 * kZoom, top + 12 * kZoom), kMark)
        << "the worst block's frame";
    EXPECT_EQ(pixel(sheet, left + 24 * kZoom - 1, top + 18 * kZoom - 1), kMark);
    EXPECT_NE(pixel(sheet, left + 6 * kZoom, top + 3), pixel(sheet, left + 6 * kZoom + 1, top + 3))
        << "the grid";
  }
}

TEST(AnnotatedSheet, ABlockThatIsCutOffIsInside) {
  for (const uint32_t extent : {100U, 101U, 103U, 57U, 56U, 7U}) {
    const Image reference = grey(extent, extent, 50);
    Image test = grey(extent, extent, 50);
    test.row<uint8_t>(extent - 1)[extent * 3 - 1] = 90;  // the last sample
    SheetOptions options;
    options.block_width = options.block_height = 8;
    const Image sheet = make_annotated_sheet(reference.view(), test.view(), options).value();
    EXPECT_EQ(pixel(sheet, 0, 0), kBackground);
    size_t marked = 0;
    for (uint32_t y = sheet.height() - 3; y < sheet.height(); ++y) {
      marked += count(sheet, y, kMark);
    }
    EXPECT_GT(marked, 0U) << extent << ": the frame ends with the picture";
  }
}

TEST(AnnotatedSheet, LabelsTellNamesInFullOrTheirEnd) {
  const Image image = grey(64, 8, 9);
  SheetOptions options;
  options.reference_name = "";
  options.test_name = "a";
  const Image sheet = make_annotated_sheet(image.view(), image.view(), options).value();
  const auto inked = [](const Image& made, uint32_t left, uint32_t right) {
    size_t found = 0;
    for (uint32_t y = 0; y < 17; ++y) {
      for (uint32_t x = left; x < right; ++x) {
        found += pixel(made, x, y) == kInk ? 1 : 0;
      }
    }
    return found;
  };
  EXPECT_EQ(inked(sheet, 0, 216), 0U) << "no name";
  EXPECT_GT(inked(sheet, 224, 224 + 12), 0U);
  options.reference_name = std::string(500, 'M');
  const Image crowded = make_annotated_sheet(image.view(), image.view(), options).value();
  EXPECT_GT(inked(crowded, 0, 216), 500U);
  EXPECT_EQ(inked(crowded, 216, 224), 0U) << "it ends with its panel";
  options.reference_name = std::string("\xc3\xa4\x01") + "b_c";
  EXPECT_TRUE(make_annotated_sheet(image.view(), image.view(), options));
}

TEST(AnnotatedSheet, SizesMustAgreeAndBlocksHavePixels) {
  EXPECT_FALSE(make_annotated_sheet(grey(5, 3, 1).view(), grey(3, 5, 1).view(), {}));
  SheetOptions options;
  options.block_width = 0;
  EXPECT_FALSE(make_annotated_sheet(grey(5, 3, 1).view(), grey(5, 3, 1).view(), options));
}

}  // namespace
}  // namespace tessera
