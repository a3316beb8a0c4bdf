// Buffers of large payloads.
#include "base/large_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/bytes.h"

namespace tessera {
namespace {

Bytes numbers(size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(i * 7);
  }
  return bytes;
}

bool holds(const LargeBytes& bytes, const Bytes& expected) {
  return std::ranges::equal(bytes, expected);
}

TEST(LargeBytes, GrowAsTheyAreAppendedTo) {
  LargeBytes bytes;
  Bytes expected;
  for (size_t i = 0; i < 200; ++i) {
    const Bytes more = numbers(i % 17);
    bytes.append(more);
    expected.insert(expected.end(), more.begin(), more.end());
    bytes.push_back(static_cast<uint8_t>(i));
    expected.push_back(static_cast<uint8_t>(i));
    bytes.append_zeros(i % 3);
    expected.insert(expected.end(), i % 3, uint8_t{0});
  }
  EXPECT_TRUE(holds(bytes, expected));
  bytes.resize(5);
  expected.resize(5);
  EXPECT_TRUE(holds(bytes, expected));
  bytes.clear();
  EXPECT_TRUE(bytes.empty());
}

TEST(LargeBytes, AreCopiedAndMovedAsValues) {
  const LargeBytes bytes(numbers(1000));
  LargeBytes copy = bytes;
  EXPECT_EQ(copy, bytes);
  copy[3] = static_cast<uint8_t>(copy[3] + 1);
  EXPECT_FALSE(copy == bytes);
  const uint8_t* const place = copy.data();
  const LargeBytes moved = std::move(copy);
  EXPECT_EQ(moved.data(), place);
  EXPECT_EQ(moved.size(), 1000u);
  LargeBytes other(numbers(3));
  other = bytes;
  EXPECT_EQ(other, bytes);
  LargeBytes& same = other;
  other = same;
  EXPECT_EQ(other, bytes);
  other = LargeBytes(numbers(2));
  EXPECT_TRUE(holds(other, numbers(2)));
  EXPECT_FALSE(other == LargeBytes(numbers(3)));
}

// A count of what is out, and of what came back with the size that it had.
class ListingMemory : public LargeMemory {
 public:
  ListingMemory() : LargeMemory({.least_image_bytes = 0, .least_payload_bytes = 100}) {}
  ~ListingMemory() override { EXPECT_TRUE(sizes_.empty()); }

  uint8_t* allocate(size_t bytes) override {
    sizes_.push_back(bytes);
    return new uint8_t[bytes];
  }
  void release(uint8_t* data, size_t bytes) override {
    const auto found = std::find(sizes_.begin(), sizes_.end(), bytes);
    ASSERT_NE(found, sizes_.end());
    sizes_.erase(found);
    delete[] data;
  }
  size_t pieces() const { return sizes_.size(); }

 private:
  std::vector<size_t> sizes_;
};

TEST(LargeBytes, GiveMemoryBackWhereItCameFrom) {
  ListingMemory memory;
  LargeBytes outside(numbers(500));
  {
    LargeBytes kept;
    {
      const ScopedLargeMemory scope(&memory);
      LargeBytes small(numbers(99));  // on the heap
      EXPECT_EQ(memory.pieces(), 0u);
      LargeBytes inside(numbers(200));
      const LargeBytes copy = outside;
      EXPECT_EQ(memory.pieces(), 2u);
      inside.append(numbers(1000));
      EXPECT_EQ(memory.pieces(), 2u);
      small.append(numbers(400));
      EXPECT_EQ(memory.pieces(), 3u);
      kept = std::move(inside);
      outside = LargeBytes(outside);
      EXPECT_EQ(memory.pieces(), 4u);
    }
    EXPECT_EQ(memory.pieces(), 2u);
    EXPECT_EQ(kept.size(), 1200u);
    const LargeBytes copy = kept;  // the heap is current again
    EXPECT_EQ(memory.pieces(), 2u);
    kept.swap(outside);
  }
  EXPECT_EQ(memory.pieces(), 1u);
  outside = LargeBytes();
  EXPECT_EQ(memory.pieces(), 0u);
}

TEST(LargeBytes, SayWhenThereIsNoMemory) {
  LargeBytes bytes(numbers(10));
  EXPECT_THROW(bytes.reserve(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(bytes.resize(SIZE_MAX - 1), std::bad_alloc);
  EXPECT_THROW(bytes.append_zeros(SIZE_MAX - 5), std::bad_alloc);
  EXPECT_TRUE(holds(bytes, numbers(10)));
}

}  // namespace
}  // namespace tessera
