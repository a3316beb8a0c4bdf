// Options about where the work runs, and the context that they ask for.
#include "backend_options.h"

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string_view>

#include "client.h"
#include "format_options.h"

namespace tessera::cli {
namespace {

std::string command_line;  // one argument per line

bool asks_for_mpi(std::span<char* const> words) {
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--backend=mpi" ||
        (word == "--backend" && i + 1 < words.size() && std::string_view(words[i + 1]) == "mpi")) {
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

constexpr const char* kAutoHelp =
    ", or auto: a CUDA device or an OpenCL GPU where there is one for the format (default: cpu)";

void tell_fallback(const char* reason) {
  std::fprintf(stderr, "note: %s; the CPU does it\n", reason);
}

}  // namespace

void add_thread_option(CLI::App& command, BackendOptions& options) {
  command.add_option("-j,--threads", options.threads, "Threads to use; 0: all cores")
      ->check(CLI::Range(0u, kMaxThreads))
      ->capture_default_str();
}

void add_backend_options(CLI::App& command, BackendOptions& options) {
  add_thread_option(command, options);
  command.add_option("--backend", options.name, "cpu, cuda, opencl" + std::string(kAutoHelp))
      ->check(not_empty());
  command.add_option("--device", options.device,
                     "Device of the backend by its number (tessera info --devices)");
}

void add_rank_options(CLI::App& command, BackendOptions& options) {
  options.has_ranks = true;
  command.get_option("--backend")
      ->description("cpu, cuda, opencl, mpi (under mpirun)" + std::string(kAutoHelp));
  const std::string group = "For --backend mpi";
  const auto add = [&](const std::string& key, const char* value_name, const char* help) {
    return command
        .add_option_function<std::string>(
            "--" + key,
            [&options, key](const std::string& value) {
              options.of_ranks.push_back({key, value});
            },
            help)
        ->type_name(value_name)
        ->check(not_empty())
        ->group(group);
  };
  add("rank-backend", "NAME", "What each rank computes with: cpu, cuda or opencl (default: cpu)");
  add("unit-rows", "N", "Block rows of a strip (default: by threads and ranks)")
      ->check(CLI::Range(1u, 1u << 20));
  add("split-over", "BYTES",
      "Of several inputs, larger files are shared by all ranks (default: those that one rank would "
      "finish last)")
      ->check(CLI::TypeValidator<uint64_t>());
  command
      .add_flag_callback(
          "--gather",
          [&options] {
            options.of_ranks.push_back({"gather", "1"});
          },
          "Rank 0 writes all files (the folder is not shared)")
      ->group(group);
}

void let_rank_0_speak(int argc, char** argv) {
  const std::span<char* const> words(argv, static_cast<size_t>(argc));
  if (!asks_for_mpi(words)) {
    return;
  }
  speak_as_rank(rank_in_environment(), false);
  for (const char* word : words.subspan(1)) {
    command_line += std::string(word) + "\n";
  }
}

Result<Context> make_context(const BackendOptions& options) {
  const bool on_ranks = is_on_ranks(options);
  if (on_ranks && !options.has_ranks) {
    return Error{ErrorCode::kUnsupported,
                 "the backend mpi (MPI ranks) is for tessera encode: it encodes pictures, and does "
                 "nothing else"};
  }
  if (!on_ranks && !options.of_ranks.empty()) {
    return usage_error("--" + options.of_ranks.front().key + " needs --backend mpi");
  }
  ContextOptions chosen;
  // Nobody who asks for nothing is told about devices.
  chosen.backend = options.name.empty() ? (options.device ? "auto" : "cpu") : options.name;
  if (options.device && !on_ranks && chosen.backend != "cuda" && chosen.backend != "opencl" &&
      chosen.backend != "auto") {
    return usage_error("--device needs --backend cuda, opencl or auto");
  }
  chosen.threads = options.threads;
  chosen.device = options.device;
  chosen.note = tell_fallback;
  chosen.options = options.of_ranks;
  if (on_ranks) {  // all of which must have been started with the same
    chosen.options.push_back({"agreement", command_line});
  }
  auto context = Context::create(std::move(chosen));
  if (context && on_ranks) {
    speak_as_rank(static_cast<int>(context->rank()), true);
  }
  return context;
}

}  // namespace tessera::cli
