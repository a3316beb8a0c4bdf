// Tests the BC1 decoder against hand-made and random blocks.
#include "bc/bc1_decode.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

#include "bc/bc1_format.h"
#include "bc1_reference.h"

namespace tessera {
namespace {

Image make_rgba(uint32_t width, uint32_t height) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  return Image::create(info).value();
}

TEST(Bc1Format, ExpansionReachesBothEnds) {
  EXPECT_EQ(bc1::expand_565(0), (bc1::Rgba8{0, 0, 0, 255}));
  EXPECT_EQ(bc1::expand_565(0xFFFF), (bc1::Rgba8{255, 255, 255, 255}));
  EXPECT_EQ(bc1::expand_565(0x8410), (bc1::Rgba8{132, 130, 132, 255}));
}

TEST(Bc1Decode, FourColoursByHand) {
  // White and black, selectors 0 1 2 3 in the first row, then zeros.
  const std::array<uint8_t, 8> block = {0xFF, 0xFF, 0x00, 0x00, 0xE4, 0, 0, 0};
  Image image = make_rgba(4, 4);
  bc1::decode_rows(block, 0, 1, 0, image.mutable_view());
  const int expected[4] = {255, 0, 170, 85};
  for (size_t x = 0; x < 4; ++x) {
    EXPECT_EQ(image.row<uint8_t>(0)[x * 4 + 1], expected[x]);
    EXPECT_EQ(image.row<uint8_t>(0)[x * 4 + 3], 255);
  }
  EXPECT_EQ(image.row<uint8_t>(3)[12], 255);
}

TEST(Bc1Decode, ThreeColoursAndTransparentBlack) {
  const std::array<uint8_t, 8> block = {0x00, 0x00, 0xFF, 0xFF, 0xE4, 0, 0, 0};
  Image image = make_rgba(4, 4);
  bc1::decode_rows(block, 0, 1, 0, image.mutable_view());
  const uint8_t* row = image.row<uint8_t>(0);
  EXPECT_EQ(row[0], 0);
  EXPECT_EQ(row[4], 255);
  EXPECT_EQ(row[8], 127);
  EXPECT_EQ(row[12], 0);
  EXPECT_EQ(row[15], 0) << "selector 3 of a three-colour block is transparent";
}

TEST(Bc1Decode, RandomBlocksMatchTheReference) {
  std::mt19937 random(7);
  for (const auto& [width, height] :
       {std::pair<uint32_t, uint32_t>{64, 48}, {61, 45}, {1, 1}, {3, 9}}) {
    const uint32_t across = (width + 3) / 4, down = (height + 3) / 4;
    Bytes blocks(size_t{across} * down * 8);
    for (uint8_t& byte : blocks) {
      byte = static_cast<uint8_t>(random());
    }
    Image image = make_rgba(width, height);
    bc1::decode_rows(blocks, 0, down, 0, image.mutable_view());
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        std::array<uint8_t, 8> block;
        std::copy_n(blocks.data() + (size_t{y / 4} * across + x / 4) * 8, 8, block.begin());
        const uint32_t selectors = block[4 + y % 4];
        const auto color = reference::palette(block)[(selectors >> (2 * (x % 4))) & 3];
        for (size_t c = 0; c < 4; ++c) {
          ASSERT_EQ(image.row<uint8_t>(y)[x * 4 + c], color[c]) << x << "," << y << " " << c;
        }
      }
    }
  }
}

TEST(Bc1Decode, RowsOutsideTheRangeStayUntouched) {
  Bytes blocks(3 * 8, 0xFF);
  Image image = make_rgba(4, 12);
  bc1::decode_rows(blocks, 1, 2, 0, image.mutable_view());
  EXPECT_EQ(image.row<uint8_t>(3)[3], 0);
  EXPECT_EQ(image.row<uint8_t>(8)[3], 0);
}

}  // namespace
}  // namespace tessera
