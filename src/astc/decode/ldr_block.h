// A block's colours prepared for vectors: start and slope for each partition and channel, in the
// 8-bit scale of LDR endpoints.
#pragma once

#include <array>
#include <cstdint>

#include "astc/decode/decode_mode.h"
#include "astc/decode/weighted_block.h"

namespace tessera::astc {

// A texel's channel is (64·low + (high − low)·weight) / 64, rounded in the way of the decode mode.
struct LdrColors {
  alignas(16) std::array<std::array<int16_t, 4>, kMaxPartitions> low64;  // [partition][channel]
  alignas(16) std::array<std::array<int16_t, 4>, kMaxPartitions> slope;
  bool is_opaque = false;  // alpha is 255 everywhere
};

using Rgba8 = std::array<uint8_t, 4>;

struct LdrBlock : WeightedBlock {
  Rgba8 uniform_color{};  // without an entry
  LdrColors colors{};
};

// Partitions with an HDR endpoint mode become the error colour.
void unpack_ldr_block(const Block128& bits, const BlockModeTable& modes, DecodeMode mode,
                      LdrBlock& block);

}  // namespace tessera::astc
