// Makes what compares pictures on a CUDA device.
#pragma once

#include <memory>

#include "exec/cuda/cuda_device.h"
#include "exec/device.h"

namespace tessera {

std::unique_ptr<DeviceKernels> make_cuda_metrics(std::shared_ptr<CudaDevice> device);

}  // namespace tessera
