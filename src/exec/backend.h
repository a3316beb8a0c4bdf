// Running work. All work in Tessera is "a range over read-only shared inputs": items 0…count−1, any
// of which may run anywhere and in any order, each writing only its own results. A backend decides
// where; the result does not depend on it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"

namespace tessera {

// Items of similar cost. `grain` is how many a task takes, so that the cost of starting a task
// stays small beside it. Near the end tasks may have as few as `least`, so that all threads end
// together; 0: no fewer than the grain.
struct WorkRange {
  size_t count = 0;
  size_t grain = 1;
  size_t least = 0;
};

// Handles the items [begin, end).
using RangeTask = std::function<Status(size_t begin, size_t end)>;

struct RunControl {
  // Called with the fraction done, 0…1, never falling; from any thread, but not from two at once.
  std::function<void(double)> progress;
  // Set it to true to stop: tasks that have not begun are dropped.
  const std::atomic<bool>* cancelled = nullptr;
  // Of files that are read on the way.
  Limits limits = {};
  // Told how many bytes of memory the work will need before they are taken; may wait. May be empty.
  std::function<void(uint64_t bytes)> reserve = {};
};

class Device;

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual unsigned thread_count() const = 0;

  // Returns when all tasks have ended: the first error, kInterrupted when cancelled, or success.
  virtual Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) = 0;

  // A device that formats may have kernels for, beside the threads of run(); nullptr: none.
  virtual Device* device() { return nullptr; }
};

// The calling thread.
std::unique_ptr<Backend> make_serial_backend();

// oneTBB threads; 0 threads means all cores.
std::unique_ptr<Backend> make_cpu_backend(unsigned threads);

// The caller's own threads: the runner calls call(i) once for each i in 0…count−1, in any order and
// from any threads, and returns when all calls have ended.
using ParallelRunner = std::function<void(size_t count, const std::function<void(size_t)>& call)>;
std::unique_ptr<Backend> make_runner_backend(ParallelRunner runner, unsigned threads);

}  // namespace tessera
