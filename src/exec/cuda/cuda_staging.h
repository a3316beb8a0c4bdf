// Copies between ordinary memory of the host and a device. The device reaches pinned memory at the
// full speed of the link; taking such memory is slow, so pieces go through a few small buffers of
// it, which many threads fill and empty.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/bytes.h"
#include "exec/backend.h"
#include "exec/cuda/cuda_event.h"
#include "exec/cuda/cuda_memory.h"

namespace tessera {

// Rows of a picture, or of its blocks, in memory of the host.
template <class Byte>
struct RowsOf {
  Byte* first = nullptr;
  size_t stride = 0;  // bytes from a row to the next
  size_t bytes = 0;   // of a row
  size_t count = 0;
};
using HostRows = RowsOf<const uint8_t>;
using MutableHostRows = RowsOf<uint8_t>;

// For one stream at a time. Keeps its buffers.
class CudaStaging {
 public:
  // Rows come to lie `device_stride` bytes apart. The last pieces may still be on their way when
  // the call returns; the stream knows.
  Status upload(const HostRows& rows, uint8_t* device, size_t device_stride, Backend& threads,
                cudaStream_t stream);

  // Rows lie `device_stride` bytes apart. Waits until all has come.
  Status download(const uint8_t* device, size_t device_stride, const MutableHostRows& rows,
                  Backend& threads, cudaStream_t stream);

  // The same for memory without rows.
  Status upload(ByteSpan from, void* device, Backend& threads, cudaStream_t stream);
  Status download(const void* device, std::span<uint8_t> to, Backend& threads, cudaStream_t stream);

 private:
  struct Piece {
    CudaPinnedBuffer memory;
    CudaEvent is_free;  // what was last copied from or to it has come
  };

  Status prepare(size_t piece_bytes);
  Piece& piece(size_t number) { return pieces_[number % pieces_.size()]; }

  std::array<Piece, 3> pieces_;
};

}  // namespace tessera
