// What computes, as the options say it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "exec/backend.h"

namespace tessera::cli {

struct BackendChoice {
  std::string name = "auto";
  bool was_asked_for = false;      // --backend was typed
  std::optional<unsigned> device;  // of OpenCL
  unsigned gpu = 0;                // where no device is named and there are several GPUs
  unsigned threads = 0;
};

// "cpu" (or "threads"), "opencl", and "auto": the CPU, unless it was asked for, in which case an
// OpenCL device is tried first and a fall-back to the CPU is told on standard error. The other
// backends of the library, "cuda" and "mpi", are refused, and so are names of none.
Result<std::unique_ptr<Backend>> make_backend(const BackendChoice& choice);

// --backend and --device.
void add_backend_options(CLI::App& command, BackendChoice& choice);

}  // namespace tessera::cli
