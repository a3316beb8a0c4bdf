// How much a randomised test does: a quick sample, unless TESSERA_CONFORMANCE_BLOCKS gives the
// number of blocks for each block size.
#pragma once

#include <cstdlib>

namespace tessera::astc {

inline unsigned sample_count(unsigned quick) {
  const char* text = std::getenv("TESSERA_CONFORMANCE_BLOCKS");
  const long count = text != nullptr ? std::strtol(text, nullptr, 10) : 0;
  return count > 0 ? static_cast<unsigned>(count) : quick;
}

}  // namespace tessera::astc
