// What the verbs share about the running process: error messages, signals, progress, backends.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "exec/backend.h"

namespace tessera::cli {

// One sentence on standard error; returns the exit code. Of several ranks, rank 0 alone speaks.
int report_error(const Error& error);

// SIGINT and SIGTERM ask the running work to stop; a second one ends the process. Writing to a
// closed pipe or past a file-size limit becomes an error of the write.
void install_signal_handlers();

// What signals set.
const std::atomic<bool>* interruption();

// kInterrupted once a signal has asked to stop.
Status check_interrupted();

// What was printed may not have reached its file: ask before claiming success.
Status flush_standard_output();

// More threads than this are a slip of the finger.
inline constexpr unsigned kMaxThreads = 1024;

struct BackendChoice {
  std::string name = "auto";
  bool was_asked_for = false;      // --backend was typed
  std::optional<unsigned> device;  // of OpenCL
  unsigned gpu = 0;                // where no device is named and there are several GPUs
  unsigned threads = 0;
};

// "cpu" (or "threads"), "opencl", and "auto": the CPU, unless it was asked for, in which case an
// OpenCL device is tried first and a fall-back to the CPU is told on standard error. Others are
// refused as not in this build, or as unknown.
Result<std::unique_ptr<Backend>> make_backend(const BackendChoice& choice);

// --backend and --device.
void add_backend_options(CLI::App& command, BackendChoice& choice);

// Cancellation by signal, and a progress bar when standard error is a terminal and the work takes
// more than a moment.
class Progress {
 public:
  Progress(std::string label, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  RunControl control();

 private:
  void show(double fraction);

  std::string label_;
  bool enabled_;
  bool visible_ = false;
  int shown_percent_ = -1;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tessera::cli
