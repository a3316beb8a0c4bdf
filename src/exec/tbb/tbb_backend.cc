// Threads by oneTBB. Each takes the next task until there is none.
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <mutex>

#include "exec/backend.h"
#include "exec/run_state.h"
#include "exec/tbb/thread_probe.h"

namespace tessera {
namespace {

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned threads) : threads_(threads), arena_(static_cast<int>(threads)) {}

  std::string_view name() const override { return "cpu"; }
  unsigned thread_count() const override { return threads_; }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    RunState state(work, task, control);
    Remaining remaining(work, threads_);
    const auto run_tasks = [&] {
      for (auto next = remaining.take(); next.first < next.second; next = remaining.take()) {
        state.run_task(next.first, next.second);
      }
    };
    const unsigned threads = remaining.useful_threads(threads_);
    if (threads == 1) {  // no scheduler between the caller and the kernel
      run_tasks();
    } else if (startable_threads() < threads_) {
      run_on_few_threads(std::min(threads, startable_threads()), run_tasks);
    } else {
      arena_.execute([&] {
        tbb::parallel_for(
            0U, threads, [&](unsigned) { run_tasks(); }, tbb::simple_partitioner());
      });
    }
    return state.status();
  }

 private:
  // Found out at the first use.
  unsigned startable_threads() {
    std::call_once(probed_, [this] { startable_ = available_threads(threads_); });
    return startable_;
  }

  unsigned threads_;
  tbb::task_arena arena_;
  std::once_flag probed_;
  unsigned startable_ = 1;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(unsigned threads) {
  // oneTBB makes no more threads than cores by itself: raise the limit for those who ask for more.
  // It is one for the whole process, and the lowest of several would win.
  constexpr size_t kManyThreads = 4096;
  static const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                         kManyThreads);
  const auto all = static_cast<unsigned>(std::max(1, tbb::info::default_concurrency()));
  return std::make_unique<CpuBackend>(threads == 0 ? all : threads);
}

}  // namespace tessera
