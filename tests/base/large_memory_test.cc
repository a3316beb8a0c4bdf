// Memory of a caller's for payloads, chosen by a scope.
#include "base/large_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <thread>

#include "base/bytes.h"

namespace tessera {
namespace {

class CountingMemory : public LargeMemory {
 public:
  CountingMemory() : LargeMemory({1000, 1000, false, false}) {}
  uint8_t* allocate(size_t bytes) override {
    ++taken;
    return exhausted ? nullptr : static_cast<uint8_t*>(std::malloc(bytes));
  }
  void release(uint8_t* data, size_t bytes) override {
    ++given_back;
    last_bytes = bytes;
    std::free(data);
  }
  int taken = 0;
  int given_back = 0;
  size_t last_bytes = 0;
  bool exhausted = false;
};

TEST(LargeMemoryTest, TheInnermostScopeOfTheThreadIsCurrent) {
  CountingMemory outer;
  CountingMemory inner;
  EXPECT_EQ(current_large_memory(), nullptr);
  {
    const ScopedLargeMemory first(&outer);
    {
      const ScopedLargeMemory second(&inner);
      EXPECT_EQ(current_large_memory(), &inner);
      std::thread([] { EXPECT_EQ(current_large_memory(), nullptr); }).join();
    }
    EXPECT_EQ(current_large_memory(), &outer);
  }
  EXPECT_EQ(current_large_memory(), nullptr);
}

TEST(LargeMemoryTest, PayloadsGoBackToWhereTheyCameFrom) {
  CountingMemory memory;
  LargeBytes kept;
  {
    const ScopedLargeMemory scope(&memory);
    const LargeBytes small(999);
    EXPECT_EQ(memory.taken, 0);
    kept = LargeBytes(1000);
    EXPECT_EQ(memory.taken, 1);
  }
  const LargeBytes copy = kept;  // made outside of the scope: on the heap
  EXPECT_EQ(memory.taken, 1);
  EXPECT_EQ(memory.given_back, 0);
  kept = LargeBytes();
  EXPECT_EQ(memory.given_back, 1);
  EXPECT_EQ(memory.last_bytes, 1000U);
}

TEST(LargeMemoryTest, AnExhaustedMemoryIsNotReplacedByTheHeap) {
  CountingMemory memory;
  memory.exhausted = true;
  const ScopedLargeMemory scope(&memory);
  EXPECT_THROW(LargeBytes(5000), std::bad_alloc);
  EXPECT_EQ(memory.taken, 1);
}

}  // namespace
}  // namespace tessera
