// The parts of the module `tessera._native`.
#pragma once

#include <pybind11/pybind11.h>

namespace tessera_python {

void bind_encoding(pybind11::module_& module);
void bind_decoding(pybind11::module_& module);
void bind_pictures(pybind11::module_& module);

}  // namespace tessera_python
