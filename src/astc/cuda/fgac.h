// The method fgac on a CUDA device: a warp for each block.
#pragma once

#include <cuda_runtime_api.h>

#include "astc/fgac/fgac_block-inl.h"
#include "exec/cuda/cuda_memory.h"

namespace tessera::astc {

// Keeps its tables. For one thread at a time, and for the device that is current when it is used.
class CudaFgac {
 public:
  // Queues the work on the stream; `out` receives 16 bytes per block.
  Status encode(const Picture& picture, const FgacSettings& settings, void* out,
                cudaStream_t stream);

 private:
  CudaDeviceBuffer tables_;
};

}  // namespace tessera::astc
