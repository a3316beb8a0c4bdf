// Copies piece by piece through pinned buffers.
#include "exec/cuda/cuda_staging.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"

namespace tessera {
namespace {

constexpr size_t kPieceBytes = size_t{8} << 20;
// What a thread copies at least.
constexpr size_t kBytesPerTask = size_t{1} << 18;

Status copied(cudaError_t code) {
  return cuda_status(code, "cannot be copied to or from");
}

// Rows that lie apart differently.
struct RowCopy {
  const uint8_t* from;
  size_t from_stride;
  uint8_t* to;
  size_t to_stride;
  size_t bytes, count;
};

Status copy_rows(const RowCopy& rows, Backend& threads) {
  const auto copy_range = [&](size_t begin, size_t end) -> Status {
    for (size_t row = begin; row < end; ++row) {
      std::memcpy(rows.to + row * rows.to_stride, rows.from + row * rows.from_stride, rows.bytes);
    }
    return {};
  };
  const size_t grain = std::max<size_t>(1, kBytesPerTask / std::max<size_t>(rows.bytes, 1));
  return threads.run({rows.count, grain}, copy_range, {});
}

// How rows are cut into pieces.
struct Pieces {
  Pieces(size_t row_count, size_t device_stride)
      : all_rows(row_count),
        rows(std::min(row_count, std::max<size_t>(1, kPieceBytes / device_stride))),
        count(rows == 0 ? 0 : divide_round_up(row_count, rows)) {}

  size_t first_row(size_t number) const { return number * rows; }
  size_t row_count(size_t number) const { return std::min(rows, all_rows - first_row(number)); }

  size_t all_rows, rows, count;
};

// Memory as rows: calls copy(rows, offset) with the whole ones, and with the rest as one row.
template <class Byte, class Copy>
Status for_rows(Byte* memory, size_t bytes, const Copy& copy) {
  constexpr size_t kRowBytes = size_t{1} << 16;
  const size_t whole = bytes / kRowBytes, rest = bytes % kRowBytes;
  if (whole > 0) {
    TESSERA_RETURN_IF_ERROR(copy(RowsOf<Byte>{memory, kRowBytes, kRowBytes, whole}, 0));
  }
  const size_t offset = whole * kRowBytes;
  return rest == 0 ? Status() : copy(RowsOf<Byte>{memory + offset, rest, rest, 1}, offset);
}

}  // namespace

Status CudaStaging::prepare(size_t piece_bytes) {
  for (Piece& piece : pieces_) {
    if (piece.memory.bytes() < piece_bytes) {
      TESSERA_RETURN_IF_ERROR(piece.is_free.wait());
      TESSERA_RETURN_IF_ERROR(piece.memory.reserve(piece_bytes));
    }
  }
  return {};
}

Status CudaStaging::upload(const HostRows& rows, uint8_t* device, size_t device_stride,
                           Backend& threads, cudaStream_t stream) {
  const Pieces pieces(rows.count, device_stride);
  TESSERA_RETURN_IF_ERROR(prepare(pieces.rows * device_stride));
  for (size_t number = 0; number < pieces.count; ++number) {
    const size_t first = pieces.first_row(number), count = pieces.row_count(number);
    Piece& staged = piece(number);
    TESSERA_RETURN_IF_ERROR(staged.is_free.wait());
    auto* const memory = staged.memory.as<uint8_t>();
    TESSERA_RETURN_IF_ERROR(copy_rows(
        {rows.first + first * rows.stride, rows.stride, memory, device_stride, rows.bytes, count},
        threads));
    TESSERA_RETURN_IF_ERROR(
        copied(cudaMemcpyAsync(device + first * device_stride, memory, count * device_stride,
                               cudaMemcpyHostToDevice, stream)));
    TESSERA_RETURN_IF_ERROR(staged.is_free.record(stream));
  }
  return {};
}

Status CudaStaging::download(const uint8_t* device, size_t device_stride,
                             const MutableHostRows& rows, Backend& threads, cudaStream_t stream) {
  const Pieces pieces(rows.count, device_stride);
  TESSERA_RETURN_IF_ERROR(prepare(pieces.rows * device_stride));
  size_t asked = 0;
  for (size_t number = 0; number < pieces.count; ++number) {
    for (; asked < std::min(pieces.count, number + pieces_.size()); ++asked) {
      Piece& next = piece(asked);
      TESSERA_RETURN_IF_ERROR(copied(cudaMemcpyAsync(
          next.memory.as<uint8_t>(), device + pieces.first_row(asked) * device_stride,
          pieces.row_count(asked) * device_stride, cudaMemcpyDeviceToHost, stream)));
      TESSERA_RETURN_IF_ERROR(next.is_free.record(stream));
    }
    TESSERA_RETURN_IF_ERROR(piece(number).is_free.wait());
    TESSERA_RETURN_IF_ERROR(copy_rows({piece(number).memory.as<uint8_t>(), device_stride,
                                       rows.first + pieces.first_row(number) * rows.stride,
                                       rows.stride, rows.bytes, pieces.row_count(number)},
                                      threads));
  }
  return {};
}

Status CudaStaging::upload(ByteSpan from, void* device, Backend& threads, cudaStream_t stream) {
  return for_rows(from.data(), from.size(), [&](const HostRows& rows, size_t offset) {
    return upload(rows, static_cast<uint8_t*>(device) + offset, rows.stride, threads, stream);
  });
}

Status CudaStaging::download(const void* device, std::span<uint8_t> to, Backend& threads,
                             cudaStream_t stream) {
  return for_rows(to.data(), to.size(), [&](const MutableHostRows& rows, size_t offset) {
    return download(static_cast<const uint8_t*>(device) + offset, rows.stride, rows, threads,
                    stream);
  });
}

}  // namespace tessera
