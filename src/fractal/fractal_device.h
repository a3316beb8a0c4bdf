// What fractal images ask of kernels on a device, whatever kind it is.
#pragma once

#include <memory>

#include "exec/backend.h"
#include "exec/device.h"
#include "fractal/device_search.h"

namespace tessera {

class FractalKernels : public DeviceKernels {
 public:
  // The searches of both coders, for one image at a time; waits while too many images are searched.
  // `threads` copy. Both the kernels and the threads must outlive the use of it.
  virtual std::unique_ptr<fractal::DeviceSearch> search(Backend& threads) = 0;
};

}  // namespace tessera
