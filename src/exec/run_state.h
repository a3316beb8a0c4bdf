// What all tasks of one run share: what is left, how much is done, whether to stop, and the first
// error.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <utility>

#include "base/bytes.h"
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

// Items that no thread has taken yet.
class Remaining {
 public:
  Remaining(const WorkRange& work, unsigned threads)
      : count_(work.count),
        grain_(std::max<size_t>(work.grain, 1)),
        least_(work.least == 0 ? grain_ : std::min(work.least, grain_)),
        shares_(threads == 1 ? 1 : kSharesPerThread * threads) {}

  // More threads than this find nothing to do.
  unsigned useful_threads(unsigned threads) const {
    return static_cast<unsigned>(std::clamp<uint64_t>(divide_round_up(count_, least_), 1, threads));
  }

  // [begin, end), empty when all are taken.
  std::pair<size_t, size_t> take() {
    size_t begin = next_.load(std::memory_order_relaxed);
    size_t end = 0;
    do {
      const size_t left = count_ - begin;
      end = begin + std::min(left, std::clamp(left / shares_, least_, grain_));
    } while (!next_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
    return {begin, end};
  }

 private:
  // A task is at most such a part of what is left. One thread need not end with others.
  static constexpr size_t kSharesPerThread = 2;

  const size_t count_;
  const size_t grain_;
  const size_t least_;
  const size_t shares_;
  std::atomic<size_t> next_ = 0;
};

}  // namespace tessera
