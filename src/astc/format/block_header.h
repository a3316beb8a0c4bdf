// The fields of a block with weights that tell how to read the rest of it.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "astc/format/color_endpoints.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

struct BlockHeader {
  uint8_t partition_count = 1;
  uint16_t partition_seed = 0;
  bool separate_modes = false;
  std::array<EndpointMode, kMaxPartitions> endpoint_modes{};
  uint8_t plane2_channel = 0;
  IntegerRange color_range = kSmallestColorRange;
  uint8_t color_value_count = 0;
};

// False when the block is illegal. `entry` is that of the block's mode.
bool unpack_header(const Block128& block, const BlockModeTable::Entry& entry, BlockHeader& header);

}  // namespace tessera::astc
