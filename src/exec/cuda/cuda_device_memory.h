// Memory of a CUDA device that kernels of several formats share.
#pragma once

#include <memory>

#include "exec/cuda/cuda_device.h"
#include "exec/device.h"

namespace tessera {

std::unique_ptr<DeviceMemory> make_cuda_device_memory(std::shared_ptr<CudaDevice> device);

}  // namespace tessera
