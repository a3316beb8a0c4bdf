// The quick decoders against the plain one, on every instruction set that this machine can run.
#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "astc/decode/decode_hdr_row.h"
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
constexpr DecodeMode kModes[] = {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb,
                                 DecodeMode::kHdr};

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
// written beside it: samples of `decode` with those that `convert` makes of the plain decoder's.
template <typename Sample, typename Decode, typename Convert>
void expect_same_samples(const Bytes& blocks, BlockSize size, DecodeMode mode, const RowTarget& cut,
                         const Decode& decode, const Convert& convert) {
  const auto untouched = static_cast<Sample>(0xA5A5);
  const size_t row_samples = size_t{cut.width} * 4 + 12;  // less than a vector to the next row
  const size_t slice_samples = row_samples * (cut.height + 1);
  std::vector<Sample> samples(slice_samples * (cut.depth + 1), untouched);
  RowTarget target = cut;
  target.row_stride = row_samples * sizeof(Sample);
  target.slice_stride = slice_samples * sizeof(Sample);
  target.pixels = reinterpret_cast<uint8_t*>(samples.data());
  decode(target);

  std::vector<Sample> expected(samples.size(), untouched);
  std::array<Texel, kMaxBlockTexels> texels;
  for (uint32_t x = 0; x < cut.width; ++x) {
    if (x % size.width == 0) {
      decode_block(load_block(&blocks[x / size.width * kBlockBytes]), size, mode, texels);
    }
    for (uint32_t z = 0; z < cut.depth; ++z) {
      for (uint32_t y = 0; y < cut.height; ++y) {
        const Texel& texel = texels[(z * size.height + y) * size.width + x % size.width];
        for (unsigned c = 0; c < 4; ++c) {
          expected[z * slice_samples + y * row_samples + 4 * x + c] = convert(texel.rgba[c]);
        }
      }
    }
  }
  ASSERT_TRUE(samples == expected) << block_size_name(size) << " mode " << static_cast<int>(mode);
}

void expect_same_row(const Bytes& blocks, BlockSize size, DecodeMode mode, const RowTarget& cut) {
  if (mode == DecodeMode::kHdr) {
    expect_same_samples<uint16_t>(
        blocks, size, mode, cut,
        [&](const RowTarget& target) { decode_hdr_row(blocks.data(), size, target); },
        [](uint16_t value) { return to_f16_sample(value, DecodeMode::kHdr); });
  } else {
    expect_same_samples<uint8_t>(
        blocks, size, mode, cut,
        [&](const RowTarget& target) { decode_ldr_row(blocks.data(), size, mode, target); },
        [&](uint16_t value) { return to_u8_sample(value, mode); });
  }
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
      for (const DecodeMode mode : kModes) {
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
      expect_same_row(blocks, size, DecodeMode::kHdr, cut);
    }
    RowTarget tiny;
    tiny.width = tiny.height = tiny.depth = 1;
    expect_same_row(blocks, size, DecodeMode::kSrgb, tiny);
    expect_same_row(blocks, size, DecodeMode::kHdr, tiny);
  }
}

// Decodes grey blocks between each two neighbouring values, with all weights, and counts the
// different samples of `counted`, which is one of the modes.
size_t count_between_neighbours(EndpointMode endpoints, std::span<const DecodeMode> modes,
                                DecodeMode counted) {
  constexpr BlockSize kSize = {12, 12, 1};
  constexpr unsigned kBlocks = 64;  // a pair of endpoints
  Random random(500);
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{5, 4, 1}, IntegerRange::k24Levels, false};
  block.endpoint_modes[0] = endpoints;
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
      EXPECT_TRUE(bits.ok());
      store_block(*bits, &blocks[i * kBlockBytes]);
      decode_symbolic_block(block, kSize, counted, texels);
      for (unsigned k = 0; k < kSize.texel_count(); ++k) {
        met[texels[k].rgba[0]] = true;
      }
    }
    for (const DecodeMode mode : modes) {
      expect_same_row(blocks, kSize, mode, row);
    }
  }
  return static_cast<size_t>(std::count(met.begin(), met.end(), true));
}

// Every number that the rounding can meet, of which there are 255·64 + 1.
TEST_P(FastDecode, EveryInterpolatedValue) {
  EXPECT_EQ(count_between_neighbours(EndpointMode::kLuminance, kModes, DecodeMode::kLdrFloat16),
            255u * 64 + 1);
}

// Every fourth number of the logarithmic scale, which become different half floats, up to those
// that become the largest one: the exponent 31 begins at the value 248.
TEST_P(FastDecode, EveryPieceOfTheLogarithmicScale) {
  constexpr DecodeMode kHdrAlone[] = {DecodeMode::kHdr};
  EXPECT_EQ(count_between_neighbours(EndpointMode::kHdrLuminanceLarge, kHdrAlone, DecodeMode::kHdr),
            248u * 64 + 1);
}

// All values of a channel, as UNORM16 or as half floats.
void expect_same_void_extents(bool is_hdr) {
  constexpr BlockSize kSize = {8, 8, 1};
  Bytes blocks(1024 * kBlockBytes);
  for (unsigned first = 0; first < 65536; first += 4096) {
    for (unsigned i = 0; i < 1024; ++i) {
      std::array<uint16_t, 4> color;
      for (unsigned c = 0; c < 4; ++c) {
        color[c] = static_cast<uint16_t>(first + 4 * i + c);
      }
      store_block(constant_block(color, is_hdr), &blocks[i * kBlockBytes]);
    }
    RowTarget row;
    row.width = 1024 * kSize.width;
    row.height = row.depth = 1;
    for (const DecodeMode mode : kModes) {
      expect_same_row(blocks, kSize, mode, row);
    }
  }
}

TEST_P(FastDecode, VoidExtentsRound) {
  expect_same_void_extents(false);
  expect_same_void_extents(true);
}

}  // namespace
}  // namespace tessera::astc
