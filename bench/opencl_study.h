// The measurements of the published GPU version of LSpiro, made again on the device at hand, beside
// this program's own kernels.
#pragma once

#include <string>

#include "base/result.h"
#include "exec/backend.h"

namespace tessera {

// Tables as text. Fails where the variants of one experiment give different bytes. `threads` copy
// from and to the device.
Result<std::string> run_opencl_study(unsigned device, Backend& threads);

}  // namespace tessera
