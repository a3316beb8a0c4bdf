// Pieces are worked on in order, failures stop them, and nothing is waited for in vain.
#include "exec/cuda/launch_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace tessera {
namespace {

class LaunchQueueTest : public testing::TestWithParam<LaunchQueue::Place> {};

TEST_P(LaunchQueueTest, WorksInOrder) {
  std::vector<size_t> order;
  LaunchQueue queue(
      [&](size_t number) -> Status {
        order.push_back(number);
        return {};
      },
      GetParam());
  constexpr size_t kPieces = 100;
  for (size_t i = 0; i < kPieces; ++i) {
    ASSERT_TRUE(queue.ask());
  }
  for (size_t i = 0; i < kPieces; ++i) {
    ASSERT_TRUE(queue.wait(i));
  }
  ASSERT_EQ(order.size(), kPieces);
  for (size_t i = 0; i < kPieces; ++i) {
    EXPECT_EQ(order[i], i);
  }
}

TEST_P(LaunchQueueTest, StopsAtTheFirstFailure) {
  std::atomic<size_t> last = 0;
  LaunchQueue queue(
      [&](size_t number) -> Status {
        last = number;
        return number < 3 ? Status() : Error{ErrorCode::kFailed, "no " + std::to_string(number)};
      },
      GetParam());
  for (size_t i = 0; i < 8; ++i) {
    static_cast<void>(queue.ask());
  }
  for (const size_t number :
       {size_t{3}, size_t{5}, size_t{7}}) {  // those behind it are not worked on, nor waited for
    const Status status = queue.wait(number);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().message, "no 3");
  }
  EXPECT_FALSE(queue.ask());
  EXPECT_EQ(last, 3u);
}

INSTANTIATE_TEST_SUITE_P(Places, LaunchQueueTest,
                         testing::Values(LaunchQueue::Place::kCaller,
                                         LaunchQueue::Place::kOwnThread));

TEST(LaunchQueueInAThread, LetsTheCallerGoOn) {
  std::atomic<bool> may_end = false;
  std::thread::id worker;
  LaunchQueue queue(
      [&](size_t) -> Status {
        worker = std::this_thread::get_id();
        may_end.wait(false);
        return {};
      },
      LaunchQueue::Place::kOwnThread);
  ASSERT_TRUE(queue.ask());  // would hang in the calling thread
  may_end = true;
  may_end.notify_all();
  ASSERT_TRUE(queue.wait(0));
  EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(LaunchQueueInAThread, EndsWithPiecesLeft) {
  std::atomic<size_t> done = 0;
  {
    LaunchQueue queue(
        [&](size_t) -> Status {
          ++done;
          return {};
        },
        LaunchQueue::Place::kOwnThread);
    for (size_t i = 0; i < 1000; ++i) {
      ASSERT_TRUE(queue.ask());
    }
  }
  EXPECT_LE(done, 1000u);
}

}  // namespace
}  // namespace tessera
