// The backend "opencl": what has kernels for the device runs there, all else on threads.
#pragma once

#include <memory>
#include <optional>

#include "base/result.h"
#include "exec/backend.h"
#include "exec/opencl/opencl_device.h"

namespace tessera {

// The device by its number, or the first GPU; for the note see opencl_device.h. `threads` does what
// the device does not.
Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     std::unique_ptr<Backend> threads,
                                                     FallbackNote note = {});

}  // namespace tessera
