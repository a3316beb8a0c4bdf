// What every backend shares: stopping, errors and progress of a run.
#include "exec/backend.h"

#include <exception>
#include <new>

#include "exec/run_state.h"

namespace tessera {

bool RunState::stopped() const {
  return failed_.load(std::memory_order_relaxed) ||
         (control_.cancelled != nullptr && control_.cancelled->load(std::memory_order_relaxed));
}

void RunState::run_task(size_t begin, size_t end) {
  if (stopped()) {
    return;
  }
  try {
    if (const Status status = task_(begin, end); !status) {
      fail(status.error());
      return;
    }
    report_progress(end - begin);
  } catch (const std::bad_alloc&) {
    fail(failed_error("not enough memory"));
  } catch (const std::exception& exception) {
    fail(failed_error(std::string("unexpected failure: ") + exception.what()));
  }
}

void RunState::fail(Error error) {
  const std::lock_guard lock(mutex_);
  if (!error_) {
    error_ = std::move(error);
  }
  failed_ = true;
}

void RunState::report_progress(size_t items) {
  const size_t done = done_.fetch_add(items) + items;
  if (!control_.progress) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (done > reported_) {
    reported_ = done;
    control_.progress(static_cast<double>(done) / static_cast<double>(work_.count));
  }
}

Status RunState::status() const {
  if (error_) {
    return *error_;
  }
  if (done_ < work_.count) {
    return Error{ErrorCode::kInterrupted, "interrupted"};
  }
  return {};
}

}  // namespace tessera
