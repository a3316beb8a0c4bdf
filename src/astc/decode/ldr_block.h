// A block's colours prepared for vectors: start and slope for each partition and channel, in the
// 8-bit scale of LDR endpoints.
#pragma once

#include <array>
#include <cstdint>

#include "astc/decode/decode_mode.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"

namespace tessera::astc {

// A texel's channel is (64·low + (high − low)·weight) / 64, rounded in the way of the decode mode.
struct LdrColors {
  alignas(16) std::array<std::array<int16_t, 4>, kMaxPartitions> low64;  // [partition][channel]
  alignas(16) std::array<std::array<int16_t, 4>, kMaxPartitions> slope;
  bool is_opaque = false;  // alpha is 255 everywhere
};

using Rgba8 = std::array<uint8_t, 4>;

// A block unpacked as far as plain code goes; the rest is done in vectors.
struct LdrBlock {
  // The block's mode; null when the block is of one colour: a void extent, or illegal.
  const BlockModeTable::Entry* entry = nullptr;
  Rgba8 uniform_color{};

  uint8_t partition_count = 1;
  uint16_t partition_seed = 0;
  uint8_t plane2_channel = 0;
  LdrColors colors{};
  // Codes as stored, planes alternating; vectors read and write whole multiples of their length.
  alignas(64) std::array<uint8_t, kMaxWeights + 64> weights{};
};

// Partitions with an HDR endpoint mode become the error colour.
void unpack_ldr_block(const Block128& bits, const BlockModeTable& modes, DecodeMode mode,
                      LdrBlock& block);

}  // namespace tessera::astc
