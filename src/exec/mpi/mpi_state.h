// Inside exec/mpi only: MPI's own handles, and requests that are under way.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "exec/mpi/mpi_session.h"

namespace tessera::mpi {

struct MpiSession::State {
  MPI_Comm world = MPI_COMM_NULL;  // our own copy of the communicator of all ranks
  int rank = 0;
  int size = 1;
  int rank_on_machine = 0;
  const std::atomic<bool>* cancelled = nullptr;
  bool has_launcher = false;
  int launcher = 0;     // process id of who started this rank
  bool broken = false;  // do not wait for the others at the end
  SharedProbe probe;    // of rank 0
  // Of each rank, whether it can see rank 0's images.
  std::vector<uint8_t> shares_memory;
};

// Between two ranks, messages of one tag arrive in the order of sending; headers announce the data.
enum Tag : int { kUnitTag = 1, kInputTag, kReplyTag, kReplyDataTag };

Error mpi_error(const char* what, int code);

// How long to sleep until looking again: short while things happen, longer when nothing does. A
// look takes twenty to forty microseconds from a thread that computes on the same core (two changes
// of context, a timer, code and data that are in no cache), so the pauses are those that units of
// work allow: the next one is at hand already, and has some milliseconds to be replaced. Both sides
// also look whenever they have finished a piece of work of their own.
class Pace {
 public:
  constexpr Pace(std::chrono::microseconds shortest, std::chrono::microseconds longest)
      : shortest_(shortest), longest_(longest), pause_(shortest) {}

  void reset() { pause_ = shortest_; }
  std::chrono::microseconds next() {
    const auto pause = pause_;
    pause_ = std::min(pause_ * 2, longest_);
    return pause;
  }

 private:
  std::chrono::microseconds shortest_;
  std::chrono::microseconds longest_;
  std::chrono::microseconds pause_;
};

inline constexpr std::chrono::microseconds kMillisecond{1000};
// While waiting for something to compute.
inline constexpr Pace kIdlePace{kMillisecond / 20, kMillisecond / 2};
// While a large message is under way: networks without hardware of their own for it carry some
// megabytes, and then wait for the next look.
inline constexpr auto kTransferPause = kMillisecond;

// While computing: a quarter to a half of the time that a unit takes, of which there are shorter
// ones near the end of an image.
inline Pace pace_of_units(std::chrono::nanoseconds unit) {
  const auto quarter = std::chrono::duration_cast<std::chrono::microseconds>(unit / 4);
  const auto shortest = std::clamp(quarter, kMillisecond / 4, 4 * kMillisecond);
  return {shortest, 2 * shortest};
}
inline constexpr std::chrono::nanoseconds kUsualUnit = 16 * kMillisecond;

// Non-blocking messages under way, each with what is to be done when it is complete.
class Requests {
 public:
  // Told how many bytes have arrived (of sends: 0) and from whom.
  struct Arrival {
    int source = 0;
    size_t bytes = 0;
  };
  using Completion = std::function<Status(const Arrival& arrival)>;

  explicit Requests(MPI_Comm comm) : comm_(comm) {}

  // `bytes` must stay where it is until the completion is called.
  Status send(ByteSpan bytes, int rank, Tag tag, Completion completion);
  Status receive(std::span<uint8_t> bytes, int source, Tag tag, Completion completion);

  // Calls the completions of what is complete. Returns whether there was something.
  Result<bool> poll();

  bool empty() const { return requests_.empty(); }
  bool has_large() const { return large_ > 0; }
  uint64_t messages() const { return messages_; }

  // Receives that nothing will answer any more.
  void cancel_all();

 private:
  struct Waiter {
    Completion completion;
    bool is_large = false;
  };
  void add(MPI_Request request, size_t bytes, Completion completion);

  MPI_Comm comm_;
  std::vector<MPI_Request> requests_;
  std::vector<Waiter> waiters_;  // for the request at the same place
  size_t large_ = 0;
  std::vector<int> finished_;
  std::vector<MPI_Status> statuses_;
  uint64_t messages_ = 0;
};

// Polls a request until it is complete; kInterrupted when the session is to end.
Status wait_for(MPI_Request& request, const MpiSession& session);

}  // namespace tessera::mpi
