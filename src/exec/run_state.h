// What all tasks of one run share: how much is done, whether to stop, and the first error.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>

#include "exec/backend.h"

namespace tessera {

class RunState {
 public:
  RunState(const WorkRange& work, const RangeTask& task, const RunControl& control)
      : work_(work), task_(task), control_(control) {}

  // Runs the task on [begin, end) unless the run has been stopped; never throws.
  void run_task(size_t begin, size_t end);

  bool stopped() const;

  // The outcome, once all tasks have ended.
  Status status() const;

 private:
  void fail(Error error);
  void report_progress(size_t items);

  const WorkRange& work_;
  const RangeTask& task_;
  const RunControl& control_;
  std::atomic<bool> failed_ = false;
  std::atomic<size_t> done_ = 0;
  std::mutex mutex_;  // guards error_, reported_ and the progress callback
  std::optional<Error> error_;
  size_t reported_ = 0;
};

}  // namespace tessera
