// Threads by oneTBB. Each takes the next task until there is none.
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <tuple>
#include <utility>

#include "exec/backend.h"
#include "exec/run_state.h"

namespace tessera {
namespace {

// Items that no thread has taken yet.
class Remaining {
 public:
  Remaining(const WorkRange& work, unsigned threads)
      : count_(work.count),
        grain_(std::max<size_t>(work.grain, 1)),
        least_(work.least == 0 ? grain_ : std::min(work.least, grain_)),
        // One thread ends with itself.
        tasks_left_(threads == 1 ? 1 : kTasksPerThread * threads) {}

  // [begin, end), empty when all are taken.
  std::pair<size_t, size_t> take() {
    size_t begin = next_.load(std::memory_order_relaxed);
    size_t end = 0;
    do {
      const size_t left = count_ - begin;
      end = begin + std::min(left, std::clamp(left / tasks_left_, least_, grain_));
    } while (!next_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return {begin, end};
  }

 private:
  // What is left is cut into so many at least, where the grain allows.
  static constexpr size_t kTasksPerThread = 2;

  const size_t count_;
  const size_t grain_;
  const size_t least_;
  const size_t tasks_left_;
  std::atomic<size_t> next_ = 0;
};

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned threads) : threads_(threads), arena_(static_cast<int>(threads)) {}

  std::string_view name() const override { return "cpu"; }
  unsigned thread_count() const override { return threads_; }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    RunState state(work, task, control);
    Remaining remaining(work, threads_);
    const auto run_tasks = [&] {
      for (auto [begin, end] = remaining.take(); begin < end;
           std::tie(begin, end) = remaining.take()) {
        state.run_task(begin, end);
      }
    };
    if (threads_ == 1) {  // no scheduler between the caller and the kernel
      run_tasks();
    } else {
      arena_.execute([&] {
        tbb::parallel_for(
            0U, threads_, [&](unsigned) { run_tasks(); }, tbb::simple_partitioner());
      });
    }
    return state.status();
  }

 private:
  unsigned threads_;
  tbb::task_arena arena_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(unsigned threads) {
  // oneTBB makes no more threads than cores by itself: raise the limit for who asks for more. It is
  // one for the whole process, and the lowest of several would win.
  constexpr size_t kManyThreads = 4096;
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                         kManyThreads);
  const auto all = static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
  return std::make_unique<CpuBackend>(threads == 0 ? all : threads);
}

}  // namespace tessera
