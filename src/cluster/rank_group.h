// The group of ranks that this process belongs to, and what all ranks do together before and after
// the work. One thread talks to the transport, the one that made the group; it polls and sleeps, so
// that it takes no core from the threads that compute.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/large_memory.h"
#include "base/result.h"
#include "cluster/transport.h"
#include "cluster/unit_message.h"

namespace tessera::cluster {

class RankGroup {
 public:
  // `cancelled` is what signals set (or null); all waiting ends then.
  RankGroup(std::unique_ptr<Transport> transport, const std::atomic<bool>* cancelled);
  // With MPI, from the plug-in. Without a launcher such as mpirun there is one rank.
  static Result<std::unique_ptr<RankGroup>> start_mpi(const std::atomic<bool>* cancelled);
  // Waits for the other ranks to leave, too. After an error that they do not know of, use abort().
  ~RankGroup();
  // Another one, or null, while nothing is being waited for.
  void set_cancelled(const std::atomic<bool>* cancelled) { cancelled_ = cancelled; }
  RankGroup(const RankGroup&) = delete;
  RankGroup& operator=(const RankGroup&) = delete;

  int rank() const { return transport_->rank(); }
  int size() const { return transport_->size(); }
  bool is_root() const { return rank() == 0; }
  // This rank's number among the ranks of the same machine.
  unsigned rank_on_machine() const { return static_cast<unsigned>(transport_->rank_on_machine()); }
  Transport& transport() { return *transport_; }

  // All ranks exchange greetings. An error is this rank's own: the others may not have it.
  Result<std::vector<Greeting>> agree(const Greeting& own);

  // Rank 0's bytes to all others.
  Status broadcast(std::span<uint8_t> bytes);
  // The same for bytes whose number the others do not know. More than `limit` bytes are refused.
  Status broadcast_sized(Bytes& bytes, uint64_t limit);

  // kInterrupted once a signal has asked to stop or the launcher has ended.
  Status check() const;

  // Ends all ranks, this one at once, whatever they are doing. Prints nothing.
  [[noreturn]] void abort(int exit_code);

  // This process ends with the exit code within two seconds, even if other ranks do not answer.
  static void end_soon(int exit_code);

  // Known after agree(): whether a rank can read rank 0's images in memory (shared_images.h).
  bool can_see_images(int rank) const;
  void set_cannot_see_images(int rank);
  // Where images have to be made so that other ranks can see them; null where none can.
  LargeMemory* image_memory() const { return image_memory_; }
  // The process number of rank 0 on its machine.
  uint64_t root_process() const { return probe_.process; }

 private:
  Status wait_for(uint64_t ticket);
  Status gather_from_all(ByteSpan own, std::span<uint8_t> all);
  Status find_who_sees_images(const SharedProbe& probe);
  bool launcher_has_ended() const;

  std::unique_ptr<Transport> transport_;
  const std::atomic<bool>* cancelled_;
  const int launcher_;                // process number of what started this rank; 0: no launcher
  SharedProbe probe_;                 // of rank 0
  std::vector<uint8_t> sees_images_;  // by rank
  LargeMemory* image_memory_ = nullptr;
};

}  // namespace tessera::cluster
