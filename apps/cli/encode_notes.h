// What people should know about a file that has been encoded.
#pragma once

#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

// Sentences for standard error about what is not in the texture of the format.
std::vector<std::string> notes_of_encoding(const FileReport& file, const std::string& format);

}  // namespace tessera::cli
