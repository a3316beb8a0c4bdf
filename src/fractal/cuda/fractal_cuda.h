// Makes the kernels of fractal images for a CUDA device.
#pragma once

#include <memory>

#include "exec/cuda/cuda_device.h"
#include "exec/device.h"

namespace tessera {

std::unique_ptr<DeviceKernels> make_fractal_cuda(std::shared_ptr<CudaDevice> device);

}  // namespace tessera
