// Backends of this build by name.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "exec/backend.h"
#include "tessera/tessera.h"

namespace tessera::api {

// As the options of a context ask for.
Result<std::unique_ptr<Backend>> make_backend(const tessera_context_options& options);

// Whether a backend is a kind of devices.
bool is_device_kind(std::string_view backend);

// The device of a kind for a rank that has this number on its machine, where none was named: ranks
// take the machine's devices in turn.
Result<unsigned> device_of_rank(std::string_view kind, unsigned number);

unsigned all_cores();

}  // namespace tessera::api
