// An opened CUDA device: its number, a stream, and what has to be known of it.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "exec/cuda/cuda_calls.h"

namespace tessera {

class CudaDevice {
 public:
  static Result<std::shared_ptr<CudaDevice>> open(unsigned number);
  ~CudaDevice();
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  // Makes it the calling thread's device.
  Status make_current() const {
    return cuda_status(cudaSetDevice(static_cast<int>(number_)), "cannot be used");
  }
  unsigned processors() const { return processors_; }
  cudaStream_t stream() const { return stream_; }

 private:
  CudaDevice() = default;

  unsigned number_ = 0;
  unsigned processors_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace tessera
