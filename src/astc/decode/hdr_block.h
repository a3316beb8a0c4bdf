// A block's colours prepared for vectors, in the 16-bit scale of HDR: what the interpolator starts
// from, for each channel and partition.
#pragma once

#include <array>
#include <cstdint>

#include "astc/decode/decode_mode.h"
#include "astc/decode/weighted_block.h"

namespace tessera::astc {

// A channel of a texel is (start + slope·weight) / 64, rounded down: on the logarithmic scale where
// its endpoints are HDR, else UNORM16.
struct HdrChannel {
  alignas(16) std::array<int32_t, kMaxPartitions> start;   // 64·low + 32
  alignas(16) std::array<int32_t, kMaxPartitions> slope;   // high − low
  alignas(16) std::array<int32_t, kMaxPartitions> is_hdr;  // −1 or 0
  bool has_hdr = false;                                    // in some partition
  bool has_ldr = false;
};

struct HdrBlock : WeightedBlock {
  Texel uniform_color{};  // without an entry
  std::array<HdrChannel, 4> channels{};
};

void unpack_hdr_block(const Block128& bits, const BlockModeTable& modes, HdrBlock& block);

}  // namespace tessera::astc
