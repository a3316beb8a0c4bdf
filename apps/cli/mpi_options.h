// What --backend mpi can be told.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tessera::cli {

struct MpiOptions {
  std::string rank_backend;            // what a rank computes with: cpu, opencl
  std::optional<uint32_t> unit_rows;   // block rows of a strip
  std::optional<uint64_t> split_over;  // bytes of a file that is large
  bool gather = false;
};

void add_mpi_options(CLI::App& command, MpiOptions& options);

// kUsage when options were given that only --backend mpi knows.
Status check_no_mpi_options(const MpiOptions& options);

// Remembers what the program was started with: all ranks must have been started with the same. With
// --backend mpi, rank 0 alone speaks from now on.
void remember_command_line(int argc, char** argv);
const std::vector<std::string>& command_line();

}  // namespace tessera::cli
