// What --version prints.
#pragma once

#include <string>

namespace tessera::cli {

// The version, and what this build contains.
std::string version_text();

}  // namespace tessera::cli
