// The version and what this build contains, as text.
#include "version.h"

#include <algorithm>

#include "client.h"
#ifdef TESSERA_HAVE_BENCH
#include "installed_rivals.h"
#endif

namespace tessera::cli {
namespace {

bool has_backend(const char* name) {
  const Json& backends = build()["backends"];
  return std::find(backends.begin(), backends.end(), name) != backends.end();
}

#ifdef TESSERA_HAVE_BENCH
std::string rivals_line() {
  std::string names;
  for (const std::string& name : bench::installed_rivals()) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return "\nrivals:   " + (names.empty() ? "none" : names);
}
#else
std::string rivals_line() {
  return "";
}
#endif

}  // namespace

std::string version_text() {
  return "tessera " + version() + "\nformats:  " + build_names("formats") +
         "\nbackends: " + build_names("backends") +
         (has_backend("mpi") ? "" : " (this build has no MPI)") +
         "\npictures: " + build_names("pictures") + "\ntextures: " + build_names("containers") +
         (build()["zstd"] ? " (with zstd)" : "") +
         "\nkernels:  " + build()["isa"].get<std::string>() +
         " (available: " + build_names("available_isas") + ")" + rivals_line();
}

}  // namespace tessera::cli
