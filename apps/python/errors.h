// The library's errors as exceptions of Python.
#pragma once

#include <pybind11/pybind11.h>
#include <tessera/tessera.hpp>

#include <string>
#include <utility>

namespace tessera_python {

// Raises the class of tessera/errors.py that belongs to the error's code.
[[noreturn]] void raise(const tessera::Error& error);

// Raises UsageError with this sentence.
[[noreturn]] void raise_usage(const std::string& sentence);

template <class T>
T value_or_raise(tessera::Result<T> result) {
  if (!result.ok()) {
    raise(result.error());
  }
  return std::move(result).value();
}

inline void check(const tessera::Status& status) {
  if (!status.ok()) {
    raise(status.error());
  }
}

// Text of the library, which may hold a file's name in another encoding than UTF-8.
pybind11::str to_str(const std::string& text);

}  // namespace tessera_python
