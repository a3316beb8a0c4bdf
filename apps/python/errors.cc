// Raises the library's errors as the exceptions that tessera/errors.py defines.
#include "errors.h"

namespace py = pybind11;

namespace tessera_python {

void raise(const tessera::Error& error) {
  const py::object exception =
      py::module_::import("tessera.errors")
          .attr("error_of")(static_cast<int>(error.code), to_str(error.message));
  PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  throw py::error_already_set();
}

void raise_usage(const std::string& sentence) {
  raise({tessera::ErrorCode::kUsage, sentence});
}

py::str to_str(const std::string& text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

}  // namespace tessera_python
