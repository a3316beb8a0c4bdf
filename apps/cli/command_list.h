// All verbs and options of the command as JSON, for programs that make manuals and completions.
#pragma once

#include <CLI/CLI.hpp>

#include "client.h"

namespace tessera::cli {

// {"name", "purpose", "positionals", "options", "footer"} of a verb whose options have been added.
Json verb_json(const CLI::App& verb);

}  // namespace tessera::cli
