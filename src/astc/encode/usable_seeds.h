// Which of the 1,024 seeds of partition patterns are worth trying, for each block size and number
// of partitions: no partition is empty, and the pattern is no renaming of that of a lower seed.
#pragma once

#include <cstdint>
#include <vector>

#include "astc/format/block_size.h"

namespace tessera::astc {

// By rising number.
std::vector<uint16_t> usable_seeds(BlockSize size, unsigned partition_count);

}  // namespace tessera::astc
