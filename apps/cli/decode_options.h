// How compressed textures are read, for all verbs that read them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "codec/codec.h"

namespace tessera::cli {

void add_decode_options(CLI::App& command, std::string& profile, std::string& decode_mode);

// An empty profile means: as the file says.
Result<DecodeOptions> parse_decode_options(const std::string& profile,
                                           const std::string& decode_mode);

}  // namespace tessera::cli
