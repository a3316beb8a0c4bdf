// Checks what is compared on a device.
#include "codec/device_metrics.h"

#include <string>

namespace tessera {
namespace {

std::string size_of(const DeviceImage& image) {
  return std::to_string(image.width) + "x" + std::to_string(image.height);
}

}  // namespace

Result<Metrics> compare_on_device(Device* device, const DeviceImage& reference,
                                  const DeviceImage& test, const MetricsOptions& options,
                                  void* stream) {
  auto* const kernels =
      device == nullptr ? nullptr : static_cast<MetricsKernels*>(device->metrics());
  if (kernels == nullptr) {
    return unsupported_error("memory of a device needs a backend that compares there: cuda");
  }
  if (reference.width != test.width || reference.height != test.height) {
    return invalid_error("images of different size cannot be compared: the reference is " +
                         size_of(reference) + ", the other one " + size_of(test));
  }
  if (reference.width == 0 || reference.height == 0) {
    return invalid_error("the images to compare have no pixels");
  }
  if (options.block_width == 0 || options.block_height == 0) {
    return usage_error("the blocks to compare by must be at least 1x1 texels");
  }
  return kernels->compare(reference, test, options, stream);
}

}  // namespace tessera
