// Packs a symbolic block into 128 bits.
#include <algorithm>
#include <span>
#include <string>

#include "astc/format/bise.h"
#include "astc/format/symbolic_block.h"

namespace tessera::astc {
namespace {

unsigned mode_class(EndpointMode mode) {
  return static_cast<unsigned>(mode) / 4;
}
unsigned mode_in_class(EndpointMode mode) {
  return static_cast<unsigned>(mode) % 4;
}

// Everything that a kWeighted block must keep to apart from the range of each code.
Status check_fields(const SymbolicBlock& s, BlockSize size) {
  if (!is_legal(s.mode, size)) {
    return invalid_error("the ASTC weight grid does not fit a block of " + block_size_name(size) +
                         ", or its weights need not 24 to 96 bits");
  }
  if (s.partition_count < 1 || s.partition_count > kMaxPartitions ||
      s.partition_seed >= kPartitionSeedCount) {
    return invalid_error("an ASTC block has 1 to 4 partitions and a seed below 1024");
  }
  if (s.mode.dual_plane && (s.partition_count == kMaxPartitions || s.plane2_channel > 3)) {
    return invalid_error(
        "an ASTC block with two weight planes has at most 3 partitions and a second channel of "
        "0 to 3");
  }
  const std::span modes = std::span(s.endpoint_modes).first(s.partition_count);
  if (std::any_of(modes.begin(), modes.end(), [](EndpointMode m) { return mode_class(m) > 3; })) {
    return invalid_error("an ASTC endpoint mode is 0 to 15");
  }
  const auto [low, high] = std::minmax_element(modes.begin(), modes.end());
  if (s.separate_modes ? s.partition_count == 1 || mode_class(*high) - mode_class(*low) > 1
                       : *low != *high) {
    return invalid_error(
        "the endpoint modes of an ASTC block must be equal, or be stored one by one and differ by "
        "at most one class");
  }
  if (implied_color_range(s) != s.color_range) {
    return invalid_error(
        "the colour range of an ASTC block must be the highest that fits its bits, and at least 6 "
        "levels");
  }
  return {};
}

bool codes_fit(std::span<const uint8_t> codes, IntegerRange range) {
  // Without a branch in the loop, so that it runs in vectors.
  uint8_t highest = 0;
  for (const uint8_t code : codes) {
    highest = std::max(highest, code);
  }
  return highest < range_levels(range);
}

// Writes the partition fields and endpoint modes; `below_weights` is the first bit of the weights.
void pack_endpoint_modes(const SymbolicBlock& s, unsigned below_weights, Block128& block) {
  const unsigned count = s.partition_count;
  block.put(kPartitionCountBit, count - 1);
  if (count == 1) {
    block.put(kSingleModeBit, static_cast<uint64_t>(s.endpoint_modes[0]));
    return;
  }
  block.put(kSeedBit, s.partition_seed);
  if (!s.separate_modes) {
    block.put(kPartitionModesBit, static_cast<uint64_t>(s.endpoint_modes[0]));
    return;
  }
  // The classes are a base (0 to 2) and one bit per partition; all of class 3 is base 2 with all
  // bits.
  unsigned base = 2;
  for (unsigned i = 0; i < count; ++i) {
    base = std::min(base, mode_class(s.endpoint_modes[i]));
  }
  uint64_t fields = 0;
  for (unsigned i = 0; i < count; ++i) {
    fields |= uint64_t{mode_class(s.endpoint_modes[i]) - base} << i;
    fields |= uint64_t{mode_in_class(s.endpoint_modes[i])} << (count + 2 * i);
  }
  block.put(kModeSelectorBit, base + 1);
  block.put(kPartitionModesBit, fields & low_bits_mask(kPartitionModesBits));
  block.put(below_weights - extra_mode_bit_count(count, true), fields >> kPartitionModesBits);
}

Result<Block128> pack_weighted(const SymbolicBlock& s, BlockSize size) {
  TESSERA_RETURN_IF_ERROR(check_fields(s, size));
  const std::span weights = std::span(s.weight_codes).first(s.mode.weight_count());
  const std::span colors = std::span(s.color_codes).first(s.color_value_count());
  if (!codes_fit(weights, s.mode.weight_range) || !codes_fit(colors, s.color_range)) {
    return invalid_error("a weight or colour code of an ASTC block is outside its range");
  }
  const auto mode_bits = encode_block_mode(s.mode, size.is_3d());
  if (!mode_bits) {
    return invalid_error("ASTC has no block mode for this weight grid, range and plane count");
  }
  return assemble_block(s, *mode_bits);
}

}  // namespace

Block128 assemble_block(const SymbolicBlock& s, unsigned mode_bits) {
  Block128 reversed_weights;
  encode_sequence(std::span(s.weight_codes).first(s.mode.weight_count()), s.mode.weight_range, 0,
                  reversed_weights);
  Block128 block = reverse_bits(reversed_weights);
  block.put(0, mode_bits);
  const unsigned below_weights = kBlockBits - s.mode.weight_bit_count();
  pack_endpoint_modes(s, below_weights, block);
  if (s.mode.dual_plane) {
    const unsigned extra = extra_mode_bit_count(s.partition_count, s.separate_modes);
    block.put(below_weights - extra - 2, s.plane2_channel);
  }
  encode_sequence(std::span(s.color_codes).first(s.color_value_count()), s.color_range,
                  first_color_bit(s.partition_count), block);
  return block;
}

Result<Block128> pack_block(const SymbolicBlock& symbolic, BlockSize size) {
  if (symbolic.kind == BlockKind::kWeighted) {
    return pack_weighted(symbolic, size);
  }
  if (symbolic.kind == BlockKind::kVoidExtent) {
    if (const auto block = pack_void_extent(symbolic.void_extent, size.is_3d())) {
      return *block;
    }
    return invalid_error("an ASTC void extent needs low < high coordinates that fit their bits");
  }
  return invalid_error("an ASTC block of the kind \"error\" has no bits of its own");
}

}  // namespace tessera::astc
