// Slots of memory, and copies through pinned buffers.
#include "exec/cuda/cuda_device_memory.h"

#include <array>

#include "exec/cuda/cuda_memory.h"
#include "exec/cuda/cuda_staging.h"

namespace tessera {
namespace {

class CudaDeviceMemory : public DeviceMemory {
 public:
  explicit CudaDeviceMemory(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {}

  Result<void*> reserve(size_t slot, size_t bytes) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    TESSERA_RETURN_IF_ERROR(slots_[slot].reserve(bytes));
    return slots_[slot].as<void>();
  }
  Status clear(void* memory, size_t bytes) override {
    return cuda_status(cudaMemsetAsync(memory, 0, bytes, device_->stream()), "failed");
  }
  Status upload(ByteSpan from, void* to, Backend& threads) override {
    return staging_.upload(from, to, threads, device_->stream());
  }
  Status download(const void* from, std::span<uint8_t> to, Backend& threads) override {
    return staging_.download(from, to, threads, device_->stream());
  }
  void* stream() override { return device_->stream(); }

 private:
  std::shared_ptr<CudaDevice> device_;
  std::array<CudaDeviceBuffer, kSlots> slots_;
  CudaStaging staging_;
};

}  // namespace

std::unique_ptr<DeviceMemory> make_cuda_device_memory(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<CudaDeviceMemory>(std::move(device));
}

}  // namespace tessera
