// What encode and decode share: the common options, and going through a list of files.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "exec/backend.h"
#include "output_plan.h"
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

// Handles one file, prints its line unless JSON or quiet is asked for, and returns its JSON.
using FileAction =
    std::function<Result<Json>(const FilePair& pair, Backend& backend, const RunControl& control)>;

// Plans the outputs (with `extension` in folders), runs the action on each file and goes on after a
// failure. Returns the exit code: that of the first failure.
int run_batch(const BatchOptions& options, std::string_view extension, const FileAction& action);

}  // namespace tessera::cli
