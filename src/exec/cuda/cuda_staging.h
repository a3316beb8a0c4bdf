// Copies between ordinary memory of the host and a device. The device reaches pinned memory at the
// full speed of the link; taking such memory is slow, so pieces go through two small buffers of it,
// which many threads fill and empty.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "exec/backend.h"
#include "exec/cuda/cuda_memory.h"

namespace tessera {

// Rows of a picture in memory.
struct HostRows {
  const uint8_t* first = nullptr;
  size_t stride = 0;  // bytes from a row to the next
  size_t bytes = 0;   // of a row
  size_t count = 0;
};

// For one stream at a time. Keeps its buffers.
class CudaStaging {
 public:
  CudaStaging() = default;
  ~CudaStaging();
  CudaStaging(const CudaStaging&) = delete;
  CudaStaging& operator=(const CudaStaging&) = delete;

  // Rows come to lie `device_stride` bytes apart. The last pieces may still be on their way when
  // the call returns; the stream knows.
  Status upload(const HostRows& rows, uint8_t* device, size_t device_stride, Backend& threads,
                cudaStream_t stream);

  // Waits until all has come.
  Status download(const uint8_t* device, uint8_t* host, size_t bytes, Backend& threads,
                  cudaStream_t stream);

 private:
  struct Piece {
    CudaPinnedBuffer memory;
    cudaEvent_t is_free = nullptr;  // what was last copied from or to it
  };

  Status prepare(size_t piece_bytes);

  std::array<Piece, 2> pieces_;
};

}  // namespace tessera
