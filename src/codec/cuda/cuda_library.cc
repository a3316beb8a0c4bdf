// The plug-in for CUDA devices: lists them, and opens one with the kernels of all formats that have
// some.
#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/cuda/cuda_metrics.h"
#include "exec/cuda/cuda_device.h"
#include "exec/cuda/cuda_device_memory.h"
#include "exec/cuda/cuda_plugin.h"

namespace tessera {

#define TESSERA_CUDA_CODEC(name) \
  std::unique_ptr<DeviceKernels> make_##name##_cuda(std::shared_ptr<CudaDevice> device);
#include "codec/cuda_codec_list.inc"
#undef TESSERA_CUDA_CODEC

namespace {

Result<int> device_count() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorInsufficientDriver) {
    return unsupported_error("there is no CUDA device, or its driver is missing or too old");
  }
  if (code != cudaSuccess || count == 0) {
    return unsupported_error("there is no CUDA device");
  }
  return count;
}

class Library : public CudaLibrary {
 public:
  Result<std::vector<CudaDeviceInfo>> list_devices() override {
    TESSERA_ASSIGN_OR_RETURN(const int count, device_count());
    std::vector<CudaDeviceInfo> devices;
    for (int i = 0; i < count; ++i) {
      cudaDeviceProp properties;
      TESSERA_RETURN_IF_ERROR(
          cuda_status(cudaGetDeviceProperties(&properties, i), "cannot be asked"));
      devices.push_back({properties.name,
                         "compute capability " + std::to_string(properties.major) + "." +
                             std::to_string(properties.minor),
                         static_cast<uint32_t>(properties.multiProcessorCount),
                         properties.totalGlobalMem});
    }
    return devices;
  }

  Result<OpenDevice> open(unsigned number) override {
    TESSERA_ASSIGN_OR_RETURN(const int count, device_count());
    if (number >= static_cast<unsigned>(count)) {
      return unsupported_error("there is no CUDA device number " + std::to_string(number) +
                               ": there are " + std::to_string(count));
    }
    TESSERA_ASSIGN_OR_RETURN(auto device, CudaDevice::open(number));
    OpenDevice opened;
    opened.kind = "cuda";
#define TESSERA_CUDA_CODEC(name) opened.kernels[#name] = make_##name##_cuda(device);
#include "codec/cuda_codec_list.inc"
#undef TESSERA_CUDA_CODEC
    opened.memory = make_cuda_device_memory(device);
    opened.metrics = make_cuda_metrics(device);
    opened.session = std::move(device);
    return opened;
  }
};

}  // namespace
}  // namespace tessera

extern "C" __attribute__((visibility("default"))) tessera::CudaLibrary* tessera_cuda_library(
    int version) {
  static tessera::Library library;
  return version == tessera::kCudaPluginVersion ? &library : nullptr;
}
