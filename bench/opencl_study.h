// The measurements of the published GPU version of LSpiro, made again on the device at hand, beside
// this program's own kernels.
#pragma once

#include <string>

#include "base/result.h"

namespace tessera {

// Tables as text. Fails where the variants of one experiment give different bytes.
Result<std::string> run_opencl_study(unsigned device);

}  // namespace tessera
