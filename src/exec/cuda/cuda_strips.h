// Work from memory of the host to memory of the host, strip by strip: while one strip is computed,
// others are copied to and from the device.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "exec/backend.h"
#include "exec/cuda/cuda_event.h"
#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_staging.h"
#include "exec/cuda/launch_queue.h"

namespace tessera {

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
  // Whether launch() waits for the device between kernels: then it has a thread of its own.
  LaunchQueue::Place place = LaunchQueue::Place::kCaller;
};

// Keeps its streams and buffers between calls. For one thread at a time, and for the device that is
// current when it is used.
class CudaStripRunner {
 public:
  static constexpr size_t kSlots = 3;  // strips that have memory on the device at once

  CudaStripRunner() = default;
  ~CudaStripRunner();
  CudaStripRunner(const CudaStripRunner&) = delete;
  CudaStripRunner& operator=(const CudaStripRunner&) = delete;

  Status run(const CudaStripWork& work, Backend& threads, const RunControl& control);

 private:
  // What one strip under way needs.
  struct Slot {
    CudaDeviceBuffer in, out;
    CudaEvent uploaded, computed;
  };

  Status prepare(const CudaStripWork& work);
  Status upload(const CudaStripWork& work, size_t number, Backend& threads);
  Status compute(const CudaStripWork& work, size_t number);
  Status download(const CudaStripWork& work, size_t number, Backend& threads);
  Status run_all(const CudaStripWork& work, LaunchQueue& launches, Backend& threads,
                 const RunControl& control);
  Slot& slot(size_t number) { return slots_[number % kSlots]; }

  cudaStream_t uploads_ = nullptr, kernels_ = nullptr, downloads_ = nullptr;
  CudaStaging staged_uploads_, staged_downloads_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace tessera
