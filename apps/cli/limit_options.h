// What an input may ask for, for all verbs that read files.
#pragma once

#include <CLI/CLI.hpp>
#include <tessera/tessera.hpp>

namespace tessera::cli {

// --max-pixels, --max-memory, --max-file, --max-seconds and --untrusted.
void add_limit_options(CLI::App& command, Limits& limits);

}  // namespace tessera::cli
