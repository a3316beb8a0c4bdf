// A context of the library whose notes become warnings of Python.
#include "place.h"

#include <pybind11/pybind11.h>

#include <utility>

#include "errors.h"

namespace py = pybind11;

namespace tessera_python {

Place::Place(const std::string& backend, uint32_t threads, std::optional<uint32_t> device)
    : on_calling_thread_(backend == "mpi") {
  tessera::ContextOptions options;
  options.backend = backend;
  options.threads = threads;
  options.device = device;
  // Any thread may call it, without the interpreter lock.
  options.note = [notes = notes_](const char* sentence) {
    const std::lock_guard lock(notes->mutex);
    notes->sentences.emplace_back(sentence);
  };
  const auto create = [&] {
    const py::gil_scoped_release unlocked;  // looking for devices takes its time
    return tessera::Context::create(std::move(options));
  };
  context_.emplace(value_or_raise(create()));
  warn_of_notes();
}

void Place::warn_of_notes() const {
  std::vector<std::string> sentences;
  {
    const std::lock_guard lock(notes_->mutex);
    sentences.swap(notes_->sentences);
  }
  for (const std::string& sentence : sentences) {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, sentence.c_str(), 3) != 0) {
      throw py::error_already_set();
    }
  }
}

}  // namespace tessera_python
