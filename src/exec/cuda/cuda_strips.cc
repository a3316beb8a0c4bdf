// Sends strips round through a few slots: one stream copies to the device, one computes, one copies
// back.
#include "exec/cuda/cuda_strips.h"

#include <algorithm>

namespace tessera {
namespace {

Status used(cudaError_t code) {
  return cuda_status(code, "cannot be used");
}

Status make_stream(cudaStream_t& stream) {
  return stream != nullptr ? Status()
                           : used(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
}

}  // namespace

CudaStripRunner::~CudaStripRunner() {
  for (const cudaStream_t stream : {uploads_, kernels_, downloads_}) {
    if (stream != nullptr) {
      static_cast<void>(cudaStreamDestroy(stream));
    }
  }
}

Status CudaStripRunner::prepare(const CudaStripWork& work) {
  for (cudaStream_t* const stream : {&uploads_, &kernels_, &downloads_}) {
    TESSERA_RETURN_IF_ERROR(make_stream(*stream));
  }
  for (size_t i = 0; i < std::min(kSlots, work.count); ++i) {
    TESSERA_RETURN_IF_ERROR(slots_[i].in.reserve(work.in_rows * work.in_stride));
    TESSERA_RETURN_IF_ERROR(slots_[i].out.reserve(work.out_rows * work.out_stride));
  }
  return {};
}

Status CudaStripRunner::upload(const CudaStripWork& work, size_t number, Backend& threads) {
  const HostRows rows = work.strip(number).in;
  TESSERA_RETURN_IF_ERROR(staged_uploads_.upload(rows, slot(number).in.as<uint8_t>(),
                                                 work.in_stride, threads, uploads_));
  return slot(number).uploaded.record(uploads_);
}

Status CudaStripRunner::compute(const CudaStripWork& work, size_t number) {
  Slot& own = slot(number);
  TESSERA_RETURN_IF_ERROR(own.uploaded.wait(kernels_));
  TESSERA_RETURN_IF_ERROR(
      work.launch(number, own.in.as<uint8_t>(), own.out.as<uint8_t>(), kernels_));
  return own.computed.record(kernels_);
}

Status CudaStripRunner::download(const CudaStripWork& work, size_t number, Backend& threads) {
  Slot& own = slot(number);
  TESSERA_RETURN_IF_ERROR(own.computed.wait(downloads_));
  return staged_downloads_.download(own.out.as<uint8_t>(), work.out_stride, work.strip(number).out,
                                    threads, downloads_);
}

Status CudaStripRunner::run_all(const CudaStripWork& work, LaunchQueue& launches, Backend& threads,
                                const RunControl& control) {
  for (size_t i = 0; i < work.count + kSlots; ++i) {
    if (i >= kSlots && i - kSlots < work.count) {
      const size_t oldest = i - kSlots;
      TESSERA_RETURN_IF_ERROR(launches.wait(oldest));
      TESSERA_RETURN_IF_ERROR(download(work, oldest, threads));
      if (control.progress) {
        control.progress(static_cast<double>(oldest + 1) / static_cast<double>(work.count));
      }
    }
    if (i >= work.count) {
      continue;
    }
    if (control.cancelled != nullptr && control.cancelled->load()) {
      return Error{ErrorCode::kInterrupted, "interrupted"};
    }
    TESSERA_RETURN_IF_ERROR(upload(work, i, threads));
    TESSERA_RETURN_IF_ERROR(launches.ask());
  }
  return {};
}

Status CudaStripRunner::run(const CudaStripWork& work, Backend& threads,
                            const RunControl& control) {
  TESSERA_RETURN_IF_ERROR(prepare(work));
  int device = 0;
  TESSERA_RETURN_IF_ERROR(used(cudaGetDevice(&device)));
  Status status;
  {
    LaunchQueue launches(
        [&](size_t number) -> Status {
          TESSERA_RETURN_IF_ERROR(used(cudaSetDevice(device)));  // of the thread at work
          return compute(work, number);
        },
        work.place);
    status = run_all(work, launches, threads, control);
  }
  if (!status) {  // nothing may be under way in buffers that the next call uses
    for (const cudaStream_t stream : {uploads_, kernels_, downloads_}) {
      static_cast<void>(cudaStreamSynchronize(stream));
    }
  }
  return status;
}

}  // namespace tessera
