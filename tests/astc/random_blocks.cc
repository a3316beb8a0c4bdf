// Makes random blocks and random legal blocks.
#include "random_blocks.h"

#include <optional>

namespace tessera::astc {
namespace {

// Draws partitions and endpoint modes; they may turn out not to fit.
void draw_endpoint_modes(Random& random, SymbolicBlock& block) {
  block.partition_count = static_cast<uint8_t>(1 + random.below(block.mode.dual_plane ? 3 : 4));
  block.partition_seed = 0;
  block.separate_modes = false;
  block.endpoint_modes = {};
  const auto mode = static_cast<EndpointMode>(random.below(16));
  if (block.partition_count > 1) {
    block.partition_seed = static_cast<uint16_t>(random.below(1024));
    block.separate_modes = random.one_in(2);
  }
  const unsigned base_class = random.below(3);
  for (unsigned i = 0; i < block.partition_count; ++i) {
    block.endpoint_modes[i] =
        block.separate_modes
            ? static_cast<EndpointMode>(4 * (base_class + random.below(2)) + random.below(4))
            : mode;
  }
}

}  // namespace

uint64_t Random::next() {
  state_ += 0x9E3779B97F4A7C15u;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

Block128 random_bits(Random& random) {
  const uint64_t low = random.next();
  return {low, random.next()};
}

SymbolicBlock random_weighted_block(Random& random, BlockSize size) {
  const auto& entries = block_mode_table(size).entries();
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  std::optional<IntegerRange> range;
  while (!range) {
    block.mode = entries[random.below(static_cast<unsigned>(entries.size()))].mode;
    draw_endpoint_modes(random, block);
    range = implied_color_range(block);
  }
  block.color_range = *range;
  block.plane2_channel = static_cast<uint8_t>(block.mode.dual_plane ? random.below(4) : 0);
  for (unsigned i = 0; i < block.color_value_count(); ++i) {
    block.color_codes[i] = static_cast<uint8_t>(random.below(range_levels(*range)));
  }
  for (unsigned i = 0; i < block.mode.weight_count(); ++i) {
    block.weight_codes[i] =
        static_cast<uint8_t>(random.below(range_levels(block.mode.weight_range)));
  }
  return block;
}

SymbolicBlock random_void_extent(Random& random, BlockSize size) {
  SymbolicBlock block;
  block.kind = BlockKind::kVoidExtent;
  VoidExtent& extent = block.void_extent;
  extent.is_hdr = random.one_in(2);
  for (uint16_t& channel : extent.color) {
    // Halves stay finite and positive: the standard leaves the others open.
    channel = static_cast<uint16_t>(random.below(extent.is_hdr ? 0x7C00 : 0x10000));
  }
  extent.has_extent = random.one_in(2);
  if (extent.has_extent) {
    const unsigned limit = size.is_3d() ? 1u << 9 : 1u << 13;
    for (unsigned axis = 0; axis < (size.is_3d() ? 3u : 2u); ++axis) {
      const unsigned low = random.below(limit - 1);
      const unsigned high = low + 1 + random.below(limit - low - 1);
      extent.extent[axis] = {static_cast<uint16_t>(low), static_cast<uint16_t>(high)};
    }
  }
  return block;
}

Block128 random_mixed_block(Random& random, BlockSize size) {
  switch (random.below(8)) {
    case 0:
      return random_bits(random);
    case 1:
      return pack_block(random_void_extent(random, size), size).value();
    case 2: {  // a void extent with any extents and reserved bits, but a finite colour
      Block128 block = random_bits(random);
      block.low = (block.low & ~uint64_t{0x1FF}) | 0x1FC;
      block.high &= 0x7BFF7BFF7BFF7BFFu;
      return block;
    }
    default:
      return pack_block(random_weighted_block(random, size), size).value();
  }
}

}  // namespace tessera::astc
