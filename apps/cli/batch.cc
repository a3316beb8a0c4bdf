#include "batch.h"

#include "base/file.h"
#include "session.h"

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

int run_batch(const BatchOptions& options, std::string_view extension, const FileAction& action) {
  if (options.json && options.output == kStandardStream) {
    return report_error(usage_error("--json and the file cannot both go to standard output"));
  }
  const auto backend = make_backend(options.backend);
  if (!backend) {
    return report_error(backend.error());
  }
  const auto pairs = plan_outputs(options.inputs, options.output, extension);
  if (!pairs) {
    return report_error(pairs.error());
  }
  Json results = Json::array();
  int exit_code = 0;
  for (const FilePair& pair : *pairs) {
    auto result = [&] {
      Progress progress(pair.input, options.quiet);
      return action(pair, **backend, control_of(progress));
    }();
    if (result) {
      results.push_back(std::move(*result));
      continue;
    }
    const int code = report_error(result.error());
    exit_code = exit_code == 0 ? code : exit_code;
    if (result.error().code == ErrorCode::kInterrupted) {
      return exit_code;
    }
    results.push_back({{"input", pair.input}, {"error", result.error().message}});
  }
  if (options.json && options.inputs.size() > 1) {
    print_json(results);
  } else if (options.json && exit_code == 0) {
    print_json(results.front());
  }
  return exit_code;
}

}  // namespace tessera::cli
