// The backend "opencl": what has kernels for the device runs there, all else on threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "exec/backend.h"

namespace tessera {

// Told once why work goes to the CPU after all.
using FallbackNote = std::function<void(const std::string& reason)>;

// The device by its number, or the first GPU. With a note, work that fails on the device is done on
// threads, and the note is told why; without one the failure is an error.
Result<std::unique_ptr<Backend>> make_opencl_backend(std::optional<unsigned> device,
                                                     unsigned threads, FallbackNote note = {});

}  // namespace tessera
