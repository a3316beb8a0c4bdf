// The quick decoder against the plain one, on every instruction set that this machine can run.
#include <gtest/gtest.h>

#include <vector>

#include "astc/decode/decode_image.h"
#include "astc/decode/decode_ldr_row.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/texel_samples.h"
#include "random_blocks.h"
#include "sample_count.h"
#include "spmd/isa.h"

namespace tessera::astc {
namespace {

constexpr unsigned kRowBlocks = 500;
constexpr DecodeMode kLdrModes[] = {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8,
                                    DecodeMode::kSrgb};

class FastDecode : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(restrict_isa(GetParam()).ok()); }
  void TearDown() override { ASSERT_TRUE(restrict_isa("").ok()); }
};

INSTANTIATE_TEST_SUITE_P(EveryIsa, FastDecode, testing::ValuesIn(available_isas()),
                         [](const auto& isa) { return isa.param; });

Bytes random_row(BlockSize size, unsigned blocks, uint64_t seed) {
  Random random(seed);
  Bytes bytes(size_t{blocks} * kBlockBytes);
  for (size_t at = 0; at < bytes.size(); at += kBlockBytes) {
    store_block(random_mixed_block(random, size), &bytes[at]);
  }
  return bytes;
}

// Compares a row of blocks, cut to width x height x depth texels, and checks that nothing is
// written beside it.
void expect_same_row(const Bytes& blocks, BlockSize size, DecodeMode mode, const RowTarget& cut) {
  constexpr uint8_t kUntouched = 0xA5;
  RowTarget target = cut;
  target.row_stride = size_t{cut.width} * 4 + 12;  // less than a vector away from the next row
  target.slice_stride = target.row_stride * (cut.height + 1);
  std::vector<uint8_t> pixels(target.slice_stride * (cut.depth + 1), kUntouched);
  target.pixels = pixels.data();
  decode_ldr_row(blocks.data(), size, mode, target);

  std::vector<uint8_t> expected(pixels.size(), kUntouched);
  std::array<Texel, kMaxBlockTexels> texels;
  for (uint32_t x = 0; x < cut.width; ++x) {
    if (x % size.width == 0) {
      decode_block(load_block(&blocks[x / size.width * kBlockBytes]), size, mode, texels);
    }
    for (uint32_t z = 0; z < cut.depth; ++z) {
      for (uint32_t y = 0; y < cut.height; ++y) {
        const Texel& texel = texels[(z * size.height + y) * size.width + x % size.width];
        for (unsigned c = 0; c < 4; ++c) {
          expected[z * target.slice_stride + y * target.row_stride + 4 * x + c] =
              to_u8_sample(texel.rgba[c], mode);
        }
      }
    }
  }
  ASSERT_TRUE(pixels == expected) << block_size_name(size) << " mode " << static_cast<int>(mode);
}

TEST_P(FastDecode, RandomBlocksOfEverySize) {
  const unsigned rows = (sample_count(kRowBlocks) + kRowBlocks - 1) / kRowBlocks;
  for (unsigned index = 0; index < kBlockSizeCount; ++index) {
    const BlockSize size = kBlockSizes[index];
    RowTarget whole;
    whole.width = kRowBlocks * size.width;
    whole.height = size.height;
    whole.depth = size.depth;
    for (unsigned row = 0; row < rows; ++row) {
      const Bytes blocks = random_row(size, kRowBlocks, 1000 * row + index);
      for (const DecodeMode mode : kLdrModes) {
        expect_same_row(blocks, size, mode, whole);
      }
    }
  }
}

TEST_P(FastDecode, CutBlocksLeaveTheRestAlone) {
  for (const BlockSize size : kBlockSizes) {
    const Bytes blocks = random_row(size, 4, 400);
    for (uint32_t missing = 0; missing < size.width; ++missing) {
      RowTarget cut;
      cut.width = 4u * size.width - missing;
      cut.height = 1 + missing % size.height;
      cut.depth = 1 + missing % size.depth;
      expect_same_row(blocks, size, DecodeMode::kLdrFloat16, cut);
    }
    RowTarget tiny;
    tiny.width = tiny.height = tiny.depth = 1;
    expect_same_row(blocks, size, DecodeMode::kSrgb, tiny);
  }
}

// Grey blocks between each two neighbouring values, with all weights: every number that the
// rounding can meet, of which there are 255·64 + 1.
TEST_P(FastDecode, EveryInterpolatedValue) {
  constexpr BlockSize kSize = {12, 12, 1};
  constexpr unsigned kBlocks = 64;  // a pair of endpoints
  Random random(500);
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{5, 4, 1}, IntegerRange::k24Levels, false};
  block.endpoint_modes[0] = EndpointMode::kLuminance;
  block.color_range = IntegerRange::k256Levels;
  RowTarget row;
  row.width = kBlocks * kSize.width;
  row.height = kSize.height;
  row.depth = 1;
  std::vector<bool> met(65536);
  std::array<Texel, kMaxBlockTexels> texels;
  for (unsigned low = 0; low < 255; ++low) {
    Bytes blocks(kBlocks * kBlockBytes);
    block.color_codes = {static_cast<uint8_t>(low), static_cast<uint8_t>(low + 1)};
    for (unsigned i = 0; i < kBlocks; ++i) {
      for (unsigned k = 0; k < block.mode.weight_count(); ++k) {
        block.weight_codes[k] = static_cast<uint8_t>(random.below(24));
      }
      const auto bits = pack_block(block, kSize);
      ASSERT_TRUE(bits.ok());
      store_block(*bits, &blocks[i * kBlockBytes]);
      decode_symbolic_block(block, kSize, DecodeMode::kLdrFloat16, texels);
      for (unsigned k = 0; k < kSize.texel_count(); ++k) {
        met[texels[k].rgba[0]] = true;
      }
    }
    for (const DecodeMode mode : kLdrModes) {
      expect_same_row(blocks, kSize, mode, row);
    }
  }
  EXPECT_EQ(std::count(met.begin(), met.end(), true), 255 * 64 + 1);
}

TEST_P(FastDecode, VoidExtentsRound) {
  constexpr BlockSize kSize = {8, 8, 1};
  Bytes blocks(1024 * kBlockBytes);
  for (unsigned first = 0; first < 65536; first += 4096) {
    for (unsigned i = 0; i < 1024; ++i) {
      std::array<uint16_t, 4> color;
      for (unsigned c = 0; c < 4; ++c) {
        color[c] = static_cast<uint16_t>(first + 4 * i + c);
      }
      store_block(constant_block(color, false), &blocks[i * kBlockBytes]);
    }
    RowTarget row;
    row.width = 1024 * kSize.width;
    row.height = row.depth = 1;
    for (const DecodeMode mode : kLdrModes) {
      expect_same_row(blocks, kSize, mode, row);
    }
  }
}

}  // namespace
}  // namespace tessera::astc
