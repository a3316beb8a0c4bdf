// `tessera bench` is a program of its own, tessera-bench, which lies beside the command.
#pragma once

#include <CLI/CLI.hpp>

namespace tessera::cli {

// Replaces this process by the benchmark; returns an exit code where it cannot be started.
int start_benchmark(char** argv);

// So that --help names the verb. Nothing where the build has no benchmark.
void add_benchmark_to_help(CLI::App& app);

}  // namespace tessera::cli
