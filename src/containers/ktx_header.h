// What the parts of the .ktx reader share.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace tessera {

// A number of a file in the other byte order.
constexpr uint32_t swapped_bytes(uint32_t value) {
  return value << 24 | (value & 0xFF00) << 8 | (value >> 8 & 0xFF00) | value >> 24;
}

inline Error invalid_ktx(const std::string& name, const std::string& what) {
  return invalid_error(name + " is not a valid .ktx file: " + what);
}

}  // namespace tessera
