// A backend of threads with an OpenCL device beside them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/backend.h"
#include "exec/device.h"
#include "exec/opencl/opencl_session.h"

namespace tessera {

// Told once why work goes to the CPU after all.
using FallbackNote = std::function<void(const std::string& reason)>;

// How a format makes its kernels for a device.
struct OpenClFormat {
  std::string_view name;
  std::unique_ptr<DeviceKernels> (*make_kernels)(OpenClSession& session);
};

// With a note, work that fails on the device is done on the threads, and the note is told why;
// without one the failure is an error.
std::unique_ptr<Backend> make_device_backend(std::unique_ptr<OpenClSession> session,
                                             const std::vector<OpenClFormat>& formats,
                                             std::unique_ptr<Backend> threads, FallbackNote note);

}  // namespace tessera
