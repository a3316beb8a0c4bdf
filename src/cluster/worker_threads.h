// The worker threads of a rank: each computes one unit at a time, with a backend of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/unit_message.h"
#include "exec/backend.h"

namespace tessera::cluster {

// Computes a unit. `output` keeps its memory from unit to unit. The header has been checked only as
// far as that is possible without knowing the kind of the unit.
using UnitHandler = std::function<Status(const UnitHeader& header, ByteSpan input, Backend& backend,
                                         const RunControl& control, Bytes& output)>;

// What a worker thread does before its first unit.
using WorkerStart = std::function<void(Backend& backend, const RunControl& control)>;

// A unit on its way through a rank. Later units use its buffers again.
struct UnitSlot {
  UnitHeader header;
  Bytes received;  // empty if the input is in rank 0's memory
  ByteSpan input;
  Bytes output;
  Bytes reply_header;
  bool failed = false;
  Bytes sentence;  // of the failure
  std::chrono::nanoseconds busy{0};
  unsigned sends_under_way = 0;
};

class WorkerThreads {
 public:
  // One thread for each backend. All arguments must outlive the object.
  WorkerThreads(const std::vector<Backend*>& backends, const UnitHandler& handler,
                const WorkerStart& start);
  ~WorkerThreads();  // calls stop()
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  // Drops units that have not begun, cancels the others, and waits for them. Nothing is computed
  // afterwards.
  void stop();

  // The slot must stay where it is until finished() returns it, or until stop() has returned.
  void compute(UnitSlot* slot);

  // Units that have been computed, with their replies. Waits for one for at most that long.
  std::deque<UnitSlot*> finished(std::chrono::microseconds patience);

 private:
  void work(Backend& backend);
  void compute_now(Backend& backend, UnitSlot& slot) const;
  Status call_handler(Backend& backend, UnitSlot& slot) const;

  const UnitHandler& handler_;
  const WorkerStart& start_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;  // guards the queues
  std::condition_variable begin_;
  std::condition_variable end_;
  std::deque<UnitSlot*> ready_;
  std::deque<UnitSlot*> finished_;
  std::vector<std::thread> threads_;
};

}  // namespace tessera::cluster
