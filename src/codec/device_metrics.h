// Comparing pictures that lie in memory of a device, with the figures of the CPU.
#pragma once

#include "base/result.h"
#include "exec/device.h"
#include "image/metrics.h"

namespace tessera {

class MetricsKernels : public DeviceKernels {
 public:
  // Works on the caller's stream and waits for it. Both pictures are RGBA8 and of one size.
  virtual Result<Metrics> compare(const DeviceImage& reference, const DeviceImage& test,
                                  const MetricsOptions& options, void* stream) = 0;
};

// kUnsupported where the device compares nothing, kInvalid where sizes differ.
Result<Metrics> compare_on_device(Device* device, const DeviceImage& reference,
                                  const DeviceImage& test, const MetricsOptions& options,
                                  void* stream);

}  // namespace tessera
