// Reads a file by its path, or borrows the bytes of an object of Python.
#include "source.h"

#include "errors.h"

namespace py = pybind11;

namespace tessera_python {

std::string path_of(const py::object& path) {
  std::string text = py::module_::import("os").attr("fsencode")(path).cast<std::string>();
  if (text.find('\0') != std::string::npos) {
    raise_usage("a path cannot hold a zero byte");
  }
  return text;
}

BufferView::BufferView(const py::object& object, bool writable) {
  if (PyObject_GetBuffer(object.ptr(), &view_, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) != 0) {
    throw py::error_already_set();
  }
}

Source::Source(const py::object& path_or_bytes, const tessera::Limits& limits) {
  if (py::isinstance<py::str>(path_or_bytes) || py::hasattr(path_or_bytes, "__fspath__")) {
    name_ = path_of(path_or_bytes);
    const auto read = [&] {
      const py::gil_scoped_release unlocked;
      return tessera::read_bytes(name_, {.limits = limits});
    };
    file_.emplace(value_or_raise(read()));
    bytes_ = file_->span();
    return;
  }
  view_.emplace(path_or_bytes, false);
  bytes_ = view_->bytes();
}

}  // namespace tessera_python
