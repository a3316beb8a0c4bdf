// The caller's threads: tasks become the calls that the runner spreads.
#include <utility>
#include <vector>

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
    Remaining remaining(work, threads_);
    std::vector<std::pair<size_t, size_t>> tasks;
    for (auto next = remaining.take(); next.first < next.second; next = remaining.take()) {
      tasks.push_back(next);
    }
    runner_(tasks.size(), [&](size_t i) { state.run_task(tasks[i].first, tasks[i].second); });
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
