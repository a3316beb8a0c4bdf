// How compressed textures are read, for all verbs that read them.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "codec/codec.h"

namespace tessera::cli {

void add_decode_options(CLI::App& command, std::string& profile, std::string& decode_mode);

// BC1: whose rounding to decode with.
void add_bc1_decoder_option(CLI::App& command, std::string& decoder);

// An empty profile means: as the file says.
Result<DecodeOptions> parse_decode_options(const std::string& profile,
                                           const std::string& decode_mode,
                                           const std::string& bc1_decoder);

}  // namespace tessera::cli
