// A backend of threads with devices beside them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exec/backend.h"
#include "exec/device.h"

namespace tessera {

// Told once why work goes to the CPU after all.
using FallbackNote = std::function<void(const std::string& reason)>;

// A device that has been opened, with the kernels of the formats that have some for it.
struct OpenDevice {
  std::string_view kind;          // "cuda", "opencl"
  std::shared_ptr<void> session;  // what the kernels work with
  std::map<std::string_view, std::unique_ptr<DeviceKernels>> kernels;
  std::unique_ptr<DeviceMemory> memory = nullptr;    // that kernels of different formats can share
  std::unique_ptr<DeviceKernels> metrics = nullptr;  // that compare pictures
};

// A format's work goes to the first device that has kernels for it. With a note, work that fails on
// a device is done on the threads, and the note is told why; without one the failure is an error.
std::unique_ptr<Backend> make_device_backend(std::vector<OpenDevice> devices,
                                             std::unique_ptr<Backend> threads, FallbackNote note);
// The same with one device.
std::unique_ptr<Backend> make_device_backend(OpenDevice device, std::unique_ptr<Backend> threads,
                                             FallbackNote note);

}  // namespace tessera
