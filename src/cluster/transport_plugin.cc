// Finding and loading the plug-in that implements the transport with MPI.
#include "cluster/transport_plugin.h"

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace tessera::cluster {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPluginName = "tessera_mpi.so";

// A path if the plug-in lies where we put it, otherwise its bare name for the system's search.
std::string plugin_path() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path : {folder / kPluginName, folder / "../lib/tessera" / kPluginName}) {
    if (!error && ::access(path.c_str(), F_OK) == 0) {
      return path.string();
    }
  }
  return kPluginName;
}

}  // namespace

bool have_mpi() {
#ifdef TESSERA_HAVE_MPI
  return true;
#else
  return false;
#endif
}

Result<std::unique_ptr<Transport>> start_transport_of(const char* library) {
  // Never closed: MPI cannot be started twice. Global, because older versions of Open MPI load
  // components of their own that look for MPI's symbols among the global ones.
  void* const plugin = ::dlopen(library, RTLD_NOW | RTLD_GLOBAL);
  if (plugin == nullptr) {
    return unsupported_error(std::string("MPI cannot be loaded: ") + ::dlerror());
  }
  const auto start = reinterpret_cast<StartTransport>(::dlsym(plugin, kStartTransport));
  if (start == nullptr) {
    return unsupported_error(std::string(library) + " is not a plug-in of tessera");
  }
  TransportProblem problem;
  std::unique_ptr<Transport> transport(start(kTransportVersion, &problem));
  if (!transport) {
    return problem.unsupported ? unsupported_error(problem.sentence)
                               : failed_error(problem.sentence);
  }
  return transport;
}

Result<std::unique_ptr<Transport>> start_mpi_transport() {
  if (!have_mpi()) {
    return unsupported_error("this build has no MPI");
  }
  return start_transport_of(plugin_path().c_str());
}

}  // namespace tessera::cluster
