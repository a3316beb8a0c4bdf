// The plug-in tessera_mpi.so: the transport between ranks, by MPI.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "cluster/transport.h"

namespace tessera::cluster {
namespace {

class MpiTransport : public Transport {
 public:
  // MPI has been started; the first error number, or MPI_SUCCESS.
  int join();
  ~MpiTransport() override;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int rank_on_machine() const override { return rank_on_machine_; }

  int send(const uint8_t* data, size_t bytes, int rank, int tag, uint64_t* ticket) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, rank, tag, world_, &request);
    return begin(code, request, /*is_receive=*/false, ticket);
  }

  int receive(uint8_t* data, size_t bytes, int source, int tag, uint64_t* ticket) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const int from = source == kAnyRank ? MPI_ANY_SOURCE : source;
    const int code =
        MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE, from, tag, world_, &request);
    return begin(code, request, /*is_receive=*/true, ticket);
  }

  int broadcast(uint8_t* data, size_t bytes, uint64_t* ticket) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Ibcast(data, static_cast<int>(bytes), MPI_BYTE, 0, world_, &request);
    return begin(code, request, /*is_receive=*/false, ticket);
  }

  int gather_from_all(const uint8_t* own, size_t bytes, uint8_t* all, uint64_t* ticket) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const auto count = static_cast<int>(bytes);
    const int code = MPI_Iallgather(own, count, MPI_BYTE, all, count, MPI_BYTE, world_, &request);
    return begin(code, request, /*is_receive=*/false, ticket);
  }

  int poll(Completion* completions, size_t room, size_t* count) override;
  void cancel(uint64_t ticket) override;

  void abort(int exit_code) override { MPI_Abort(MPI_COMM_WORLD, exit_code); }

  void describe(int error, char* text, size_t bytes) const override {
    char words[MPI_MAX_ERROR_STRING + 1] = {};
    int length = 0;
    MPI_Error_string(error, words, &length);
    std::snprintf(text, bytes, "%s", words);
  }

 private:
  // What belongs to the request at the same place.
  struct Operation {
    uint64_t ticket = 0;
    bool is_receive = false;
  };

  int begin(int code, MPI_Request request, bool is_receive, uint64_t* ticket) {
    if (code == MPI_SUCCESS) {
      *ticket = next_ticket_++;
      requests_.push_back(request);
      operations_.push_back({*ticket, is_receive});
    }
    return code;
  }
  int find_complete();
  void forget(size_t place) {
    requests_.erase(requests_.begin() + static_cast<ptrdiff_t>(place));
    operations_.erase(operations_.begin() + static_cast<ptrdiff_t>(place));
  }

  MPI_Comm world_ = MPI_COMM_NULL;  // our own copy of the communicator of all ranks
  int rank_ = 0;
  int size_ = 1;
  int rank_on_machine_ = 0;
  uint64_t next_ticket_ = 1;
  std::vector<MPI_Request> requests_;
  std::vector<Operation> operations_;
  std::deque<Completion> complete_;  // not told yet
  std::vector<int> places_;
  std::vector<MPI_Status> statuses_;
};

int MpiTransport::join() {
  if (const int code = MPI_Comm_dup(MPI_COMM_WORLD, &world_); code != MPI_SUCCESS) {
    return code;
  }
  // Both: an error of ours is a value, and one outside a communicator must not end the process.
  MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
  MPI_Comm machine = MPI_COMM_NULL;
  if (const int code =
          MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine);
      code != MPI_SUCCESS) {
    return code;
  }
  MPI_Comm_rank(machine, &rank_on_machine_);
  MPI_Comm_free(&machine);
  return MPI_SUCCESS;
}

MpiTransport::~MpiTransport() {
  if (world_ != MPI_COMM_NULL) {
    MPI_Comm_free(&world_);
  }
  MPI_Finalize();
}

int MpiTransport::poll(Completion* completions, size_t room, size_t* count) {
  *count = 0;
  if (const int code = find_complete(); code != MPI_SUCCESS) {
    return code;
  }
  while (*count < room && !complete_.empty()) {
    completions[(*count)++] = complete_.front();
    complete_.pop_front();
  }
  return MPI_SUCCESS;
}

// Moves what is complete from the requests to `complete_`.
int MpiTransport::find_complete() {
  if (requests_.empty()) {
    return MPI_SUCCESS;
  }
  places_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int found = 0;
  if (const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &found,
                                    places_.data(), statuses_.data());
      code != MPI_SUCCESS) {
    for (int i = 0; code == MPI_ERR_IN_STATUS && i < found; ++i) {
      if (const int reason = statuses_[static_cast<size_t>(i)].MPI_ERROR; reason != MPI_SUCCESS) {
        return reason;
      }
    }
    return code;
  }
  const auto count = static_cast<size_t>(std::max(found, 0));  // MPI_UNDEFINED is negative
  for (size_t i = 0; i < count; ++i) {
    const Operation& operation = operations_[static_cast<size_t>(places_[i])];
    Completion completion;
    completion.ticket = operation.ticket;
    if (operation.is_receive) {
      int bytes = 0;
      MPI_Get_count(&statuses_[i], MPI_BYTE, &bytes);
      completion.source = statuses_[i].MPI_SOURCE;
      completion.bytes = static_cast<size_t>(std::max(bytes, 0));
    }
    complete_.push_back(completion);
  }
  // MPI does not promise an order of the places.
  std::sort(places_.begin(), places_.begin() + static_cast<ptrdiff_t>(count), std::greater<>());
  for (size_t i = 0; i < count; ++i) {
    forget(static_cast<size_t>(places_[i]));
  }
  return MPI_SUCCESS;
}

void MpiTransport::cancel(uint64_t ticket) {
  for (size_t place = 0; place < operations_.size(); ++place) {
    if (operations_[place].ticket == ticket) {
      MPI_Cancel(&requests_[place]);
      MPI_Wait(&requests_[place], MPI_STATUS_IGNORE);
      forget(place);
      return;
    }
  }
}

Transport* fail(TransportProblem& problem, bool unsupported, const char* sentence) {
  problem.unsupported = unsupported;
  std::snprintf(problem.sentence, sizeof problem.sentence, "%s", sentence);
  return nullptr;
}

Transport* start(TransportProblem& problem) {
  int provided = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) {
    return fail(problem, false, "MPI cannot be started");
  }
  auto transport = std::make_unique<MpiTransport>();  // from here on it ends MPI, too
  if (provided < MPI_THREAD_FUNNELED) {
    return fail(problem, true, "this MPI does not work in programs with threads");
  }
  if (const int code = transport->join(); code != MPI_SUCCESS) {
    char reason[200] = {};
    transport->describe(code, reason, sizeof reason);
    fail(problem, false, "MPI failed while starting: ");
    const size_t used = std::char_traits<char>::length(problem.sentence);
    std::snprintf(problem.sentence + used, sizeof problem.sentence - used, "%s", reason);
    return nullptr;
  }
  return transport.release();
}

}  // namespace
}  // namespace tessera::cluster

extern "C" __attribute__((visibility("default"))) tessera::cluster::Transport*
tessera_start_transport(uint32_t version, tessera::cluster::TransportProblem* problem) {
  namespace cluster = tessera::cluster;
  if (version != cluster::kTransportVersion) {
    return cluster::fail(*problem, true, "tessera_mpi.so belongs to another version of tessera");
  }
  try {
    return cluster::start(*problem);
  } catch (const std::exception&) {
    return cluster::fail(*problem, false, "not enough memory to start MPI");
  }
}
