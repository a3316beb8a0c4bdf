// Tests Zstandard levels of .ktx2 files: round trips and wrong sizes.
#include "containers/zstd_level.h"

#include <gtest/gtest.h>

#include <chrono>

#include "ktx2_helpers.h"

namespace tessera {
namespace {

Bytes counting(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<uint8_t>(i * i / 7);
  }
  return bytes;
}

TEST(ZstdLevel, RoundTrip) {
  SKIP_WITHOUT_ZSTD();
  for (const size_t size : {size_t{1}, size_t{16}, size_t{1000}, size_t{1} << 20}) {
    const Bytes bytes = counting(size);
    const Bytes small = zstd_compress(bytes, 5).value();
    EXPECT_TRUE(std::ranges::equal(zstd_decompress(small, size, "x").value(), bytes));
  }
}

TEST(ZstdLevel, BeyondWhatIsBelievedItIsCountedFirst) {
  SKIP_WITHOUT_ZSTD();
  const Bytes zeros(size_t{16} << 20);
  const Bytes small = zstd_compress(zeros, 1).value();
  ASSERT_LT(small.size() * 64, zeros.size());
  EXPECT_TRUE(std::ranges::equal(zstd_decompress(small, zeros.size(), "x").value(), zeros));
  EXPECT_FALSE(zstd_decompress(small, zeros.size() - 1, "x"));
  EXPECT_FALSE(zstd_decompress(small, zeros.size() + 1, "x"));
  // Two frames one after the other are one level.
  Bytes twice = small;
  twice.insert(twice.end(), small.begin(), small.end());
  EXPECT_EQ(zstd_decompress(twice, 2 * zeros.size(), "x").value().size(), 2 * zeros.size());
}

TEST(ZstdLevel, WrongSizesAreRefused) {
  SKIP_WITHOUT_ZSTD();
  const Bytes small = zstd_compress(counting(1000), 5).value();
  for (const uint64_t claimed : {uint64_t{0}, uint64_t{999}, uint64_t{1001}, uint64_t{1} << 20,
                                 uint64_t{1} << 40, UINT64_MAX}) {
    const auto bytes = zstd_decompress(small, claimed, "x");
    ASSERT_FALSE(bytes) << claimed;
    EXPECT_EQ(bytes.error().code, ErrorCode::kInvalid);
  }
}

TEST(ZstdLevel, PrefixesAndGarbageAreRefused) {
  SKIP_WITHOUT_ZSTD();
  const Bytes zeros(size_t{1} << 20);
  const Bytes small = zstd_compress(zeros, 5).value();
  for (size_t length = 0; length < small.size(); ++length) {
    const Bytes prefix(small.begin(), small.begin() + static_cast<ptrdiff_t>(length));
    EXPECT_FALSE(zstd_decompress(prefix, zeros.size(), "x")) << length;
  }
  Bytes longer = small;
  longer.push_back(0);
  EXPECT_FALSE(zstd_decompress(longer, zeros.size(), "x"));
}

}  // namespace
}  // namespace tessera
