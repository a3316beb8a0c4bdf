// Finding and loading the plug-in that implements the transport with MPI.
#pragma once

#include <memory>

#include "base/result.h"
#include "cluster/transport.h"

namespace tessera::cluster {

// Whether this build has the plug-in. Loads nothing.
bool have_mpi();

// Loads tessera_mpi.so and starts MPI. The plug-in is looked for beside the executable, then in
// ../lib/tessera of its folder, then where the system finds libraries. kUnsupported when the
// plug-in or MPI's own library is missing.
Result<std::unique_ptr<Transport>> start_mpi_transport();

// The same with a plug-in of any name: a path, or a name for the system's search.
Result<std::unique_ptr<Transport>> start_transport_of(const char* library);

}  // namespace tessera::cluster
