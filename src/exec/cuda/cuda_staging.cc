// Copies through two pinned buffers.
#include "exec/cuda/cuda_staging.h"

#include <algorithm>
#include <cstring>

namespace tessera {
namespace {

constexpr size_t kPieceBytes = size_t{16} << 20;
// What a thread copies at least.
constexpr size_t kBytesPerTask = size_t{1} << 18;

Status copied(cudaError_t code) {
  return cuda_status(code, "cannot be copied to or from");
}

}  // namespace

CudaStaging::~CudaStaging() {
  for (Piece& piece : pieces_) {
    if (piece.is_free != nullptr) {
      static_cast<void>(cudaEventDestroy(piece.is_free));
    }
  }
}

Status CudaStaging::prepare(size_t piece_bytes) {
  for (Piece& piece : pieces_) {
    if (piece.is_free == nullptr) {
      TESSERA_RETURN_IF_ERROR(
          copied(cudaEventCreateWithFlags(&piece.is_free, cudaEventDisableTiming)));
    }
    TESSERA_RETURN_IF_ERROR(copied(cudaEventSynchronize(piece.is_free)));
    TESSERA_RETURN_IF_ERROR(piece.memory.reserve(piece_bytes));
  }
  return {};
}

Status CudaStaging::upload(const HostRows& rows, uint8_t* device, size_t device_stride,
                           Backend& threads, cudaStream_t stream) {
  const size_t piece_rows = std::min(rows.count, std::max<size_t>(1, kPieceBytes / device_stride));
  TESSERA_RETURN_IF_ERROR(prepare(piece_rows * device_stride));
  const size_t grain = std::max<size_t>(1, kBytesPerTask / device_stride);
  for (size_t first = 0, number = 0; first < rows.count; first += piece_rows, ++number) {
    const size_t count = std::min(piece_rows, rows.count - first);
    Piece& piece = pieces_[number % 2];
    TESSERA_RETURN_IF_ERROR(copied(cudaEventSynchronize(piece.is_free)));
    auto* const memory = piece.memory.as<uint8_t>();
    const auto copy_rows = [&](size_t begin, size_t end) -> Status {
      for (size_t row = begin; row < end; ++row) {
        std::memcpy(memory + row * device_stride, rows.first + (first + row) * rows.stride,
                    rows.bytes);
      }
      return {};
    };
    TESSERA_RETURN_IF_ERROR(threads.run({count, grain}, copy_rows, {}));
    TESSERA_RETURN_IF_ERROR(
        copied(cudaMemcpyAsync(device + first * device_stride, memory, count * device_stride,
                               cudaMemcpyHostToDevice, stream)));
    TESSERA_RETURN_IF_ERROR(copied(cudaEventRecord(piece.is_free, stream)));
  }
  return {};
}

Status CudaStaging::download(const uint8_t* device, uint8_t* host, size_t bytes, Backend& threads,
                             cudaStream_t stream) {
  TESSERA_RETURN_IF_ERROR(prepare(std::min(bytes, kPieceBytes)));
  const auto bytes_at = [&](size_t first) { return std::min(kPieceBytes, bytes - first); };
  const auto fetch = [&](size_t first) -> Status {
    Piece& piece = pieces_[first / kPieceBytes % 2];
    TESSERA_RETURN_IF_ERROR(
        copied(cudaMemcpyAsync(piece.memory.as<uint8_t>(), device + first, bytes_at(first),
                               cudaMemcpyDeviceToHost, stream)));
    return copied(cudaEventRecord(piece.is_free, stream));
  };
  TESSERA_RETURN_IF_ERROR(fetch(0));
  for (size_t first = 0; first < bytes; first += kPieceBytes) {
    if (first + kPieceBytes < bytes) {
      TESSERA_RETURN_IF_ERROR(fetch(first + kPieceBytes));
    }
    const Piece& piece = pieces_[first / kPieceBytes % 2];
    TESSERA_RETURN_IF_ERROR(copied(cudaEventSynchronize(piece.is_free)));
    const auto copy_bytes = [&](size_t begin, size_t end) -> Status {
      std::memcpy(host + first + begin, piece.memory.as<uint8_t>() + begin, end - begin);
      return {};
    };
    TESSERA_RETURN_IF_ERROR(threads.run({bytes_at(first), kBytesPerTask}, copy_bytes, {}));
  }
  return {};
}

}  // namespace tessera
