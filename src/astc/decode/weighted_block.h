// A block with weights, unpacked as far as plain code goes; the rest is done in vectors.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/bise.h"
#include "astc/format/block128.h"
#include "astc/format/block_header.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"

namespace tessera::astc {

struct WeightedBlock {
  // The block's mode; null when the block is of one colour: a void extent, or illegal.
  const BlockModeTable::Entry* entry = nullptr;
  uint8_t partition_count = 1;
  uint16_t partition_seed = 0;
  uint8_t plane2_channel = 0;
  // Codes as stored, planes alternating; vectors read and write whole multiples of their length.
  alignas(64) std::array<uint8_t, kMaxWeights + 64> weights{};
};

// What is stored of the endpoints of a block.
struct StoredColors {
  BlockHeader header;
  std::array<uint8_t, kMaxColorValues + kSequencePadding> values;  // 0…255, of all partitions
};

// False, with no entry, where the block is a void extent or illegal.
bool unpack_weighted_block(const Block128& bits, const BlockModeTable& modes, WeightedBlock& block,
                           StoredColors& colors);

}  // namespace tessera::astc
