// Tests comparison sheets.
#include "image/comparison_sheet.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

Image rgba(uint32_t width, uint32_t height, uint8_t value, uint8_t alpha) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  Image image = Image::create(info).value();
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width * 4; ++x) {
      image.row<uint8_t>(y)[x] = x % 4 == 3 ? alpha : value;
    }
  }
  return image;
}

TEST(ComparisonSheet, ShowsBothAndTheAmplifiedError) {
  const Image sheet =
      make_comparison_sheet(rgba(5, 3, 100, 255).view(), rgba(5, 3, 90, 255).view(), 8).value();
  EXPECT_EQ(sheet.width(), 3u * 5 + 2 * 8);
  EXPECT_EQ(sheet.height(), 3u);
  const uint8_t* row = sheet.row<uint8_t>(1);
  EXPECT_EQ(row[0], 100);
  EXPECT_EQ(row[5 * 3], 128) << "the bar";
  EXPECT_EQ(row[13 * 3], 90);
  EXPECT_EQ(row[26 * 3], 80);
}

TEST(ComparisonSheet, LargeErrorsSaturate) {
  const Image sheet =
      make_comparison_sheet(rgba(1, 1, 200, 255).view(), rgba(1, 1, 0, 255).view(), 8).value();
  EXPECT_EQ(sheet.row<uint8_t>(0)[18 * 3], 255);
}

TEST(ComparisonSheet, TransparentPixelsShowChecks) {
  const Image sheet =
      make_comparison_sheet(rgba(9, 1, 200, 0).view(), rgba(9, 1, 10, 0).view(), 8).value();
  const uint8_t* row = sheet.row<uint8_t>(0);
  EXPECT_EQ(row[0], 102);
  EXPECT_EQ(row[8 * 3], 153);
  EXPECT_EQ(row[2 * 17 * 3], 0) << "what cannot be seen does not differ";
}

TEST(ComparisonSheet, SizesMustAgree) {
  const auto sheet = make_comparison_sheet(rgba(5, 3, 1, 255).view(), rgba(3, 5, 1, 255).view(), 8);
  ASSERT_FALSE(sheet);
  EXPECT_EQ(sheet.error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tessera
