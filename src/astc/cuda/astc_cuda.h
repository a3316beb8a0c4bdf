// ASTC on a CUDA device, from memory of the host and back.
#pragma once

#include <memory>

#include "astc/astc_device.h"
#include "exec/cuda/cuda_device.h"

namespace tessera {

std::unique_ptr<DeviceKernels> make_astc_cuda(std::shared_ptr<CudaDevice> device);

}  // namespace tessera
