// Streams beside a stream, for kernels that do not depend on each other: short lists of work leave
// most of a device idle, so that several should be there at once.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

#include "exec/cuda/cuda_event.h"

namespace tessera {

// Made when first used. For one thread at a time, and for the device that is current then.
class CudaBranches {
 public:
  CudaBranches() = default;
  ~CudaBranches() {
    for (const Branch& branch : branches_) {
      if (branch.stream != nullptr) {
        static_cast<void>(cudaStreamDestroy(branch.stream));
      }
    }
  }
  CudaBranches(const CudaBranches&) = delete;
  CudaBranches& operator=(const CudaBranches&) = delete;

  // The branches begin when all that is on the stream now has been done.
  Status fork(cudaStream_t stream) {
    next_ = 0;
    return begun_.record(stream);
  }

  // The branch for the next piece of work.
  Result<cudaStream_t> next() {
    Branch& branch = branches_[next_ % branches_.size()];
    if (branch.stream == nullptr) {
      TESSERA_RETURN_IF_ERROR(cuda_status(
          cudaStreamCreateWithFlags(&branch.stream, cudaStreamNonBlocking), "cannot be used"));
    }
    if (next_ < branches_.size()) {
      TESSERA_RETURN_IF_ERROR(begun_.wait(branch.stream));
    }
    ++next_;
    return branch.stream;
  }

  // What comes on the stream from now on waits for all branches.
  Status join(cudaStream_t stream) {
    for (size_t i = 0; i < branches_.size() && i < next_; ++i) {
      TESSERA_RETURN_IF_ERROR(branches_[i].done.record(branches_[i].stream));
      TESSERA_RETURN_IF_ERROR(branches_[i].done.wait(stream));
    }
    return {};
  }

 private:
  struct Branch {
    cudaStream_t stream = nullptr;
    CudaEvent done;
  };

  std::array<Branch, 8> branches_;
  CudaEvent begun_;
  size_t next_ = 0;
};

}  // namespace tessera
