// A device beside the CPU, such as a GPU. Formats have kernels for kinds of devices; what a kernel
// is, this folder does not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tessera {

// An RGBA8 picture in memory of a device.
struct DeviceImage {
  const void* texels = nullptr;
  size_t row_bytes = 0;  // from a row to the next, a multiple of 4
  uint32_t width = 0;
  uint32_t height = 0;
};

// The kernels of one format on one device. Each format derives its own interface.
class DeviceKernels {
 public:
  virtual ~DeviceKernels() = default;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string_view kind() const = 0;  // "cuda", "opencl"

  // By the format's name; nullptr where it has none for this device, and after give_up().
  virtual DeviceKernels* kernels(std::string_view format) = 0;

  // Work on the device failed. True: the reason has been told, and the work is to be done on
  // threads, from now on. False: the failure is that of the work.
  virtual bool give_up(const Error& error) = 0;
};

}  // namespace tessera
