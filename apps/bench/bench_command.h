// The options of the benchmark. When they have been parsed, it runs and stores what became of it.
#pragma once

#include <CLI/CLI.hpp>

#include "base/result.h"

namespace tessera::cli {

void add_bench_options(CLI::App& app, Status& outcome);

}  // namespace tessera::cli
