// Decoding within the time that a file has: tasks ask the budget before they begin.
#pragma once

#include <string>

#include "base/read_budget.h"
#include "exec/backend.h"

namespace tessera {

// Another backend with that question. Both, and the budget, must outlive it.
class TimedBackend : public Backend {
 public:
  // `name` is that of the file, for the refusal.
  TimedBackend(Backend& backend, const ReadBudget& budget, const std::string& name)
      : backend_(backend), budget_(budget), name_(name) {}

  std::string_view name() const override { return backend_.name(); }
  unsigned thread_count() const override { return backend_.thread_count(); }
  Device* device() override { return backend_.device(); }

  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    const RangeTask timed = [&](size_t begin, size_t end) -> Status {
      TESSERA_RETURN_IF_ERROR(budget_.check_time(name_));
      return task(begin, end);
    };
    return backend_.run(work, timed, control);
  }

 private:
  Backend& backend_;
  const ReadBudget& budget_;
  const std::string& name_;
};

}  // namespace tessera
