// What a payload is made of: how often each choice of the format was taken.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "astc/format/block_size.h"
#include "astc/format/symbolic_block.h"
#include "base/bytes.h"

namespace tessera::astc {

struct BlockStatistics {
  uint64_t blocks = 0;
  uint64_t illegal = 0;
  uint64_t void_extents = 0;
  uint64_t dual_planes = 0;
  // Of the blocks that have weights:
  std::array<uint64_t, 4> partitions = {};       // one to four
  std::map<std::string, uint64_t> grids;         // "6x5"
  std::map<unsigned, uint64_t> weight_levels;    // levels of a weight
  std::map<unsigned, uint64_t> color_levels;     // levels of a colour value
  std::array<uint64_t, 16> endpoint_modes = {};  // one count a partition
};

// `blocks` is a multiple of 16 bytes.
BlockStatistics count_blocks(ByteSpan blocks, BlockSize size);

std::string grid_name(const GridSize& grid);
const char* endpoint_mode_name(EndpointMode mode);

}  // namespace tessera::astc
