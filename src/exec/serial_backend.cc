// The calling thread does all tasks, one after the other.
#include "exec/backend.h"
#include "exec/run_state.h"

namespace tessera {
namespace {

class SerialBackend : public Backend {
 public:
  std::string_view name() const override { return "serial"; }
  unsigned thread_count() const override { return 1; }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    RunState state(work, task, control);
    Remaining remaining(work, 1);
    for (auto next = remaining.take(); next.first < next.second; next = remaining.take()) {
      state.run_task(next.first, next.second);
    }
    return state.status();
  }
};

}  // namespace

std::unique_ptr<Backend> make_serial_backend() {
  return std::make_unique<SerialBackend>();
}

}  // namespace tessera
