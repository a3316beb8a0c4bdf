// What people should know about a file that has been encoded.
#pragma once

#include <string>
#include <tessera/tessera.hpp>

namespace tessera::cli {

// One sentence for standard error about what is not in the texture of the format; "" where nothing
// is missing.
std::string note_of_encoding(const FileReport& file, const std::string& format);

}  // namespace tessera::cli
