// Files that share memory: they wait for each other, and never for ever.
#include "files/memory_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tessera {
namespace {

TEST(MemoryPool, SharesStayWithinTheLimit) {
  constexpr uint64_t kLimit = 100;
  MemoryPool pool;
  std::atomic<uint64_t> taken = 0;
  std::atomic<bool> is_over = false;
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 50; ++turn) {
        MemoryPool::Share share(pool);
        share.resize(5, kLimit);  // the file, then the picture
        const uint64_t bytes = 30 + i;
        share.resize(bytes, kLimit);
        is_over = is_over || (taken += bytes) > kLimit;
        std::this_thread::yield();
        taken -= bytes;
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_FALSE(is_over);
}

TEST(MemoryPool, AFileThatIsAloneDoesNotWait) {
  MemoryPool pool;
  MemoryPool::Share share(pool);
  share.resize(1000, 10);
  share.resize(2000, 10);
}

}  // namespace
}  // namespace tessera
