// Limits of what files may ask for, in the C interface.
#pragma once

#include "base/limits.h"
#include "base/result.h"
#include "tessera/tessera.h"

namespace tessera::api {

// Null: the defaults.
Result<Limits> read_limits(const tessera_limits* given);

}  // namespace tessera::api
