// What encode and decode share: the common options, and JSON about a list of files.
#include "batch.h"

#include "base/file.h"

namespace tessera::cli {

void add_batch_options(CLI::App& command, BatchOptions& options) {
  command.add_option("--threads", options.backend.threads, "Threads to use; 0: all cores")
      ->check(CLI::Range(0u, kMaxThreads))
      ->capture_default_str();
  add_backend_options(command, options.backend);
  command.add_flag("--json", options.json,
                   "Print the result as JSON (an array for several inputs)");
  command.add_flag("--quiet", options.quiet, "Print nothing but errors");
}

Status check_standard_output(const BatchOptions& options) {
  if (options.json && options.output == kStandardStream) {
    return usage_error("--json and the file cannot both go to standard output");
  }
  return {};
}

void print_results(const BatchOptions& options, const Json& results, bool all_succeeded) {
  if (options.json && options.inputs.size() > 1) {
    print_json(results);
  } else if (options.json && all_succeeded) {
    print_json(results.front());
  }
}

}  // namespace tessera::cli
