// Tests packing and unpacking of blocks and of void extents.
#include "astc/format/symbolic_block.h"

#include <gtest/gtest.h>

#include "random_blocks.h"
#include "sample_count.h"

namespace tessera::astc {
namespace {

constexpr unsigned kQuickBlocks = 50000;  // a block size
constexpr BlockSize k6x6 = {6, 6, 1};

TEST(SymbolicBlock, UnpackUndoesPack) {
  for (const BlockSize size : kBlockSizes) {
    Random random(100 + size.texel_count());
    for (unsigned i = 0; i < sample_count(kQuickBlocks); ++i) {
      const SymbolicBlock block =
          random.one_in(8) ? random_void_extent(random, size) : random_weighted_block(random, size);
      const auto bits = pack_block(block, size);
      ASSERT_TRUE(bits.ok()) << bits.error().message;
      ASSERT_EQ(unpack_block(*bits, size), block) << block_size_name(size) << " block " << i;
    }
  }
}

// Packing may choose other codes for the same digits, but not another meaning.
TEST(SymbolicBlock, PackKeepsTheMeaningOfAnyBits) {
  for (const BlockSize size : kBlockSizes) {
    Random random(200 + size.texel_count());
    unsigned legal = 0;
    for (unsigned i = 0; i < sample_count(kQuickBlocks); ++i) {
      const SymbolicBlock block = unpack_block(random_bits(random), size);
      const auto bits = pack_block(block, size);
      ASSERT_EQ(bits.ok(), block.kind != BlockKind::kError);
      if (bits.ok()) {
        ++legal;
        ASSERT_EQ(unpack_block(*bits, size), block) << block_size_name(size) << " block " << i;
      }
    }
    EXPECT_GT(legal, 0u);
  }
}

// One block, field by field: 4x4 grid of 4 levels (32 bits), one partition, RGB direct.
TEST(SymbolicBlock, BitsOfABlockByHand) {
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{4, 4, 1}, IntegerRange::k4Levels, false};
  block.endpoint_modes[0] = EndpointMode::kRgb;
  block.color_range = IntegerRange::k256Levels;  // 79 bits left, 48 needed
  block.color_codes = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66};
  block.weight_codes[0] = 1;
  block.weight_codes[15] = 2;
  const auto bits = pack_block(block, k6x6);
  ASSERT_TRUE(bits.ok());
  EXPECT_EQ(bits->bits(0, 11), 0b0'0'00'10'0'00'10u);
  EXPECT_EQ(bits->bits(11, 2), 0u);
  EXPECT_EQ(bits->bits(13, 4), 8u);
  EXPECT_EQ(bits->bits(17, 48), 0x665544332211u);
  EXPECT_EQ(bits->bits(65, 31), 0u);
  EXPECT_EQ(bits->bits(96, 32), 0x80000001u);  // weight 0 at the top, reversed
}

// Two partitions of different classes and two planes: extra mode bits and the channel lie below the
// weights.
TEST(SymbolicBlock, FieldsBelowTheWeights) {
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{4, 3, 1}, IntegerRange::k2Levels, true};  // 24 bits
  block.partition_count = 2;
  block.partition_seed = 0x2A5;
  block.separate_modes = true;
  block.endpoint_modes = {EndpointMode::kLuminanceAlphaOffset, EndpointMode::kRgbScaleAlpha};
  block.plane2_channel = 2;
  block.color_range = *implied_color_range(block);
  const auto bits = pack_block(block, k6x6);
  ASSERT_TRUE(bits.ok());
  EXPECT_EQ(bits->bits(11, 2), 1u);
  EXPECT_EQ(bits->bits(13, 10), 0x2A5u);
  EXPECT_EQ(bits->bits(23, 2), 2u);     // base class 1
  EXPECT_EQ(bits->bits(25, 2), 0b10u);  // class bits
  EXPECT_EQ(bits->bits(27, 2), 1u);     // mode 5 in its class
  EXPECT_EQ(bits->bits(102, 2), 2u);    // mode 10 in its class
  EXPECT_EQ(bits->bits(100, 2), 2u);    // channel
}

SymbolicBlock good_block() {
  Random random(7);
  SymbolicBlock block;
  do {
    block = random_weighted_block(random, k6x6);
  } while (block.partition_count != 2 || !block.mode.dual_plane || block.separate_modes);
  return block;
}

TEST(SymbolicBlock, PackRefusesContradictions) {
  const SymbolicBlock good = good_block();
  ASSERT_TRUE(pack_block(good, k6x6).ok());
  const auto refuses = [&](auto change) {
    SymbolicBlock bad = good;
    change(bad);
    const auto bits = pack_block(bad, k6x6);
    return !bits.ok() && bits.error().code == ErrorCode::kInvalid;
  };
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.kind = BlockKind::kError; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.mode.grid.x = 7; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.mode.grid.x = 1; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.mode.weight_range = IntegerRange::k40Levels; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.partition_count = 0; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.partition_count = 4; }));  // with two planes
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.partition_count = 5; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.partition_seed = 1024; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) { b.plane2_channel = 4; }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) {
    b.endpoint_modes[1] = static_cast<EndpointMode>(static_cast<int>(b.endpoint_modes[0]) ^ 1);
  }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) {
    b.separate_modes = true;
    b.endpoint_modes = {EndpointMode::kLuminance, EndpointMode::kRgb};  // two classes apart
  }));
  EXPECT_TRUE(
      refuses([](SymbolicBlock& b) { b.endpoint_modes.fill(static_cast<EndpointMode>(16)); }));
  EXPECT_TRUE(refuses(
      [](SymbolicBlock& b) { b.color_range = range_from_index(range_index(b.color_range) - 1); }));
  EXPECT_TRUE(refuses([](SymbolicBlock& b) {
    b.weight_codes[0] = static_cast<uint8_t>(range_levels(b.mode.weight_range));
  }));
  SymbolicBlock few = good;
  few.endpoint_modes.fill(EndpointMode::kRgba);  // 16 values: too few bits, or another range
  few.mode = {{6, 6, 1}, IntegerRange::k5Levels, false};
  EXPECT_FALSE(pack_block(few, k6x6).ok());
  EXPECT_FALSE(implied_color_range(few));
}

TEST(SymbolicBlock, ACodeBeyondTheColorRangeIsRefused) {
  Random random(8);
  SymbolicBlock block;
  do {
    block = random_weighted_block(random, k6x6);
  } while (block.color_range == IntegerRange::k256Levels);
  ASSERT_TRUE(pack_block(block, k6x6).ok());
  block.color_codes[block.color_value_count() - 1] =
      static_cast<uint8_t>(range_levels(block.color_range));
  EXPECT_FALSE(pack_block(block, k6x6).ok());
}

TEST(SymbolicBlock, OnePartitionHasNoSeparateModes) {
  Random random(10);
  SymbolicBlock block;
  do {
    block = random_weighted_block(random, k6x6);
  } while (block.partition_count != 1);
  block.separate_modes = true;
  EXPECT_FALSE(pack_block(block, k6x6).ok());
}

// --- illegal bits ---

SymbolicBlock unpack_changed(unsigned first, unsigned count, uint64_t value, BlockSize size) {
  Block128 block = *pack_block(good_block(), k6x6);
  Block128 mask;
  mask.put(first, low_bits_mask(count));
  block.low &= ~mask.low;
  block.high &= ~mask.high;
  block.put(first, value);
  return unpack_block(block, size);
}

TEST(SymbolicBlock, IllegalBitsAreErrors) {
  EXPECT_EQ(unpack_changed(0, 0, 0, k6x6), good_block());
  EXPECT_EQ(unpack_changed(0, 4, 0, k6x6).kind, BlockKind::kError);   // reserved mode
  EXPECT_EQ(unpack_changed(11, 2, 3, k6x6).kind, BlockKind::kError);  // 4 partitions, 2 planes
  EXPECT_EQ(unpack_block({}, k6x6).kind, BlockKind::kError);          // all zeros
  // A grid that is fine in 12x12 but not in 4x4.
  Random random(11);
  SymbolicBlock wide;
  do {
    wide = random_weighted_block(random, {12, 12, 1});
  } while (wide.mode.grid.x <= 4);
  const Block128 bits = *pack_block(wide, {12, 12, 1});
  EXPECT_EQ(unpack_block(bits, {12, 12, 1}), wide);
  EXPECT_EQ(unpack_block(bits, {4, 4, 1}).kind, BlockKind::kError);
}

TEST(SymbolicBlock, TooManyColorValuesOrTooFewBitsAreErrors) {
  const Block128 block = {*encode_block_mode({{4, 6, 1}, IntegerRange::k2Levels, false}, false), 0};
  Block128 three = block;
  three.put(11, 2);
  three.put(25, 8);  // three times RGB: 18 values
  EXPECT_EQ(unpack_block(three, k6x6).kind, BlockKind::kWeighted);
  Block128 four = block;
  four.put(11, 3);
  four.put(25, 8);  // 24 values
  EXPECT_EQ(unpack_block(four, k6x6).kind, BlockKind::kError);
  // 96 weight bits leave 3 for colours behind two partitions.
  Block128 full{*encode_block_mode({{6, 4, 1}, IntegerRange::k16Levels, false}, false), 0};
  EXPECT_EQ(unpack_block(full, k6x6).kind, BlockKind::kWeighted);
  full.put(11, 1);
  EXPECT_EQ(unpack_block(full, k6x6).kind, BlockKind::kError);
}

// --- void extents ---

TEST(VoidExtent, ConstantBlockOf2dAnd3d) {
  const Block128 block = constant_block({0x1111, 0x2222, 0x3333, 0xFFFF}, false);
  EXPECT_EQ(block.low, 0xFFFFFFFFFFFFFDFCu);
  EXPECT_EQ(block.high, 0xFFFF333322221111u);
  for (const BlockSize size : {k6x6, BlockSize{4, 4, 4}}) {
    const SymbolicBlock symbolic = unpack_block(block, size);
    EXPECT_EQ(symbolic.kind, BlockKind::kVoidExtent);
    EXPECT_FALSE(symbolic.void_extent.has_extent);
    EXPECT_FALSE(symbolic.void_extent.is_hdr);
    EXPECT_EQ(symbolic.void_extent.color,
              (std::array<uint16_t, 4>{0x1111, 0x2222, 0x3333, 0xFFFF}));
    EXPECT_EQ(*pack_block(symbolic, size), block);
  }
  EXPECT_TRUE(unpack_block(constant_block({}, true), k6x6).void_extent.is_hdr);
}

TEST(VoidExtent, ExtentRules2d) {
  const auto kind = [](unsigned reserved, uint64_t s0, uint64_t s1, uint64_t t0, uint64_t t1) {
    return unpack_block({0x1FC | (uint64_t{reserved} << 10) | (s0 << 12) | (s1 << 25) | (t0 << 38) |
                             (t1 << 51),
                         0},
                        k6x6)
        .kind;
  };
  EXPECT_EQ(kind(3, 1, 2, 3, 4), BlockKind::kVoidExtent);
  EXPECT_EQ(kind(3, 0, 8191, 0, 8191), BlockKind::kVoidExtent);
  EXPECT_EQ(kind(3, 8191, 8191, 8191, 8191), BlockKind::kVoidExtent);
  EXPECT_EQ(kind(2, 1, 2, 3, 4), BlockKind::kError);
  EXPECT_EQ(kind(1, 1, 2, 3, 4), BlockKind::kError);
  EXPECT_EQ(kind(0, 8191, 8191, 8191, 8191), BlockKind::kError);
  EXPECT_EQ(kind(3, 2, 2, 3, 4), BlockKind::kError);
  EXPECT_EQ(kind(3, 1, 2, 4, 3), BlockKind::kError);
  EXPECT_EQ(kind(3, 8191, 8191, 3, 4), BlockKind::kError);  // ones on one axis only
  EXPECT_EQ(kind(3, 0, 0, 0, 0), BlockKind::kError);
}

TEST(VoidExtent, ExtentRules3d) {
  constexpr BlockSize kSize = {4, 4, 4};
  const auto unpack = [&](std::array<uint64_t, 6> c) {
    Block128 block = {0x1FC, 0};
    for (unsigned i = 0; i < 6; ++i) {
      block.put(10 + 9 * i, c[i]);
    }
    return unpack_block(block, kSize);
  };
  const SymbolicBlock good = unpack({1, 2, 3, 4, 5, 511});
  EXPECT_EQ(good.kind, BlockKind::kVoidExtent);
  EXPECT_EQ(good.void_extent.extent[2], (VoidExtent::Interval{5, 511}));
  EXPECT_EQ(unpack({511, 511, 511, 511, 511, 511}).kind, BlockKind::kVoidExtent);
  EXPECT_EQ(unpack({1, 1, 3, 4, 5, 6}).kind, BlockKind::kError);
  EXPECT_EQ(unpack({1, 2, 4, 3, 5, 6}).kind, BlockKind::kError);
  EXPECT_EQ(unpack({1, 2, 3, 4, 6, 6}).kind, BlockKind::kError);
}

TEST(VoidExtent, PackRefusesBadIntervals) {
  SymbolicBlock block;
  block.kind = BlockKind::kVoidExtent;
  block.void_extent.has_extent = true;
  block.void_extent.extent = {{{1, 2}, {3, 4}, {0, 0}}};
  EXPECT_TRUE(pack_block(block, k6x6).ok());
  EXPECT_FALSE(pack_block(block, {4, 4, 4}).ok());  // the third axis is missing
  block.void_extent.extent[0] = {2, 2};
  EXPECT_FALSE(pack_block(block, k6x6).ok());
  block.void_extent.extent[0] = {1, 8192};
  EXPECT_FALSE(pack_block(block, k6x6).ok());
  block.void_extent.extent = {{{1, 512}, {3, 4}, {5, 6}}};
  EXPECT_FALSE(pack_block(block, {4, 4, 4}).ok());
}

}  // namespace
}  // namespace tessera::astc
