// How textures and fractal images are read, for all verbs that read them.
#pragma once

#include <CLI/CLI.hpp>
#include <tessera/tessera.hpp>

namespace tessera::cli {

// --profile, and what only some formats know.
void add_decode_options(CLI::App& command, DecodeOptions& options);

}  // namespace tessera::cli
