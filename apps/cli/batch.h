// What encode and decode share: the common options, and what is printed about a list of files. The
// way through the files is in files/file_runner.h.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/backend.h"
#include "files/file_plan.h"
#include "files/file_runner.h"
#include "report_json.h"
#include "session.h"

namespace tessera::cli {

struct BatchOptions {
  std::vector<std::string> inputs;
  std::string output;
  BackendChoice backend;
  bool json = false;
  bool quiet = false;
};

void add_batch_options(CLI::App& command, BatchOptions& options);

// Standard output carries either JSON or the file.
Status check_standard_output(const BatchOptions& options);

// The results of all files, if JSON is asked for.
void print_results(const BatchOptions& options, const Json& results, bool all_succeeded);

// Prints a file's line if that is asked for, and returns its JSON.
template <class Report>
using DescribeFile = std::function<Json(const FilePair& file, const FileOutcome<Report>& outcome)>;

// Makes the files and prints what became of them. Returns the exit code: that of the first failure.
// `observe` sees every outcome, failures as well.
template <class Report>
int run_batch(const BatchOptions& options, const std::vector<FilePair>& files,
              FileExecutor<Report>& executor, const DescribeFile<Report>& describe,
              const std::function<void(const FileOutcome<Report>&)>& observe = {}) {
  Json results = Json::array();
  const Status status = run_files<Report>(files, executor, [&](const FileOutcome<Report>& outcome) {
    const FilePair& file = files[outcome.index];
    if (observe) {
      observe(outcome);
    }
    if (outcome.report) {
      results.push_back(describe(file, outcome));
    } else {
      report_error(outcome.report.error());
      results.push_back({{"input", file.input}, {"error", outcome.report.error().message}});
    }
  });
  if (!status && status.error().code == ErrorCode::kInterrupted) {
    return report_error(status.error());
  }
  print_results(options, results, status.ok());
  return status ? 0 : static_cast<int>(status.error().code);
}

// The same on this machine: plans the outputs (with `extension` in folders) and calls `make` for
// each file.
template <class Report>
int run_local_batch(
    const BatchOptions& options, std::string_view extension,
    const std::function<Result<Report>(const FilePair&, Backend&, const RunControl&)>& make,
    const DescribeFile<Report>& describe) {
  if (const Status possible = check_standard_output(options); !possible) {
    return report_error(possible.error());
  }
  const auto backend = make_backend(options.backend);
  if (!backend) {
    return report_error(backend.error());
  }
  const auto files = plan_outputs(options.inputs, options.output, extension);
  if (!files) {
    return report_error(files.error());
  }
  LocalFiles<Report> executor([&](const FilePair& file) {
    Progress progress(file.input, options.quiet);
    return make(file, **backend, control_of(progress));
  });
  return run_batch<Report>(options, *files, executor, describe);
}

}  // namespace tessera::cli
