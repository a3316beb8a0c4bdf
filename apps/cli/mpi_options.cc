// Options of --backend mpi, and what the command was started with.
#include "mpi_options.h"

#include <algorithm>
#include <cstdlib>

#include "process.h"

namespace tessera::cli {
namespace {

std::vector<std::string> words;

bool asks_for_mpi() {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--backend=mpi" ||
        (words[i] == "--backend" && i + 1 < words.size() && words[i + 1] == "mpi")) {
      return true;
    }
  }
  return false;
}

// As the launcher says it, before MPI is started.
int rank_in_environment() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}) {
    if (const char* rank = std::getenv(name)) {
      return std::atoi(rank);
    }
  }
  return 0;
}

}  // namespace

void add_mpi_options(CLI::App& command, MpiOptions& options) {
  command.add_option("--rank-backend", options.rank_backend,
                     "With --backend mpi: what each rank computes with, cpu or opencl (cpu)");
  command
      .add_option("--unit-rows", options.unit_rows,
                  "With --backend mpi: block rows of a strip (default: by threads and ranks)")
      ->check(CLI::Range(1u, 1u << 20));
  command.add_option("--split-over", options.split_over,
                     "With --backend mpi, several inputs: files with more bytes are shared by all "
                     "ranks (default: those that one rank would finish last)");
  command.add_flag("--gather", options.gather,
                   "With --backend mpi: rank 0 writes all files (the folder is not shared)");
}

Status check_no_mpi_options(const MpiOptions& options) {
  if (!options.rank_backend.empty() || options.unit_rows || options.split_over || options.gather) {
    return usage_error("--rank-backend, --unit-rows, --split-over and --gather need --backend mpi");
  }
  return {};
}

void remember_command_line(int argc, char** argv) {
  words.assign(argv + std::min(argc, 1), argv + argc);
  if (asks_for_mpi()) {
    speak_as_rank(rank_in_environment(), false);
  }
}

const std::vector<std::string>& command_line() {
  return words;
}

}  // namespace tessera::cli
