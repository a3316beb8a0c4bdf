// What this build has.
#pragma once

#include <string>

namespace tessera::api {

// Names are separated by ", ".
struct BuildParts {
  std::string containers;
  std::string pictures;
  std::string backends;
  bool has_zstd = false;
};

BuildParts build_parts();

}  // namespace tessera::api
