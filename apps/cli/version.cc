// The version and what this build contains, as text.
#include "version.h"

#include <algorithm>

#include "client.h"
#include "installed_rivals.h"

namespace tessera::cli {
namespace {

bool has_backend(const char* name) {
  const Json& backends = build()["backends"];
  return std::find(backends.begin(), backends.end(), name) != backends.end();
}

std::string rivals_line() {
  std::string names;
  for (const std::string& name : bench::installed_rivals()) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return "\nrivals:   " + (names.empty() ? "none" : names);
}

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
