// Threads by oneTBB. Each takes the next task until there is none.
#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <mutex>
#include <optional>
#include <thread>

#include "exec/backend.h"
#include "exec/run_state.h"
#include "exec/tbb/tbb_arena.h"
#include "exec/tbb/thread_probe.h"

namespace tessera {
namespace {

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned threads) : threads_(threads) {}

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
    } else {
      start_threads();
      if (!arena_ || !arena_->run(threads, run_tasks)) {
        run_on_few_threads(std::min(threads, startable_), run_tasks);
      }
    }
    return state.status();
  }

 private:
  // At the first use. oneTBB gets no work where it could not start all of its threads.
  void start_threads() {
    std::call_once(started_, [this] {
      startable_ = available_threads(threads_);
      if (startable_ == threads_) {
        arena_.emplace(threads_);
      }
    });
  }

  unsigned threads_;
  std::once_flag started_;
  unsigned startable_ = 1;
  std::optional<TbbArena> arena_;
};

// Those that the process may run on, as `taskset` and batch systems set them.
unsigned usable_cores() {
#ifdef __linux__
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&cores)));
  }
#endif
  return std::max(1U, std::thread::hardware_concurrency());
}

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(unsigned threads) {
  return std::make_unique<CpuBackend>(threads == 0 ? usable_cores() : threads);
}

}  // namespace tessera
