// The side of the ranks that are given units: receive, compute, reply.
#pragma once

#include <list>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "cluster/rank_group.h"
#include "cluster/requests.h"
#include "cluster/shared_images.h"
#include "cluster/unit_message.h"
#include "cluster/worker_threads.h"
#include "exec/backend.h"

namespace tessera::cluster {

// The conversation with rank 0. Units are computed by the threads.
class UnitServer {
 public:
  UnitServer(RankGroup& group, WorkerThreads& threads);
  // Stops the threads first: units that they are computing are in memory of this object.
  ~UnitServer() { threads_.stop(); }
  UnitServer(const UnitServer&) = delete;
  UnitServer& operator=(const UnitServer&) = delete;

  // Until rank 0 says stop: the exit code that it says. An error means that the conversation cannot
  // go on: a signal, a launcher that has ended, or a transport that fails.
  Result<int> serve();

 private:
  Status expect_unit();
  Status on_unit(size_t bytes);
  Status receive_input(UnitSlot& slot);
  Status use_shared_input(UnitSlot& slot);
  Status ask_for_input(UnitSlot& slot);
  Status refuse(const Error& error);
  Status reply(UnitSlot& slot);
  void compute(UnitSlot& slot);
  UnitSlot& free_slot();

  RankGroup& group_;
  WorkerThreads& threads_;
  Requests requests_;
  SharedViews views_;
  Bytes header_ = Bytes(kUnitHeaderBytes);
  std::list<UnitSlot> slots_;
  std::vector<UnitSlot*> free_;
  size_t computing_ = 0;  // units that the threads have
  bool stop_ = false;
  int exit_code_ = 0;
};

// Serves rank 0 until it says stop, with one worker thread for each backend, and returns the exit
// code that rank 0 says. When that cannot go on, all ranks end; rank 0 alone prints why.
int serve_units(RankGroup& group, const std::vector<Backend*>& backends, const UnitHandler& handler,
                const WorkerStart& start = {});

}  // namespace tessera::cluster
