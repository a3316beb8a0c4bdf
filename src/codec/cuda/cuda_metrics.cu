// Compares pictures in memory of a CUDA device.
#include "codec/cuda/cuda_metrics.h"

#include <array>
#include <mutex>

#include "codec/cuda/metrics_stages-inl.h"
#include "codec/device_metrics.h"
#include "exec/cuda/cuda_machine.cuh"
#include "exec/cuda/cuda_memory.h"

namespace tessera {
namespace {

using metrics::Slot;

class MetricsMachine : public CudaMachine {
 public:
  using Memory = std::array<CudaDeviceBuffer, static_cast<size_t>(Slot::kCount)>;

  MetricsMachine(cudaStream_t stream, CudaBranches& branches, unsigned processors, Memory& memory)
      : CudaMachine(stream, branches, processors), memory_(memory) {}

  template <class T>
  Result<T*> reserve(Slot slot, size_t count) {
    CudaDeviceBuffer& buffer = memory_[static_cast<size_t>(slot)];
    TESSERA_RETURN_IF_ERROR(buffer.reserve(count * sizeof(T)));
    return buffer.as<T>();
  }
  uint32_t texels_at_once() const { return 1u << 22; }  // 235 MB of doubles

 private:
  Memory& memory_;
};

class CudaMetrics : public MetricsKernels {
 public:
  explicit CudaMetrics(std::shared_ptr<CudaDevice> device) : device_(std::move(device)) {}

  Result<Metrics> compare(const DeviceImage& reference, const DeviceImage& test,
                          const MetricsOptions& options, void* stream) override {
    TESSERA_RETURN_IF_ERROR(device_->make_current());
    const std::lock_guard lock(mutex_);
    MetricsMachine machine(static_cast<cudaStream_t>(stream), branches_, device_->processors(),
                           memory_);
    return metrics::Driver<MetricsMachine>(machine, {reference, test}, options).run();
  }

 private:
  std::shared_ptr<CudaDevice> device_;
  std::mutex mutex_;  // one comparison at a time: each waits for its result
  CudaBranches branches_;
  MetricsMachine::Memory memory_;
};

}  // namespace

std::unique_ptr<DeviceKernels> make_cuda_metrics(std::shared_ptr<CudaDevice> device) {
  return std::make_unique<CudaMetrics>(std::move(device));
}

}  // namespace tessera
