// Work from memory of the host to memory of the host, strip by strip: while one strip is computed,
// others are copied to and from the device. The device reaches pinned memory at the full speed of
// the link; taking such memory is slow, so that strips go through a few buffers of it, which many
// threads fill and empty.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "exec/backend.h"
#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_staging.h"

namespace tessera {

// Rows of the host's that a device fills.
struct MutableHostRows {
  uint8_t* first = nullptr;
  size_t stride = 0;  // bytes from a row to the next
  size_t bytes = 0;   // of a row
  size_t count = 0;
};

struct CudaStrip {
  HostRows in;
  MutableHostRows out;
};

struct CudaStripWork {
  size_t count = 0;  // strips
  // Bytes from a row to the next on the device, and rows of a strip at most.
  size_t in_stride = 0, in_rows = 0;
  size_t out_stride = 0, out_rows = 0;
  std::function<CudaStrip(size_t number)> strip;
  // Queues the work of a strip on the stream.
  std::function<Status(size_t number, const uint8_t* in, uint8_t* out, cudaStream_t stream)> launch;
};

// Keeps its streams and buffers between calls. For one thread at a time, and for the device that is
// current when it is used.
class CudaStripRunner {
 public:
  CudaStripRunner() = default;
  ~CudaStripRunner();
  CudaStripRunner(const CudaStripRunner&) = delete;
  CudaStripRunner& operator=(const CudaStripRunner&) = delete;

  Status run(const CudaStripWork& work, Backend& threads, const RunControl& control);

 private:
  // What one strip under way needs.
  struct Slot {
    cudaStream_t stream = nullptr;
    CudaPinnedBuffer pinned_in, pinned_out;
    CudaDeviceBuffer in, out;
    MutableHostRows result;  // where the rows under way belong; none: count is 0
  };

  Status prepare(const CudaStripWork& work);
  Status begin(const CudaStripWork& work, size_t number, Slot& slot, Backend& threads);
  Status collect(const CudaStripWork& work, Slot& slot, Backend& threads);
  Status run_all(const CudaStripWork& work, Backend& threads, const RunControl& control);

  std::array<Slot, 3> slots_;
};

}  // namespace tessera
