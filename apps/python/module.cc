// The extension module tessera._native: the library for the Python code beside it.
#include <pybind11/pybind11.h>

#include "bindings.h"

PYBIND11_MODULE(_native, module) {
  module.doc() = "The compiled part of tessera; use the package instead.";
  tessera_python::bind_encoding(module);
  tessera_python::bind_decoding(module);
  tessera_python::bind_pictures(module);
}
