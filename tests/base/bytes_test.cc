// Tests byte readers and writers and checked arithmetic.
#include "base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace tessera {
namespace {

constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();

TEST(CheckedMultiply, GivesProductsThatFit) {
  EXPECT_EQ(checked_multiply(0, kMax), 0u);
  EXPECT_EQ(checked_multiply(kMax, 0), 0u);
  EXPECT_EQ(checked_multiply(kMax, 1), kMax);
  EXPECT_EQ(checked_multiply(0xFFFFFFFFu, 0xFFFFFFFFu), 0xFFFFFFFE00000001u);
  EXPECT_EQ(checked_multiply(kMax / 5, 5), kMax);  // 2^64 - 1 is a multiple of 5
}

TEST(CheckedMultiply, RefusesProductsThatDoNotFit) {
  EXPECT_FALSE(checked_multiply(kMax, 2).has_value());
  EXPECT_FALSE(checked_multiply(2, kMax).has_value());
  EXPECT_FALSE(checked_multiply(uint64_t{1} << 32, uint64_t{1} << 32).has_value());
  EXPECT_FALSE(checked_multiply(kMax / 5 + 1, 5).has_value());
  EXPECT_FALSE(checked_multiply(kMax, kMax).has_value());
}

TEST(DivideRoundUp, RoundsUpWithoutOverflow) {
  EXPECT_EQ(divide_round_up(0, 4), 0u);
  EXPECT_EQ(divide_round_up(1, 4), 1u);
  EXPECT_EQ(divide_round_up(4, 4), 1u);
  EXPECT_EQ(divide_round_up(5, 4), 2u);
  EXPECT_EQ(divide_round_up(kMax, 2), (kMax / 2) + 1);
  EXPECT_EQ(divide_round_up(kMax, kMax), 1u);
}

TEST(FitsMemory, EndsAtDifferencesOfAddresses) {
  EXPECT_TRUE(fits_memory(0));
  EXPECT_TRUE(fits_memory(PTRDIFF_MAX));
  EXPECT_FALSE(fits_memory(uint64_t{PTRDIFF_MAX} + 1));
  EXPECT_FALSE(fits_memory(kMax));
}

TEST(ByteReader, ReadsLittleEndianFieldsInOrder) {
  const Bytes bytes = {0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A,
                       0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0xF2, 0xFF};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read<uint8_t>(), 0x01u);
  EXPECT_EQ(reader.read<uint16_t>(), 0x0302u);
  EXPECT_EQ(reader.read_u24(), 0x060504u);
  EXPECT_EQ(reader.read<uint32_t>(), 0x0A090807u);
  EXPECT_EQ(reader.read<uint64_t>(), 0xF211100F0E0D0C0Bu);
  EXPECT_EQ(reader.position(), 18u);
  EXPECT_EQ(reader.remaining(), 1u);
  EXPECT_EQ(reader.read<uint8_t>(), 0xFFu);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.remaining(), 0u);
}

TEST(ByteReader, SkipsUpToTheEnd) {
  const Bytes bytes = {1, 2, 3, 4};
  ByteReader reader(bytes);
  reader.skip(3);
  EXPECT_EQ(reader.read<uint8_t>(), 4u);
  reader.skip(0);
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReader, ReturnsZerosPastTheEndAndRemembersIt) {
  const Bytes bytes = {0xAA, 0xBB, 0xCC};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read<uint32_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_EQ(reader.read<uint8_t>(), 0u);  // what was left is not read by accident
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, FailsOnAnEmptyBuffer) {
  ByteReader reader{ByteSpan{}};
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.read<uint8_t>(), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, FailsOnASkipPastTheEnd) {
  const Bytes bytes = {1, 2};
  ByteReader reader(bytes);
  reader.skip(std::numeric_limits<size_t>::max());
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.position(), 2u);
}

TEST(ByteReader, FailsOnATruncatedU24) {
  const Bytes bytes = {1, 2};
  ByteReader reader(bytes);
  reader.read_u24();
  EXPECT_FALSE(reader.ok());
}

TEST(ByteWriter, WritesLittleEndianFields) {
  Bytes bytes = {0xEE};
  ByteWriter writer(bytes);
  writer.write(uint8_t{0x01});
  writer.write(uint16_t{0x0302});
  writer.write_u24(0x060504);
  writer.write(uint32_t{0x0A090807});
  writer.write(uint64_t{0xF211100F0E0D0C0B});
  writer.write_zeros(2);
  const Bytes tail = {7, 8};
  writer.write_bytes(tail);
  EXPECT_EQ(bytes, (Bytes{0xEE, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B,
                          0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11, 0xF2, 0,    0,    7,    8}));
}

TEST(ByteWriter, CutsU24ToThreeBytes) {
  Bytes bytes;
  ByteWriter(bytes).write_u24(0xFF123456);
  EXPECT_EQ(bytes, (Bytes{0x56, 0x34, 0x12}));
}

TEST(ByteReaderAndWriter, RoundTripExtremes) {
  Bytes bytes;
  ByteWriter writer(bytes);
  writer.write(kMax);
  writer.write(uint32_t{0x80000000});
  writer.write(uint16_t{0xFFFF});
  ByteReader reader(bytes);
  EXPECT_EQ(reader.read<uint64_t>(), kMax);
  EXPECT_EQ(reader.read<uint32_t>(), 0x80000000u);
  EXPECT_EQ(reader.read<uint16_t>(), 0xFFFFu);
  EXPECT_TRUE(reader.ok());
}

}  // namespace
}  // namespace tessera
