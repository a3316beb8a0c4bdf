// A moment on a stream, which other streams and the host can wait for.
#pragma once

#include <cuda_runtime_api.h>

#include "exec/cuda/cuda_calls.h"

namespace tessera {

// Made when it is first recorded; until then there is nothing to wait for.
class CudaEvent {
 public:
  CudaEvent() = default;
  ~CudaEvent() {
    if (event_ != nullptr) {
      static_cast<void>(cudaEventDestroy(event_));
    }
  }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  Status record(cudaStream_t stream) {
    if (event_ == nullptr) {
      TESSERA_RETURN_IF_ERROR(used(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)));
    }
    return used(cudaEventRecord(event_, stream));
  }
  // Later work on the stream waits for it.
  Status wait(cudaStream_t stream) const {
    return event_ == nullptr ? Status() : used(cudaStreamWaitEvent(stream, event_));
  }
  // The calling thread waits for it.
  Status wait() const { return event_ == nullptr ? Status() : used(cudaEventSynchronize(event_)); }

 private:
  static Status used(cudaError_t code) { return cuda_status(code, "cannot be used"); }

  cudaEvent_t event_ = nullptr;
};

}  // namespace tessera
