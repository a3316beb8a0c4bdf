// What a block means, with all fields spelled out but values still quantised, and the way from and
// to its 128 bits.
#pragma once

#include <array>
#include <cstdint>

#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "astc/format/block_size.h"
#include "astc/format/color_endpoints.h"
#include "astc/format/integer_range.h"
#include "astc/format/void_extent.h"
#include "base/result.h"

namespace tessera::astc {

enum class BlockKind : uint8_t { kError, kVoidExtent, kWeighted };

// Fields that a kind (or count) does not use are zero, so that == compares meaning.
struct SymbolicBlock {
  BlockKind kind = BlockKind::kError;
  VoidExtent void_extent;

  // The rest is for kWeighted.
  BlockMode mode;
  uint8_t partition_count = 1;
  uint16_t partition_seed = 0;  // 10 bits; 0 for one partition
  // True when the block stores an endpoint mode for each partition, false when one for all. Matters
  // even if all are equal: the bits it takes can lower the colour range.
  bool separate_modes = false;
  std::array<EndpointMode, kMaxPartitions> endpoint_modes{};
  uint8_t plane2_channel = 0;  // the channel with weights of its own, when mode.dual_plane
  IntegerRange color_range = kSmallestColorRange;  // follows from the other fields
  // Codes in stored order: partition after partition; weights of two planes alternate.
  std::array<uint8_t, kMaxColorValues> color_codes{};
  std::array<uint8_t, kMaxWeights> weight_codes{};

  constexpr unsigned color_value_count() const {
    unsigned count = 0;
    for (unsigned i = 0; i < partition_count; ++i) {
      count += astc::color_value_count(static_cast<unsigned>(endpoint_modes[i]));
    }
    return count;
  }
  bool operator==(const SymbolicBlock&) const = default;
};

// Every 128 bits mean something: illegal ones are kError.
SymbolicBlock unpack_block(const Block128& block, BlockSize size);

// Fails when the fields contradict each other or the standard, and for kError.
Result<Block128> pack_block(const SymbolicBlock& symbolic, BlockSize size);

// For encoders: a kWeighted block that is known to be right, with the bits of its block mode (from
// BlockModeTable), unchecked.
Block128 assemble_block(const SymbolicBlock& symbolic, unsigned mode_bits);

// The colour range that pack_block expects of a kWeighted block; nothing when there is no legal
// one.
std::optional<IntegerRange> implied_color_range(const SymbolicBlock& symbolic);

}  // namespace tessera::astc
