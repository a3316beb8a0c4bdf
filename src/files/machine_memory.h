// How much memory there is.
#pragma once

#include <cstdint>

namespace tessera {

// Bytes that this process can have at most: the machine's memory, or less where its container or
// its user is allowed less.
uint64_t machine_memory();

}  // namespace tessera
