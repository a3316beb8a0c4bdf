// Tests block modes and what they leave for colours.
#include "astc/format/block_mode.h"

#include <gtest/gtest.h>

#include "astc/format/block_layout.h"

namespace tessera::astc {
namespace {

TEST(BlockSize, IndexOfEachAndOfNone) {
  for (unsigned i = 0; i < kBlockSizeCount; ++i) {
    EXPECT_EQ(block_size_index(kBlockSizes[i]), i);
    EXPECT_EQ(kBlockSizes[i].is_3d(), i >= kBlockSizeCount2d);
    EXPECT_LE(kBlockSizes[i].texel_count(), kMaxBlockTexels);
  }
  EXPECT_FALSE(block_size_index({4, 5, 1}));
  EXPECT_FALSE(block_size_index({4, 4, 2}));
  EXPECT_FALSE(block_size_index({0, 0, 0}));
  EXPECT_EQ(block_size_name({12, 10, 1}), "12x10");
  EXPECT_EQ(block_size_name({4, 3, 3}), "4x3x3");
}

TEST(BlockMode, ModesByHand) {
  // 4x4 grid, 4 levels (R = 100: R2 = 1), layout "B+4, A+2": B = 0, A = 2.
  EXPECT_EQ(decode_block_mode(0b0'0'00'10'0'00'10, false),
            (BlockMode{{4, 4, 1}, IntegerRange::k4Levels, false}));
  // The same in 3D is a 4x2x2 grid.
  EXPECT_EQ(decode_block_mode(0b0'0'00'10'0'00'10, true),
            (BlockMode{{4, 2, 2}, IntegerRange::k4Levels, false}));
  // Two planes, high precision, 6x10 with 32 levels.
  EXPECT_EQ(decode_block_mode(0b1'1'11'00'1'11'00, false),
            (BlockMode{{6, 10, 1}, IntegerRange::k32Levels, true}));
  // 8x9, without D and H: B = 3 (height), A = 2 (width); 3 levels (R = 011).
  EXPECT_EQ(decode_block_mode(0b11'10'10'1'01'00, false),
            (BlockMode{{8, 9, 1}, IntegerRange::k3Levels, false}));
  // 3D: 2x6x5, B = 3 (depth), A = 0.
  EXPECT_EQ(decode_block_mode(0b11'01'00'0'01'00, true),
            (BlockMode{{2, 6, 5}, IntegerRange::k2Levels, false}));
}

TEST(BlockMode, ReservedPatterns) {
  for (const bool is_3d : {false, true}) {
    for (unsigned upper = 0; upper < 128; ++upper) {
      EXPECT_FALSE(decode_block_mode(upper << 4, is_3d));  // the lowest four bits are zero
    }
    for (unsigned upper = 0; upper < 4; ++upper) {
      EXPECT_FALSE(decode_block_mode((upper << 9) | 0x1FC, is_3d));  // void extents
    }
  }
  EXPECT_FALSE(decode_block_mode(0b0'0'11'10'0'01'00, false));
  EXPECT_TRUE(decode_block_mode(0b0'0'11'10'0'01'00, true));  // 2x2x6
  EXPECT_FALSE(decode_block_mode(0b0'0'11'11'0'01'00, true));
}

TEST(BlockMode, ReverseGivesBackEveryMode) {
  for (const bool is_3d : {false, true}) {
    for (unsigned bits = 0; bits < kBlockModeCount; ++bits) {
      const auto mode = decode_block_mode(bits, is_3d);
      if (!mode) {
        continue;
      }
      const auto again = encode_block_mode(*mode, is_3d);
      ASSERT_TRUE(again.has_value());
      EXPECT_EQ(decode_block_mode(*again, is_3d), mode);
      EXPECT_LE(*again, bits);
    }
  }
}

TEST(BlockMode, ReverseOfWhatDoesNotExist) {
  constexpr auto k4 = IntegerRange::k4Levels;
  EXPECT_FALSE(encode_block_mode({{1, 4, 1}, k4, false}, false));
  EXPECT_FALSE(encode_block_mode({{0, 4, 1}, k4, false}, false));
  EXPECT_FALSE(encode_block_mode({{13, 4, 1}, k4, false}, false));
  EXPECT_FALSE(encode_block_mode({{4, 4, 2}, k4, false}, false));
  EXPECT_FALSE(encode_block_mode({{4, 4, 1}, k4, false}, true));
  EXPECT_FALSE(encode_block_mode({{7, 2, 2}, k4, false}, true));
  EXPECT_FALSE(encode_block_mode({{8, 8, 1}, k4, true}, false));  // no D there
  EXPECT_FALSE(encode_block_mode({{8, 8, 1}, IntegerRange::k10Levels, false}, false));
  EXPECT_FALSE(encode_block_mode({{4, 4, 1}, IntegerRange::k40Levels, false}, false));
}

TEST(BlockMode, TableHoldsTheLegalModesOnly) {
  for (const BlockSize size : kBlockSizes) {
    const BlockModeTable& table = block_mode_table(size);
    size_t legal = 0;
    for (unsigned bits = 0; bits < kBlockModeCount; ++bits) {
      const auto mode = decode_block_mode(bits, size.is_3d());
      const auto* entry = table.find(bits);
      const bool fits = mode && mode->grid.x <= size.width && mode->grid.y <= size.height &&
                        mode->grid.z <= size.depth && mode->weight_count() <= 64 &&
                        mode->weight_bit_count() >= 24 && mode->weight_bit_count() <= 96;
      ASSERT_EQ(entry != nullptr, fits) << block_size_name(size) << " mode " << bits;
      if (entry != nullptr) {
        ++legal;
        EXPECT_EQ(entry->mode, *mode);
        EXPECT_EQ(entry->mode_bits, bits);
        EXPECT_EQ(entry->weight_count, mode->weight_count());
        EXPECT_EQ(entry->weight_bit_count, mode->weight_bit_count());
      }
    }
    EXPECT_EQ(legal, table.entries().size());
  }
}

TEST(BlockMode, EachLimitAlone) {
  constexpr BlockSize kSize = {8, 8, 1};
  EXPECT_TRUE(is_legal({{8, 8, 1}, IntegerRange::k2Levels, false}, kSize));    // 64 bits
  EXPECT_FALSE(is_legal({{9, 4, 1}, IntegerRange::k2Levels, false}, kSize));   // too wide
  EXPECT_FALSE(is_legal({{4, 9, 1}, IntegerRange::k2Levels, false}, kSize));   // too high
  EXPECT_FALSE(is_legal({{4, 4, 2}, IntegerRange::k2Levels, false}, kSize));   // too deep
  EXPECT_FALSE(is_legal({{6, 6, 1}, IntegerRange::k2Levels, true}, kSize));    // 72 weights
  EXPECT_FALSE(is_legal({{8, 8, 1}, IntegerRange::k3Levels, false}, kSize));   // 103 bits
  EXPECT_TRUE(is_legal({{6, 8, 1}, IntegerRange::k4Levels, false}, kSize));    // 96 bits
  EXPECT_FALSE(is_legal({{4, 5, 1}, IntegerRange::k2Levels, false}, kSize));   // 20 bits
  EXPECT_TRUE(is_legal({{4, 6, 1}, IntegerRange::k2Levels, false}, kSize));    // 24 bits
  EXPECT_FALSE(is_legal({{4, 2, 1}, IntegerRange::k48Levels, false}, kSize));  // no weight range
}

TEST(BlockLayout, ColorBits) {
  EXPECT_EQ(color_bit_count(24, 1, false, false), 87);
  EXPECT_EQ(color_bit_count(24, 1, true, false), 85);
  EXPECT_EQ(color_bit_count(24, 2, false, false), 75);
  EXPECT_EQ(color_bit_count(24, 2, false, true), 73);
  EXPECT_EQ(color_bit_count(24, 3, true, true), 68);
  EXPECT_EQ(color_bit_count(96, 4, false, true), -5);
}

TEST(BlockLayout, ColorRangeIsTheHighestThatFits) {
  for (unsigned values = 2; values <= kMaxColorValues; values += 2) {
    for (int bits = 0; bits <= 111; ++bits) {
      int best = -1;
      for (unsigned i = range_index(kSmallestColorRange); i < kRangeCount; ++i) {
        if (static_cast<int>(sequence_bit_count(range_from_index(i), values)) <= bits) {
          best = static_cast<int>(i);
        }
      }
      const auto range = color_range(values, bits);
      ASSERT_EQ(range ? static_cast<int>(range_index(*range)) : -1, best);
      ASSERT_EQ(range.has_value(), bits >= static_cast<int>((13 * values + 4) / 5));
    }
  }
}

TEST(BlockLayout, ColorRangeOfTheImpossible) {
  EXPECT_FALSE(color_range(8, -1));
  EXPECT_FALSE(color_range(20, 111));
  EXPECT_FALSE(color_range(18, 46));
  EXPECT_TRUE(color_range(18, 47));
}

}  // namespace
}  // namespace tessera::astc
