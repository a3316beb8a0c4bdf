// Opens CUDA devices.
#include "exec/cuda/cuda_device.h"

namespace tessera {

Result<std::shared_ptr<CudaDevice>> CudaDevice::open(unsigned number) {
  std::shared_ptr<CudaDevice> device(new CudaDevice);
  device->number_ = number;
  TESSERA_RETURN_IF_ERROR(device->make_current());
  int processors = 0;
  TESSERA_RETURN_IF_ERROR(cuda_status(
      cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, static_cast<int>(number)),
      "cannot be asked"));
  device->processors_ = static_cast<unsigned>(processors);
  TESSERA_RETURN_IF_ERROR(cuda_status(
      cudaStreamCreateWithFlags(&device->stream_, cudaStreamNonBlocking), "cannot be used"));
  return device;
}

CudaDevice::~CudaDevice() {
  if (stream_ != nullptr) {
    static_cast<void>(cudaStreamDestroy(stream_));
  }
}

}  // namespace tessera
