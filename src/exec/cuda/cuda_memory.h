// Memory of a CUDA device, and of the host where the device reaches it quickly.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <utility>

#include "exec/cuda/cuda_calls.h"

namespace tessera {

enum class CudaMemoryKind { kDevice, kPinnedHost };

// Given back with its owner. Grows, and keeps nothing when it does.
template <CudaMemoryKind kKind>
class CudaBuffer {
 public:
  CudaBuffer() = default;
  CudaBuffer(CudaBuffer&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  CudaBuffer& operator=(CudaBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~CudaBuffer() { release(); }

  Status reserve(size_t bytes) {
    if (bytes <= bytes_) {
      return {};
    }
    release();
    const cudaError_t code = kKind == CudaMemoryKind::kDevice ? cudaMalloc(&memory_, bytes)
                                                              : cudaMallocHost(&memory_, bytes);
    if (code != cudaSuccess) {
      memory_ = nullptr;
      static_cast<void>(cudaGetLastError());  // later calls start anew
      return cuda_status(code, "gives no memory");
    }
    bytes_ = bytes;
    return {};
  }

  size_t bytes() const { return bytes_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  void release() {
    if (memory_ != nullptr) {
      static_cast<void>(kKind == CudaMemoryKind::kDevice ? cudaFree(memory_)
                                                         : cudaFreeHost(memory_));
    }
    memory_ = nullptr;
    bytes_ = 0;
  }

  void* memory_ = nullptr;
  size_t bytes_ = 0;
};

using CudaDeviceBuffer = CudaBuffer<CudaMemoryKind::kDevice>;
using CudaPinnedBuffer = CudaBuffer<CudaMemoryKind::kPinnedHost>;

// Copies what every later kernel may read, on whatever stream. A copy from ordinary memory may
// return while its last part is still on the way, for which only work on the default stream waits.
inline Status copy_tables(const void* from, size_t bytes, void* to) {
  constexpr const char* kWhat = "cannot take the tables";
  TESSERA_RETURN_IF_ERROR(cuda_status(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), kWhat));
  return cuda_status(cudaStreamSynchronize(cudaStreamLegacy), kWhat);
}

// The same into a buffer that takes as many bytes.
inline Status fill_with_tables(const void* from, size_t bytes, CudaDeviceBuffer& to) {
  TESSERA_RETURN_IF_ERROR(to.reserve(bytes));
  return copy_tables(from, bytes, to.as<void>());
}

}  // namespace tessera
