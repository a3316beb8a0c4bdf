// Threads by oneTBB: tasks of exactly the grain's size, which idle threads steal.
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "base/bytes.h"
#include "exec/backend.h"
#include "exec/run_state.h"

namespace tessera {
namespace {

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(unsigned threads) : threads_(threads), arena_(static_cast<int>(threads)) {}

  std::string_view name() const override { return "cpu"; }
  unsigned thread_count() const override { return threads_; }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    RunState state(work, task, control);
    const size_t grain = std::max<size_t>(work.grain, 1);
    const size_t tasks = divide_round_up(work.count, grain);
    const auto run_one = [&](size_t i) {
      state.run_task(i * grain, std::min((i + 1) * grain, work.count));
    };
    if (threads_ == 1) {  // no scheduler between the caller and the kernel
      for (size_t i = 0; i < tasks; ++i) {
        run_one(i);
      }
    } else {
      // A range of items would be halved until it is below the grain: tasks of 50 to 100 % of it,
      // too short for encoders that gather blocks of equal work.
      arena_.execute(
          [&] { tbb::parallel_for(size_t{0}, tasks, run_one, tbb::simple_partitioner()); });
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
