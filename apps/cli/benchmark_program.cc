// Starts the benchmark, which is a program of its own.
#include "benchmark_program.h"

#include <unistd.h>

#include <filesystem>
#include <string>

#include "process.h"

namespace tessera::cli {
namespace {

constexpr int kUnsupported = 5;
constexpr int kInterrupted = 6;

}  // namespace

int start_benchmark(char** argv) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = (self.parent_path() / "tessera-bench").string();
  if (!hold_signals()) {
    return report_error(kInterrupted, "interrupted");
  }
  ::execv(program.c_str(), argv + 1);
  return report_error(kUnsupported, "the benchmark is not installed: there is no " + program);
}

void add_benchmark_to_help(CLI::App& app) {
#ifdef TESSERA_HAVE_BENCH
  app.add_subcommand("bench", "Measure rate and quality, beside rivals");
#else
  (void)app;
#endif
}

}  // namespace tessera::cli
