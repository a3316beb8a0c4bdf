// The cosine transform's factors, the same numbers with every C library.
#pragma once

#include <vector>

namespace tessera::astc {

// The orthonormal transform of `length` samples: a row for each frequency, rising.
std::vector<float> cosine_rows(unsigned length);

}  // namespace tessera::astc
