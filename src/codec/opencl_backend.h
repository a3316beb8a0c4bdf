// OpenCL devices with the kernels of all formats that have some.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "exec/device_backend.h"

namespace tessera {

// The device by its number, or the first GPU.
Result<OpenDevice> open_opencl_device(std::optional<unsigned> device);

// The backend with such a device alone; for the note see device_backend.h.
Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     std::unique_ptr<Backend> threads,
                                                     FallbackNote note = {});

}  // namespace tessera
