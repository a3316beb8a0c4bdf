#pragma once

#include <string>

namespace tessera::cli {

std::string version_number();

// That, and what this build contains.
std::string version_text();

}  // namespace tessera::cli
