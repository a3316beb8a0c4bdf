// A device beside the CPU, such as a GPU. Formats have kernels for kinds of devices; what a kernel
// is, this folder does not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "exec/backend.h"

namespace tessera {

// There are none in browsers, which have to load what is compiled.
#ifdef TESSERA_SMALL_CODE
inline constexpr bool kHasDevices = false;
#else
inline constexpr bool kHasDevices = true;
#endif

// An RGBA8 picture in memory of a device.
struct DeviceImage {
  const void* texels = nullptr;
  size_t row_bytes = 0;  // from a row to the next, a multiple of 4
  uint32_t width = 0;
  uint32_t height = 0;
};

// The same to be written. `not_opaque`, where it is not null, is set to 1 by who writes a texel
// that is not opaque.
struct MutableDeviceImage {
  void* texels = nullptr;
  size_t row_bytes = 0;
  uint32_t width = 0;
  uint32_t height = 0;
  uint32_t* not_opaque = nullptr;
};

// Memory of a device for work that stays there, and a stream to do it on. It is kept between uses.
class DeviceMemory {
 public:
  static constexpr size_t kSlots = 4;

  std::mutex in_use;  // to be held by the thread that works with it

  virtual ~DeviceMemory() = default;

  // A piece of at least so many bytes; what was in the slot is lost.
  virtual Result<void*> reserve(size_t slot, size_t bytes) = 0;
  virtual Status clear(void* memory, size_t bytes) = 0;
  // `threads` copy.
  virtual Status upload(ByteSpan from, void* to, Backend& threads) = 0;
  // Waits for all that is on the stream.
  virtual Status download(const void* from, std::span<uint8_t> to, Backend& threads) = 0;
  virtual void* stream() = 0;
};

// The kernels of one format on one device, for any number of threads at once. Each format derives
// its own interface, and what a device has under the format's name is of that.
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

  // nullptr where kernels of different formats cannot share memory, and after give_up().
  virtual DeviceMemory* memory() { return nullptr; }

  // What compares pictures that lie on the device, a MetricsKernels (codec/device_metrics.h);
  // nullptr where nothing does, and after give_up().
  virtual DeviceKernels* metrics() { return nullptr; }

  // Work on the device failed. True: the reason has been told, and the work is to be done on
  // threads, from now on. False: the failure is that of the work.
  virtual bool give_up(const Error& error) = 0;
};

// A device's kernels of a format as the format's own interface; nullptr where there are none, or no
// device.
template <class Kernels>
Kernels* kernels_as(Device* device, std::string_view format) {
  return device == nullptr ? nullptr : static_cast<Kernels*>(device->kernels(format));
}

}  // namespace tessera
