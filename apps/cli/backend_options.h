// Where the work runs, as the options say it: threads, devices, the ranks of an MPI job.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tessera/tessera.hpp>
#include <vector>

namespace tessera::cli {

struct BackendOptions {
  std::string name;                // as typed with --backend
  std::optional<uint32_t> device;  // of CUDA or OpenCL, by its number
  uint32_t threads = 0;            // 0: all cores
  std::vector<Option> of_ranks;    // given, for --backend mpi
  bool has_ranks = false;          // the verb takes --backend mpi
};

// --threads.
void add_thread_option(CLI::App& command, BackendOptions& options);
// --threads, --backend (without mpi) and --device.
void add_backend_options(CLI::App& command, BackendOptions& options);
// mpi as a value of --backend, which the command has; --rank-backend, --unit-rows, --split-over and
// --gather.
void add_rank_options(CLI::App& command, BackendOptions& options);

inline bool is_on_ranks(const BackendOptions& options) {
  return options.name == "mpi";
}

// With --backend mpi among the arguments, rank 0 alone speaks from now on.
void let_rank_0_speak(int argc, char** argv);

// The place that the options ask for. With --backend mpi this starts MPI, on all ranks at once, or
// fails where the verb does not take it.
Result<Context> make_context(const BackendOptions& options);

}  // namespace tessera::cli
