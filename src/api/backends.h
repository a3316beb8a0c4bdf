// Backends of this build by name.
#pragma once

#include <memory>

#include "base/result.h"
#include "exec/backend.h"
#include "tessera/tessera.h"

namespace tessera::api {

// As the options of a context ask for.
Result<std::unique_ptr<Backend>> make_backend(const tessera_context_options& options);

}  // namespace tessera::api
