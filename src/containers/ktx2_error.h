// The sentence that the parts of the .ktx2 reader share.
#pragma once

#include <string>

#include "base/result.h"

namespace tessera {

inline Error invalid_ktx2(const std::string& name, const std::string& what) {
  return invalid_error(name + " is not a valid .ktx2 file: " + what);
}

}  // namespace tessera
