// Backends of this build by name.
#pragma once

#include <memory>

#include "base/result.h"
#include "exec/backend.h"
#include "tessera/tessera.h"

namespace tessera::api {

// As the options of a context ask for.
Result<std::unique_ptr<Backend>> make_backend(const tessera_context_options& options);

// The device for a rank that has this number on its machine, where none was named.
Result<unsigned> device_of_rank(unsigned number);

unsigned all_cores();

}  // namespace tessera::api
