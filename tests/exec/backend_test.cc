// The backends: each item once, tasks of the right size, errors, cancellation, real threads.
#include "exec/backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "exec/tbb/tbb_arena.h"

namespace tessera {
namespace {

// Plain threads, as a caller would bring them.
void run_on_threads(size_t count, const std::function<void(size_t)>& call) {
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (size_t item = next++; item < count; item = next++) {
        call(item);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

struct NamedBackend {
  std::string name;
  std::function<std::unique_ptr<Backend>()> make;
};

class EveryBackend : public testing::TestWithParam<NamedBackend> {
 protected:
  std::unique_ptr<Backend> backend_ = GetParam().make();
};

INSTANTIATE_TEST_SUITE_P(
    Backends, EveryBackend,
    testing::Values(NamedBackend{"one", [] { return make_cpu_backend(1); }},
                    NamedBackend{"two", [] { return make_cpu_backend(2); }},
                    NamedBackend{"seven", [] { return make_cpu_backend(7); }},
                    NamedBackend{"runner", [] { return make_runner_backend(run_on_threads, 3); }}),
    [](const auto& backend) { return backend.param.name; });

TEST_P(EveryBackend, EachItemRunsOnce) {
  for (const size_t count : {0u, 1u, 2u, 7u, 1000u}) {
    for (const size_t grain : {0u, 1u, 3u, 5000u}) {
      std::vector<std::atomic<int>> visits(count);
      const Status status = backend_->run({count, grain},
                                          [&](size_t begin, size_t end) -> Status {
                                            EXPECT_LT(begin, end);
                                            EXPECT_LE(end, count);
                                            for (size_t i = begin; i < end; ++i) {
                                              ++visits[i];
                                            }
                                            return {};
                                          },
                                          {});
      EXPECT_TRUE(status);
      for (const auto& visit : visits) {
        EXPECT_EQ(visit, 1);
      }
    }
  }
}

// Tasks have the grain's size; near the end there are shorter ones, but not too short.
TEST_P(EveryBackend, TasksShrinkNearTheEnd) {
  for (const size_t least : {0u, 10u, 100u, 5000u}) {
    constexpr size_t kCount = 100000, kGrain = 1000;
    std::mutex mutex;
    std::map<size_t, size_t> tasks;  // end by begin
    const auto task = [&](size_t begin, size_t end) -> Status {
      const std::lock_guard lock(mutex);
      tasks[begin] = end;
      return {};
    };
    ASSERT_TRUE(backend_->run({kCount, kGrain, least}, task, {}));
    size_t next = 0;
    for (const auto& [begin, end] : tasks) {
      EXPECT_EQ(begin, next);
      EXPECT_LE(end - begin, kGrain);
      if (end < kCount) {
        EXPECT_GE(end - begin, least == 0 ? kGrain : std::min(least, kGrain));
      }
      next = end;
    }
    EXPECT_EQ(next, kCount);
    EXPECT_EQ(tasks.at(0), kGrain);
    const bool has_threads = GetParam().name != "one";
    if (has_threads && (least == 10 || least == 100)) {
      EXPECT_LE(kCount - std::prev(tasks.end())->first, 2 * least);
    }
  }
}

TEST_P(EveryBackend, ProgressRisesToOne) {
  std::vector<double> seen;
  RunControl control;
  control.progress = [&](double fraction) { seen.push_back(fraction); };
  ASSERT_TRUE(backend_->run(
      {100, 1}, [](size_t, size_t) { return Status(); }, control));
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_DOUBLE_EQ(seen.back(), 1.0);
}

TEST_P(EveryBackend, AnErrorIsTheResult) {
  const Status status =
      backend_->run({1000, 1},
                    [](size_t begin, size_t) -> Status {
                      return begin == 500 ? Status(invalid_error("bad item")) : Status();
                    },
                    {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalid);
  EXPECT_EQ(status.error().message, "bad item");
}

// A thread knows of its own failure before it takes the next task, so that none runs two of them.
TEST_P(EveryBackend, AnErrorEndsTheRun) {
  std::atomic<size_t> ran = 0;
  const Status status = backend_->run({100000, 1},
                                      [&](size_t, size_t) -> Status {
                                        ++ran;
                                        return invalid_error("bad item");
                                      },
                                      {});
  ASSERT_FALSE(status);
  EXPECT_GE(ran, 1u);
  EXPECT_LE(ran, backend_->thread_count());
}

TEST_P(EveryBackend, ExceptionsBecomeErrors) {
  const Status thrown =
      backend_->run({4, 1}, [](size_t, size_t) -> Status { throw std::runtime_error("boom"); }, {});
  ASSERT_FALSE(thrown);
  EXPECT_EQ(thrown.error().code, ErrorCode::kFailed);
  const Status memory =
      backend_->run({4, 1}, [](size_t, size_t) -> Status { throw std::bad_alloc(); }, {});
  ASSERT_FALSE(memory);
  EXPECT_NE(memory.error().message.find("memory"), std::string::npos);
}

TEST_P(EveryBackend, CancelledBeforeTheStartRunsNothing) {
  const std::atomic<bool> cancelled = true;
  RunControl control;
  control.cancelled = &cancelled;
  std::atomic<int> ran = 0;
  const Status status = backend_->run(
      {50, 1},
      [&](size_t, size_t) -> Status {
        ++ran;
        return {};
      },
      control);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(ran, 0);
}

// As with errors: a thread sees its own cancellation before it takes the next task.
TEST_P(EveryBackend, CancelledInTheMiddleDropsTheRest) {
  std::atomic<bool> cancelled = false;
  RunControl control;
  control.cancelled = &cancelled;
  std::atomic<size_t> ran = 0;
  const Status status = backend_->run(
      {100000, 1},
      [&](size_t, size_t) -> Status {
        ++ran;
        cancelled = true;
        return {};
      },
      control);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
  EXPECT_GE(ran, 1u);
  EXPECT_LE(ran, backend_->thread_count());
}

TEST(CpuBackend, ThreadCounts) {
  EXPECT_EQ(make_cpu_backend(3)->thread_count(), 3u);
  EXPECT_GE(make_cpu_backend(0)->thread_count(), 1u);
  EXPECT_EQ(make_cpu_backend(1)->name(), "cpu");
}

TEST(CpuBackend, SevenThreadsReallyRun) {
  const auto backend = make_cpu_backend(7);
  std::mutex mutex;
  std::condition_variable all_inside;
  int inside = 0;
  // No task ends before all seven are inside. The limit is there for a backend that has fewer
  // threads, which would hang.
  const auto task = [&](size_t, size_t) -> Status {
    std::unique_lock lock(mutex);
    ++inside;
    all_inside.notify_all();
    const bool met =
        all_inside.wait_for(lock, std::chrono::minutes(2), [&] { return inside == 7; });
    return met ? Status() : Status(failed_error("fewer than seven threads"));
  };
  EXPECT_TRUE(backend->run({7, 1}, task, {}));
}

// The plug-in lies beside the programs; without it, the backend would use threads of its own.
TEST(TbbArena, FindsThePlugInAndMakesAllCalls) {
  TbbArena arena(3);
  std::atomic<int> calls = 0;
  for (int round = 0; round < 2; ++round) {
    EXPECT_TRUE(arena.run(3, [&] { ++calls; }));
  }
  EXPECT_EQ(calls, 6);
}

}  // namespace
}  // namespace tessera
