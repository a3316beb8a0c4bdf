// Where things lie in a block with weights, and the colour range that follows from the room left.
//
//   bit 0    block mode (11), partition count − 1 (2)
//   bit 13   one partition: endpoint mode (4), colour values from bit 17
//            else: seed (10), endpoint modes (6), colour values from bit 29
//   below the weights: the second plane's channel (2), and above it the endpoint mode bits that
//            did not fit (when the modes are stored one by one)
//   bit 127 downwards: weights, bit-reversed
#pragma once

#include <cstdint>
#include <optional>

#include "astc/format/block128.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

inline constexpr unsigned kMaxPartitions = 4;
inline constexpr unsigned kPartitionSeedCount = 1024;
inline constexpr unsigned kMaxColorValues = 18;
inline constexpr unsigned kEndpointModeCount = 16;

inline constexpr unsigned kModeBits = 11;
inline constexpr unsigned kPartitionCountBit = 11;
inline constexpr unsigned kSingleModeBit = 13;
inline constexpr unsigned kSeedBit = 13;
inline constexpr unsigned kSeedBits = 10;
inline constexpr unsigned kModeSelectorBit = 23;
inline constexpr unsigned kPartitionModesBit = 25;
inline constexpr unsigned kPartitionModesBits = 4;  // of them, below bit 29

constexpr unsigned first_color_bit(unsigned partition_count) {
  return partition_count == 1 ? 17 : 29;
}

// Endpoint mode bits stored below the weights: a class bit and two mode bits per partition, less
// four.
constexpr unsigned extra_mode_bit_count(unsigned partition_count, bool separate_modes) {
  return separate_modes ? 3 * partition_count - 4 : 0;
}

// Integers that an endpoint mode stores.
constexpr unsigned color_value_count(unsigned endpoint_mode) {
  return 2 * (endpoint_mode / 4 + 1);
}

// Bits left for colour values; negative when the rest alone is too long.
constexpr int color_bit_count(unsigned weight_bits, unsigned partition_count, bool dual_plane,
                              bool separate_modes) {
  const unsigned used = weight_bits + first_color_bit(partition_count) + (dual_plane ? 2 : 0) +
                        extra_mode_bit_count(partition_count, separate_modes);
  return static_cast<int>(kBlockBits) - static_cast<int>(used);
}

// The highest range in which so many values fit the bits; nothing when that is below 6 levels.
// `values` is even and at most 18. A table look-up.
std::optional<IntegerRange> color_range(unsigned values, int bits);

}  // namespace tessera::astc
