// Sends strips round through a few slots, each with a stream of its own.
#include "exec/cuda/cuda_strips.h"

#include <algorithm>
#include <cstring>

namespace tessera {
namespace {

// What a thread copies at least, in bytes.
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

}  // namespace

CudaStripRunner::~CudaStripRunner() {
  for (Slot& slot : slots_) {
    if (slot.stream != nullptr) {
      static_cast<void>(cudaStreamDestroy(slot.stream));
    }
  }
}

Status CudaStripRunner::prepare(const CudaStripWork& work) {
  const size_t slots = std::min(slots_.size(), work.count);
  for (size_t i = 0; i < slots; ++i) {
    Slot& slot = slots_[i];
    slot.result = {};
    if (slot.stream == nullptr) {
      TESSERA_RETURN_IF_ERROR(
          copied(cudaStreamCreateWithFlags(&slot.stream, cudaStreamNonBlocking)));
    }
    const size_t in_bytes = work.in_rows * work.in_stride;
    const size_t out_bytes = work.out_rows * work.out_stride;
    TESSERA_RETURN_IF_ERROR(slot.pinned_in.reserve(in_bytes));
    TESSERA_RETURN_IF_ERROR(slot.in.reserve(in_bytes));
    TESSERA_RETURN_IF_ERROR(slot.pinned_out.reserve(out_bytes));
    TESSERA_RETURN_IF_ERROR(slot.out.reserve(out_bytes));
  }
  return {};
}

Status CudaStripRunner::begin(const CudaStripWork& work, size_t number, Slot& slot,
                              Backend& threads) {
  const CudaStrip strip = work.strip(number);
  auto* const pinned = slot.pinned_in.as<uint8_t>();
  TESSERA_RETURN_IF_ERROR(copy_rows(
      {strip.in.first, strip.in.stride, pinned, work.in_stride, strip.in.bytes, strip.in.count},
      threads));
  TESSERA_RETURN_IF_ERROR(
      copied(cudaMemcpyAsync(slot.in.as<uint8_t>(), pinned, strip.in.count * work.in_stride,
                             cudaMemcpyHostToDevice, slot.stream)));
  TESSERA_RETURN_IF_ERROR(
      work.launch(number, slot.in.as<uint8_t>(), slot.out.as<uint8_t>(), slot.stream));
  TESSERA_RETURN_IF_ERROR(copied(
      cudaMemcpyAsync(slot.pinned_out.as<uint8_t>(), slot.out.as<uint8_t>(),
                      strip.out.count * work.out_stride, cudaMemcpyDeviceToHost, slot.stream)));
  slot.result = strip.out;
  return {};
}

Status CudaStripRunner::collect(const CudaStripWork& work, Slot& slot, Backend& threads) {
  if (slot.result.count == 0) {
    return {};
  }
  const MutableHostRows rows = std::exchange(slot.result, {});
  TESSERA_RETURN_IF_ERROR(cuda_status(cudaStreamSynchronize(slot.stream), "failed"));
  return copy_rows({slot.pinned_out.as<uint8_t>(), work.out_stride, rows.first, rows.stride,
                    rows.bytes, rows.count},
                   threads);
}

Status CudaStripRunner::run_all(const CudaStripWork& work, Backend& threads,
                                const RunControl& control) {
  for (size_t i = 0; i < work.count + slots_.size(); ++i) {
    Slot& slot = slots_[i % slots_.size()];
    TESSERA_RETURN_IF_ERROR(collect(work, slot, threads));
    if (i >= work.count) {
      continue;
    }
    if (control.cancelled != nullptr && control.cancelled->load()) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    TESSERA_RETURN_IF_ERROR(begin(work, i, slot, threads));
    if (control.progress) {
      control.progress(static_cast<double>(i + 1) / static_cast<double>(work.count));
    }
  }
  return {};
}

Status CudaStripRunner::run(const CudaStripWork& work, Backend& threads,
                            const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(prepare(work));
  Status status = run_all(work, threads, control);
  if (!status) {  // nothing may be under way in buffers that the next call uses
    for (const Slot& slot : slots_) {
      if (slot.stream != nullptr) {
        static_cast<void>(cudaStreamSynchronize(slot.stream));
      }
    }
  }
  return status;
}

}  // namespace tessera
