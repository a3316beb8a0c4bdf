// The caller's threads: ranges of grain size become the calls that the runner spreads.
#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "exec/backend.h"
#include "exec/run_state.h"

namespace tessera {
namespace {

class RunnerBackend : public Backend {
 public:
  RunnerBackend(ParallelRunner runner, unsigned threads)
      : runner_(std::move(runner)), threads_(threads) {}

  std::string_view name() const override { return "runner"; }
  unsigned thread_count() const override { return threads_; }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    RunState state(work, task, control);
    const size_t grain = std::max<size_t>(work.grain, 1);
    runner_(divide_round_up(work.count, grain),
            [&](size_t i) { state.run_task(i * grain, std::min((i + 1) * grain, work.count)); });
    return state.status();
  }

 private:
  ParallelRunner runner_;
  unsigned threads_;
};

}  // namespace

std::unique_ptr<Backend> make_runner_backend(ParallelRunner runner, unsigned threads) {
  return std::make_unique<RunnerBackend>(std::move(runner), threads);
}

}  // namespace tessera
