// Messages between ranks, as the cluster module needs them. MPI implements this in a plug-in
// (mpi/mpi_transport.cc) that is loaded only when it is asked for; tests implement it in memory.
//
// The plug-in is compiled apart from the rest and depends on this header alone, so only plain types
// cross the border: calls return 0 or an error number of the transport, which describe() puts into
// words. All calls come from one thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::cluster {

// Changes with every change of this header.
inline constexpr uint32_t kTransportVersion = 1;

inline constexpr int kAnyRank = -1;

// An operation that is complete.
struct Completion {
  uint64_t ticket = 0;
  int source = 0;    // the sender, if the operation was a receive
  size_t bytes = 0;  // received; 0 for other operations
};

class Transport {
 public:
  // Leaves the group of ranks; waits until the others leave it, too.
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  // This rank's number among the ranks of the same machine.
  virtual int rank_on_machine() const = 0;

  // Each of these begins an operation and returns at once. Its ticket appears in poll() when the
  // operation is complete; until then the memory must stay where it is. Messages with one tag from
  // one rank to another arrive in the order of sending.
  virtual int send(const uint8_t* data, size_t bytes, int rank, int tag, uint64_t* ticket) = 0;
  // From one rank or from kAnyRank. A message may be shorter than `bytes`, but not longer.
  virtual int receive(uint8_t* data, size_t bytes, int source, int tag, uint64_t* ticket) = 0;
  // Rank 0's bytes to all other ranks. All ranks call this, and gather_from_all, in the same order.
  virtual int broadcast(uint8_t* data, size_t bytes, uint64_t* ticket) = 0;
  // The same number of bytes from every rank, to all ranks, in the order of the ranks.
  virtual int gather_from_all(const uint8_t* own, size_t bytes, uint8_t* all, uint64_t* ticket) = 0;

  // Operations that have become complete since the last call, at most `room` of them.
  virtual int poll(Completion* completions, size_t room, size_t* count) = 0;
  // Gives up an operation that is not complete. Its memory is free afterwards.
  virtual void cancel(uint64_t ticket) = 0;

  // Ends the processes of all ranks.
  virtual void abort(int exit_code) = 0;

  // A sentence, ended by a zero byte, that says what an error number means.
  virtual void describe(int error, char* text, size_t bytes) const = 0;
};

// Why a plug-in could not start.
struct TransportProblem {
  bool unsupported = false;  // by this machine or this MPI; otherwise it failed
  char sentence[256] = {};
};

// The one symbol of a plug-in. Null, with the problem, where there is no transport. `version` is
// the kTransportVersion of the caller.
inline constexpr const char* kStartTransport = "tessera_start_transport";
using StartTransport = Transport* (*)(uint32_t version, TransportProblem* problem);

}  // namespace tessera::cluster
