// Tests integer sequences: their lengths, layouts by hand, and round trips.
#include "astc/format/bise.h"

#include <gtest/gtest.h>

#include <vector>

#include "astc/format/integer_range.h"
#include "random_blocks.h"

namespace tessera::astc {
namespace {

std::vector<IntegerRange> all_ranges() {
  std::vector<IntegerRange> ranges;
  for (unsigned i = 0; i < kRangeCount; ++i) {
    ranges.push_back(range_from_index(i));
  }
  return ranges;
}

std::vector<uint8_t> random_values(Random& random, IntegerRange range, unsigned count) {
  std::vector<uint8_t> values(count);
  for (uint8_t& value : values) {
    value = static_cast<uint8_t>(random.below(range_levels(range)));
  }
  return values;
}

TEST(IntegerRange, LevelsFollowFromBitsAndDigit) {
  for (const RangeInfo& info : kRangeInfos) {
    const unsigned base = info.digit == Digit::kTrit ? 3 : info.digit == Digit::kQuint ? 5 : 1;
    EXPECT_EQ(info.levels, base << info.bits);
  }
}

TEST(IntegerRange, HigherRangesAreNeverShorter) {
  for (unsigned count = 1; count <= 64; ++count) {
    for (unsigned i = 1; i < kRangeCount; ++i) {
      EXPECT_LE(sequence_bit_count(range_from_index(i - 1), count),
                sequence_bit_count(range_from_index(i), count));
    }
  }
}

TEST(IntegerRange, SequenceLengthsByHand) {
  EXPECT_EQ(sequence_bit_count(IntegerRange::k2Levels, 64), 64u);
  EXPECT_EQ(sequence_bit_count(IntegerRange::k3Levels, 1), 2u);
  EXPECT_EQ(sequence_bit_count(IntegerRange::k3Levels, 3), 5u);
  EXPECT_EQ(sequence_bit_count(IntegerRange::k5Levels, 2), 5u);
  EXPECT_EQ(sequence_bit_count(IntegerRange::k192Levels, 5), 38u);
  EXPECT_EQ(sequence_bit_count(IntegerRange::k6Levels, 18), 47u);  // 13·18/5, rounded up
}

TEST(Bise, RoundTripForEveryRangeAndLength) {
  Random random(1);
  for (const IntegerRange range : all_ranges()) {
    for (unsigned count = 1; sequence_bit_count(range, count) <= 128; ++count) {
      for (unsigned repeat = 0; repeat < 20; ++repeat) {
        const auto values = random_values(random, range, count);
        const unsigned length = sequence_bit_count(range, count);
        const unsigned first = random.below(128 - length + 1);
        Block128 bits;
        encode_sequence(values, range, first, bits);
        std::vector<uint8_t> decoded(count);
        decode_sequence(bits, first, range, decoded);
        ASSERT_EQ(decoded, values) << range_levels(range) << " levels, " << count << " values";
      }
    }
  }
}

TEST(Bise, WritesOnlyItsOwnBits) {
  Random random(2);
  for (const IntegerRange range : all_ranges()) {
    for (unsigned count = 1; sequence_bit_count(range, count) <= 100; ++count) {
      // The highest codes would show in bits that a shortened last group does not have.
      const std::vector<uint8_t> values(count, static_cast<uint8_t>(range_levels(range) - 1));
      const unsigned length = sequence_bit_count(range, count);
      const unsigned first = 1 + random.below(27);
      Block128 bits;
      encode_sequence(values, range, first, bits);
      EXPECT_EQ(bits.bits(0, first), 0u);
      EXPECT_EQ(bits.window(first + length), 0u) << range_levels(range) << ' ' << count;
    }
  }
}

TEST(Bise, BitsPastTheEndDoNotMatter) {
  Random random(3);
  for (const IntegerRange range : all_ranges()) {
    for (unsigned count = 1; sequence_bit_count(range, count) <= 120; ++count) {
      const auto values = random_values(random, range, count);
      const unsigned length = sequence_bit_count(range, count);
      Block128 bits;
      encode_sequence(values, range, 0, bits);
      Block128 dirty = bits;
      dirty.put(length, length < 64 ? ~uint64_t{0} : low_bits_mask(128 - length));
      std::vector<uint8_t> decoded(count);
      decode_sequence(dirty, 0, range, decoded);
      ASSERT_EQ(decoded, values) << range_levels(range) << ' ' << count;
    }
  }
}

// All 256 codes of five trits and 128 of three quints decode to digits in range, and every
// combination of digits occurs.
TEST(Bise, EveryGroupCodeIsDefined) {
  std::vector<bool> trits(243);
  for (unsigned code = 0; code < 256; ++code) {
    std::array<uint8_t, 5> v{};
    decode_sequence({code, 0}, 0, IntegerRange::k3Levels, v);
    unsigned index = 0;
    for (unsigned i = 5; i-- > 0;) {
      ASSERT_LT(v[i], 3);
      index = index * 3 + v[i];
    }
    trits[index] = true;
  }
  std::vector<bool> quints(125);
  for (unsigned code = 0; code < 128; ++code) {
    std::array<uint8_t, 3> v{};
    decode_sequence({code, 0}, 0, IntegerRange::k5Levels, v);
    ASSERT_LT(std::max({v[0], v[1], v[2]}), 5);
    quints[v[0] + 5u * v[1] + 25u * v[2]] = true;
  }
  EXPECT_EQ(std::count(trits.begin(), trits.end(), true), 243);
  EXPECT_EQ(std::count(quints.begin(), quints.end(), true), 125);
}

// Worked by hand from the standard's bit layout: m0 T[1:0] m1 T[3:2] m2 T[4] m3 T[6:5] m4 T[7].
TEST(Bise, LayoutOfAGroupByHand) {
  // Six levels: one bit and a trit each. T = 0b01000110: C = 00110 gives t2 = 0, t1 = 1, t0 = 2;
  // T[6:5] = 2 gives t3 = 2, t4 = 0. Plain bits 1, 0, 1, 1, 0.
  //        m4  T7  T65  m3  T4  m2  T32  m1  T10  m0
  // bits:   0  (0)  10   1   0   1   01   0   10   1, lowest last; T7 sits above m4
  const Block128 bits = {0b0'0'10'1'0'1'01'0'10'1, 0};
  std::array<uint8_t, 5> values{};
  decode_sequence(bits, 0, IntegerRange::k6Levels, values);
  EXPECT_EQ(values, (std::array<uint8_t, 5>{5, 2, 1, 5, 0}));
}

TEST(Block128, WindowAndPutAcrossTheMiddle) {
  Block128 block;
  block.put(60, 0xABC);
  EXPECT_EQ(block.low, 0xC000000000000000u);
  EXPECT_EQ(block.high, 0xABu);
  EXPECT_EQ(block.bits(60, 12), 0xABCu);
  EXPECT_EQ(block.bits(0, 60), 0u);
  EXPECT_EQ((Block128{~uint64_t{0}, 0}).bits(0, 64), ~uint64_t{0});
}

TEST(Block128, ReversalSwapsFirstAndLastBit) {
  EXPECT_EQ(reverse_bits(Block128{1, 0}), (Block128{0, uint64_t{1} << 63}));
  EXPECT_EQ(reverse_bits(Block128{0b1011, 0}), (Block128{0, 0b1101ull << 60}));
  Random random(4);
  const Block128 any = random_bits(random);
  EXPECT_EQ(reverse_bits(reverse_bits(any)), any);
}

TEST(Block128, BytesAreLittleEndian) {
  std::array<uint8_t, 16> bytes{};
  store_block({0x0807060504030201u, 0x100F0E0D0C0B0A09u}, bytes.data());
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(bytes[i], i + 1);
  }
  EXPECT_EQ(load_block(bytes.data()), (Block128{0x0807060504030201u, 0x100F0E0D0C0B0A09u}));
}

}  // namespace
}  // namespace tessera::astc
