// The patterns of two partitions in the order in which searches that try a part of them should take
// them: each of many straight cuts through the block (planes in 3D) votes for the pattern nearest
// to it, and patterns without votes follow by their distance from the nearest cut.
#pragma once

#include <cstdint>
#include <vector>

#include "astc/format/block_size.h"

namespace tessera::astc {

// All usable seeds of a block size.
std::vector<uint16_t> ordered_pattern_seeds(BlockSize size);

}  // namespace tessera::astc
