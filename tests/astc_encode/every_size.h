// Tests that run for every block size, of pictures or of volumes, and what they check.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "encoding.h"
#include "spmd/isa.h"

namespace tessera::astc {

class BlockSizeTest : public testing::TestWithParam<unsigned> {
 protected:
  void TearDown() override { ASSERT_TRUE(restrict_isa("")); }
  BlockSize size() const { return kBlockSizes[GetParam()]; }

  // Legal, weighted or constant, and nothing an LDR decoder would refuse.
  void expect_legal(const Bytes& blocks) const {
    for (size_t i = 0; i < blocks.size() / kBlockBytes; ++i) {
      const SymbolicBlock block = block_at(blocks, i, size());
      ASSERT_NE(block.kind, BlockKind::kError) << "block " << i;
      for (unsigned p = 0; block.kind == BlockKind::kWeighted && p < block.partition_count; ++p) {
        ASSERT_FALSE(is_hdr(block.endpoint_modes[p])) << "block " << i;
      }
    }
  }

  void expect_same_row_by_row(const Image& image, const EncodeSettings& settings,
                              const std::string& what) const {
    const Bytes expected = encode(image.view(), size(), settings);
    const BlockCounts counts = block_counts(image.info(), size());
    EncodeScratch scratch;
    const PictureFacts facts = look_at_picture(image.view(), size(), settings, scratch);
    Bytes blocks(size_t{counts.x} * kBlockBytes);
    for (uint32_t row = 0; row < counts.rows(); ++row) {
      const uint32_t y = row % counts.y;
      encode_rows(image.view(), size(), row / counts.y, y, y + 1, settings, facts, scratch, blocks);
      ASSERT_TRUE(std::equal(blocks.begin(), blocks.end(),
                             expected.begin() + static_cast<ptrdiff_t>(row * blocks.size())))
          << "row " << row << ", " << what;
    }
  }

  // The same block among different neighbours: each block of an image alone is an image, too.
  void expect_same_block_by_block(const Image& image, const EncodeSettings& settings = {}) const {
    const Bytes expected = encode(image.view(), size(), settings);
    const BlockCounts counts = block_counts(image.info(), size());
    for (uint32_t i = 0; i < counts.rows() * counts.x; ++i) {
      const uint32_t x = i % counts.x, y = i / counts.x % counts.y, z = i / counts.x / counts.y;
      ImageView alone = image.view();
      alone.data =
          image.row<uint8_t>(y * size().height, z * size().depth) + size_t{x} * size().width * 4;
      alone.info.width = size().width;
      alone.info.height = size().height;
      alone.info.depth = size().depth;
      const Bytes block = encode(alone, size(), settings);
      ASSERT_TRUE(std::equal(block.begin(), block.end(),
                             expected.begin() + static_cast<ptrdiff_t>(i * kBlockBytes)))
          << "block " << i;
    }
  }
};

}  // namespace tessera::astc
