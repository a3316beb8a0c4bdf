// Structs of the library as dictionaries, of which the Python side makes its classes.
#pragma once

#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

namespace tessera_python {

pybind11::dict to_dict(const tessera::Metrics& metrics);
pybind11::dict to_dict(const tessera::EncodeReport& report);
pybind11::dict to_dict(const tessera::EncoderInfo& info);

}  // namespace tessera_python
