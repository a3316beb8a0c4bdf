#include <cassert>

#include "exec/mpi/mpi_state.h"

namespace tessera::mpi {

void Requests::add(MPI_Request request, size_t bytes, Completion completion) {
  constexpr size_t kLarge = size_t{1} << 18;  // more than networks take at once
  const bool is_large = bytes >= kLarge;
  requests_.push_back(request);
  waiters_.push_back({std::move(completion), is_large});
  large_ += is_large ? 1 : 0;
}

Status Requests::send(ByteSpan bytes, int rank, Tag tag, Completion completion) {
  assert(bytes.size() <= kMaxMessageBytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int code = MPI_Isend(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, tag,
                                 comm_, &request);
      code != MPI_SUCCESS) {
    return mpi_error("sending", code);
  }
  ++messages_;
  add(request, bytes.size(), std::move(completion));
  return {};
}

Status Requests::receive(std::span<uint8_t> bytes, int source, Tag tag, Completion completion) {
  assert(bytes.size() <= kMaxMessageBytes);
  MPI_Request request = MPI_REQUEST_NULL;
  if (const int code = MPI_Irecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, source,
                                 tag, comm_, &request);
      code != MPI_SUCCESS) {
    return mpi_error("receiving", code);
  }
  add(request, bytes.size(), std::move(completion));
  return {};
}

Result<bool> Requests::poll() {
  if (requests_.empty()) {
    return false;
  }
  finished_.resize(requests_.size());
  statuses_.resize(requests_.size());
  int count = 0;
  if (const int code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                    finished_.data(), statuses_.data());
      code != MPI_SUCCESS) {
    for (int i = 0; code == MPI_ERR_IN_STATUS && i < count; ++i) {
      if (const int reason = statuses_[static_cast<size_t>(i)].MPI_ERROR; reason != MPI_SUCCESS) {
        return mpi_error("exchanging messages", reason);
      }
    }
    return mpi_error("exchanging messages", code);
  }
  if (count <= 0) {
    return false;
  }
  // Completions may start new messages: take the finished ones out first. MPI does not promise an
  // order of the indices.
  struct Finished {
    Completion completion;
    Arrival arrival;
  };
  std::vector<Finished> finished;
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    int bytes = 0;
    MPI_Get_count(&statuses_[i], MPI_BYTE, &bytes);
    Waiter& waiter = waiters_[static_cast<size_t>(finished_[i])];
    large_ -= waiter.is_large ? 1 : 0;
    finished.push_back({std::move(waiter.completion),
                        {statuses_[i].MPI_SOURCE, static_cast<size_t>(std::max(bytes, 0))}});
  }
  std::sort(finished_.begin(), finished_.begin() + count, std::greater<>());
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) {
    const auto at = static_cast<ptrdiff_t>(finished_[i]);
    requests_.erase(requests_.begin() + at);
    waiters_.erase(waiters_.begin() + at);
  }
  for (const Finished& one : finished) {
    TESSERA_RETURN_IF_ERROR(one.completion(one.arrival));
  }
  return true;
}

void Requests::cancel_all() {
  for (MPI_Request& request : requests_) {
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  requests_.clear();
  waiters_.clear();
  large_ = 0;
}

}  // namespace tessera::mpi
