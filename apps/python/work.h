// Long calls of the library without the interpreter lock, which Ctrl-C and an exception of the
// progress function stop.
#pragma once

#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

#include <functional>
#include <optional>

namespace tessera_python {

class Work {
 public:
  // `progress` is a Python function of the fraction done, or None. `limits` are those of files that
  // are read.
  explicit Work(pybind11::object progress, const tessera::Limits& limits = {});
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Runs call(control) and returns when it has ended. Then raises what the progress function or a
  // signal handler (KeyboardInterrupt) has raised meanwhile, if anything. `on_calling_thread` is
  // for calls that cannot be moved to another thread, which signals do not stop.
  void run(const std::function<void(const tessera::Control&)>& call,
           bool on_calling_thread = false);

 private:
  void run_watched(const std::function<void(const tessera::Control&)>& call);
  void report(double fraction);
  void check_signals();
  void stop_with_current_error();

  pybind11::object progress_;
  tessera::Stop stop_;
  tessera::Control control_;
  // The first exception; guarded by the interpreter lock.
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace tessera_python
