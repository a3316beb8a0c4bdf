// Runs a call of the library beside the interpreter: progress, signals, exceptions.
#include "work.h"

#include <chrono>
#include <future>
#include <new>
#include <utility>

namespace py = pybind11;

namespace tessera_python {
namespace {

// How long Ctrl-C may wait to be noticed.
constexpr std::chrono::milliseconds kSignalInterval{20};

// Python runs signal handlers on its main thread only.
bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

Work::Work(py::object progress, const tessera::Limits& limits) : progress_(std::move(progress)) {
  control_.limits = limits;
  if (stop_.get() == nullptr) {
    throw std::bad_alloc();
  }
  control_.stop = &stop_;
  if (progress_.is_none()) {
    return;
  }
  if (!PyCallable_Check(progress_.ptr())) {
    throw py::type_error("progress is a function of the fraction done, or None");
  }
  control_.progress = [this](double fraction) { report(fraction); };
}

void Work::run(const std::function<void(const tessera::Control&)>& call, bool on_calling_thread) {
  const bool watch = !on_calling_thread && on_main_thread();
  {
    const py::gil_scoped_release unlocked;
    if (watch) {
      run_watched(call);
    } else {
      call(control_);
    }
  }
  if (raised_) {
    throw py::error_already_set(*raised_);
  }
}

// The main thread has to stay free to look for signals, so another one does the work.
void Work::run_watched(const std::function<void(const tessera::Control&)>& call) {
  std::future<void> done = std::async(std::launch::async, [&] { call(control_); });
  while (done.wait_for(kSignalInterval) != std::future_status::ready) {
    check_signals();
  }
  done.get();
}

void Work::report(double fraction) {
  const py::gil_scoped_acquire locked;
  if (raised_) {
    return;
  }
  const py::object result =
      py::reinterpret_steal<py::object>(PyObject_CallFunction(progress_.ptr(), "d", fraction));
  if (!result) {
    stop_with_current_error();
  }
}

void Work::check_signals() {
  const py::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) {
    stop_with_current_error();
  }
}

void Work::stop_with_current_error() {
  py::error_already_set error;  // takes it from the interpreter
  if (!raised_) {
    raised_.emplace(std::move(error));
  }
  stop_.request();
}

}  // namespace tessera_python
