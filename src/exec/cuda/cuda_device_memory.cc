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
    const size_t row = std::min(from.size(), kRowBytes);
    const size_t whole = from.size() / row;
    auto* const device = static_cast<uint8_t*>(to);
    TESSERA_RETURN_IF_ERROR(
        staging_.upload({from.data(), row, row, whole}, device, row, threads, device_->stream()));
    const size_t rest = from.size() - whole * row;
    return rest == 0 ? Status()
                     : staging_.upload({from.data() + whole * row, rest, rest, 1},
                                       device + whole * row, rest, threads, device_->stream());
  }
  Status download(const void* from, std::span<uint8_t> to, Backend& threads) override {
    return staging_.download(static_cast<const uint8_t*>(from), to.data(), to.size(), threads,
                             device_->stream());
  }
  void* stream() override { return device_->stream(); }

 private:
  static constexpr size_t kRowBytes = size_t{1} << 16;  // that a thread copies at once

  std::shared_ptr<CudaDevice> device_;
  std::array<CudaDeviceBuffer, kSlots> slots_;
  CudaStaging staging_;
};

}  // namespace

std::unique_ptr<DeviceMemory> make_cuda_device_memory(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<CudaDeviceMemory>(std::move(device));
}

}  // namespace tessera
