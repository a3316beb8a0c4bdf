// This process as one of several: starting and ending MPI, and what all ranks do together before
// and after the work. One thread talks to MPI, the one that made the session (MPI_THREAD_FUNNELED);
// it polls and sleeps, so that it takes no core from those that compute.
//
// Builds without MPI have the same calls, and start() says that this build has no MPI.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "exec/mpi/unit_message.h"

namespace tessera::mpi {

bool have_mpi();

class MpiSession {
 public:
  // `cancelled` is what signals set; waiting ends then. Without mpirun there is one rank.
  static Result<std::unique_ptr<MpiSession>> start(const std::atomic<bool>* cancelled);
  // Waits for the other ranks to end too: after an error that they do not know of, abort().
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const;
  int size() const;
  bool is_root() const { return rank() == 0; }
  // Among the ranks of the same machine.
  unsigned rank_on_machine() const;

  // All ranks exchange greetings. An error is this rank's own: the others may not have it.
  Result<std::vector<Greeting>> agree(const Greeting& own);

  // Rank 0's bytes to all others.
  Status broadcast(std::span<uint8_t> bytes);
  // The same for bytes whose number the others do not know; more than `limit` are refused.
  Status broadcast_sized(Bytes& bytes, uint64_t limit);

  // kInterrupted once a signal has asked to stop or the launcher is gone.
  Status check() const;

  // Ends all ranks, this one at once, whatever they do. What has to be said has been said.
  [[noreturn]] void abort(int exit_code);

  // The process ends with this code within seconds, even if the other ranks no longer answer.
  static void end_soon(int exit_code);

  struct State;
  State& state() { return *state_; }

 private:
  explicit MpiSession(std::unique_ptr<State> state);
  Status gather_from_all(ByteSpan own, std::span<uint8_t> all);
  Status find_who_shares_memory(const SharedProbe& probe);
  std::unique_ptr<State> state_;
};

}  // namespace tessera::mpi
