// Rank 0's threads: one computes, one serves the other ranks.
#include "cluster/coordinator.h"

#include <time.h>

#include <algorithm>
#include <thread>

#include "base/guarded.h"

namespace tessera::cluster {
namespace {

// Processor time of this thread.
double thread_seconds() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

Coordinator::Coordinator(RankGroup& group, std::vector<Greeting> ranks,
                         std::function<void(const Error&)> report)
    : group_(group),
      greetings_(std::move(ranks)),
      report_(std::move(report)),
      dispatch_(group, greetings_) {}

// The mutex must be held.
void Coordinator::wake() {
  woken_ = true;
  changed_.notify_all();
}

void Coordinator::add_source(UnitSource& source) {
  const std::lock_guard lock(mutex_);
  sources_.push_back(&source);
  wake();
}

void Coordinator::remove_source(UnitSource& source) {
  const std::lock_guard lock(mutex_);
  std::erase(sources_, &source);
}

void Coordinator::look_soon() {
  const std::lock_guard lock(mutex_);
  wake();
}

void Coordinator::set_waiting(bool waiting) {
  const std::lock_guard lock(mutex_);
  waiting_ = waiting;
  wake();
}

Coordinator::Costs Coordinator::costs() const {
  const std::lock_guard lock(mutex_);
  return costs_;
}

void Coordinator::give_up(const Error& error) {
  {
    const std::lock_guard lock(mutex_);
    fatal_ = error;
    wake();
  }
  while (true) {  // the other thread ends the process
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

int Coordinator::run(const std::function<int()>& job) {
  int exit_code = 0;
  std::thread job_thread([&] {
    const ScopedLargeMemory scope(group_.image_memory());
    const auto code = guarded([&]() -> Result<int> { return job(); });
    const std::lock_guard lock(mutex_);
    if (code) {
      exit_code = *code;
    } else {
      fatal_ = code.error();
    }
    job_done_ = true;
    wake();
  });
  const Status served = guarded([&]() -> Status {
    serve(exit_code);
    return {};
  });
  if (!served) {
    end_with(served.error());
  }
  job_thread.join();
  job_done_ = false;
  return exit_code;
}

void Coordinator::serve(const int& exit_code) {
  const double start = thread_seconds();
  if (const Status begun = dispatch_.begin(); !begun) {
    end_with(begun.error());
  }
  while (true) {
    const auto progress = step();
    if (!progress) {
      end_with(progress.error());
    }
    bool finished = false;
    {
      const std::lock_guard lock(mutex_);
      finished = job_done_ && dispatch_.is_idle();
      costs_.units = dispatch_.units_answered();
      costs_.messages = dispatch_.messages();
      costs_.control_seconds = thread_seconds() - start;
    }
    if (finished) {
      return;
    }
    if (const Status status = group_.check(); !status) {
      on_interrupt(status.error(), exit_code);
      return;
    }
    if (*progress) {
      pace_.reset();
      idle_pace_.reset();
    } else {
      pause();
    }
  }
}

Result<bool> Coordinator::step() {
  {
    const std::lock_guard lock(mutex_);
    if (fatal_) {
      return *fatal_;
    }
  }
  auto progress = dispatch_.step([this](int rank) { return take_unit(rank); });
  if (dispatch_.units_answered() != units_seen_) {
    units_seen_ = dispatch_.units_answered();
    pace_ = pace_of_units(dispatch_.unit_time());
  }
  return progress;
}

std::optional<Unit> Coordinator::take_unit(int rank) {
  const std::lock_guard lock(mutex_);
  std::optional<Unit> unit;
  for (size_t i = 0; i < sources_.size() && !unit; ++i) {
    unit = sources_[i]->take(rank);
  }
  return unit;
}

void Coordinator::pause() {
  std::unique_lock lock(mutex_);
  auto longest = waiting_ ? idle_pace_.next() : pace_.next();
  if (dispatch_.has_large_message()) {
    longest = std::min(longest, kTransferPause);
  }
  if (changed_.wait_for(lock, longest, [this] { return woken_; })) {
    woken_ = false;
    pace_.reset();
    idle_pace_.reset();
  }
}

void Coordinator::end_with(const Error& error) {
  report_(error);
  group_.abort(static_cast<int>(error.code));
}

// The job notices the signal as well and may be about to end: it gets a moment to do so by itself.
void Coordinator::on_interrupt(const Error& error, const int& exit_code) {
  constexpr auto kMoment = std::chrono::milliseconds(100);
  bool ended = false;
  int code = 0;
  {
    std::unique_lock lock(mutex_);
    ended = changed_.wait_for(lock, kMoment, [this] { return job_done_; });
    code = exit_code;
  }
  if (!ended) {
    end_with(error);
  }
  if (code == 0) {  // the work is complete
    RankGroup::end_soon(code);
  }
}

void Coordinator::stop(int exit_code) {
  if (exit_code != 0 && !group_.check()) {  // other ranks may still be computing
    group_.abort(exit_code);
  }
  if (const Status begun = dispatch_.begin_stop(exit_code); !begun) {
    end_with(begun.error());
  }
  Pace pace = kIdlePace;
  while (true) {
    const auto told = dispatch_.finish_stop();
    if (!told) {
      end_with(told.error());
    }
    if (*told) {
      return;
    }
    if (!group_.check()) {  // the work is done, and no rank is left that could be told
      group_.abort(exit_code);
    }
    std::this_thread::sleep_for(pace.next());
  }
}

}  // namespace tessera::cluster
