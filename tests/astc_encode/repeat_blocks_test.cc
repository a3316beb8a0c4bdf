// Tests blocks that repeat earlier ones: what is replaced, and what is not.
#include "astc/encode/repeat_blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "astc/format/block128.h"

namespace tessera::astc {
namespace {

// A picture of grey 8x8 blocks; a block's bytes are its number.
class RepeatBlocks : public testing::Test {
 protected:
  void make(uint32_t width, uint32_t height, const std::vector<uint8_t>& greys) {
    ImageInfo info;
    info.width = width;
    info.height = height;
    source_ = Image::create(info).value();
    const uint32_t across = (width + 7) / 8;
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        std::memset(source_.row<uint8_t>(y) + size_t{x} * 4, greys[y / 8 * across + x / 8], 4);
      }
    }
    blocks_.clear();
    for (size_t i = 0; i < greys.size(); ++i) {
      blocks_.insert(blocks_.end(), kBlockBytes, static_cast<uint8_t>(i));
    }
  }

  // The number of the block that each has become.
  std::vector<int> repeated(float lambda) {
    // What was encoded decodes to the picture itself.
    repeat_blocks(source_.view(), source_.view(), {8, 8}, {lambda}, blocks_);
    std::vector<int> numbers;
    for (size_t i = 0; i < blocks_.size(); i += kBlockBytes) {
      numbers.push_back(blocks_[i]);
    }
    return numbers;
  }

  Image source_;
  std::vector<uint8_t> blocks_;
};

TEST_F(RepeatBlocks, WhatLooksTheSameIsRepeated) {
  make(32, 8, {10, 200, 10, 200});
  EXPECT_EQ(repeated(0.01F), (std::vector<int>{0, 1, 0, 1}));
}

TEST_F(RepeatBlocks, LambdaDecidesWhatIsNearEnough) {
  // A step of one grey level is 64 texels times four channels: 256, for about 110 bits.
  make(16, 8, {10, 11});
  EXPECT_EQ(repeated(1), (std::vector<int>{0, 1}));
  make(16, 8, {10, 11});
  EXPECT_EQ(repeated(4), (std::vector<int>{0, 0}));
}

TEST_F(RepeatBlocks, WhatIsRepeatedIsJudgedByWhatItShows) {
  // The third is near the second, which shows the first by then, and is far from that.
  make(24, 8, {10, 12, 14});
  EXPECT_EQ(repeated(12), (std::vector<int>{0, 0, 2}));
}

TEST_F(RepeatBlocks, BlocksAtTheEdgeAreNoModels) {
  make(12, 16, {10, 10, 10, 10});  // the second and the fourth are half inside
  EXPECT_EQ(repeated(1), (std::vector<int>{0, 0, 0, 0}));
  make(12, 16, {90, 10, 10, 10});  // the third must not repeat the second
  EXPECT_EQ(repeated(1), (std::vector<int>{0, 1, 2, 2}));
}

}  // namespace
}  // namespace tessera::astc
