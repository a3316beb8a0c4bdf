// Unpacks what comes before colours and weights.
#include "astc/format/block_header.h"

namespace tessera::astc {
namespace {

// Reads the endpoint modes; `below_weights` is the first bit that weights use.
void unpack_endpoint_modes(const Block128& block, unsigned below_weights, BlockHeader& header) {
  const unsigned count = header.partition_count;
  const uint64_t selector = block.bits(kModeSelectorBit, 2);
  const uint64_t inline_bits = block.bits(kPartitionModesBit, kPartitionModesBits);
  header.separate_modes = selector != 0;
  if (!header.separate_modes) {
    for (unsigned i = 0; i < count; ++i) {
      header.endpoint_modes[i] = static_cast<EndpointMode>(inline_bits);
    }
    return;
  }
  const unsigned extra = extra_mode_bit_count(count, true);
  const uint64_t fields =
      inline_bits | (block.bits(below_weights - extra, extra) << kPartitionModesBits);
  for (unsigned i = 0; i < count; ++i) {
    const uint64_t mode_class = selector - 1 + ((fields >> i) & 1);
    const uint64_t mode_in_class = (fields >> (count + 2 * i)) & 3;
    header.endpoint_modes[i] = static_cast<EndpointMode>(4 * mode_class + mode_in_class);
  }
}

}  // namespace

bool unpack_header(const Block128& block, const BlockModeTable::Entry& entry, BlockHeader& header) {
  const unsigned count = static_cast<unsigned>(block.bits(kPartitionCountBit, 2)) + 1;
  const bool dual_plane = entry.mode.dual_plane;
  if (count == kMaxPartitions && dual_plane) {
    return false;
  }
  header.partition_count = static_cast<uint8_t>(count);
  const unsigned below_weights = kBlockBits - entry.weight_bit_count;
  unsigned values = 0;
  if (count == 1) {
    header.partition_seed = 0;
    header.separate_modes = false;
    header.endpoint_modes[0] = static_cast<EndpointMode>(block.bits(kSingleModeBit, 4));
    values = color_value_count(static_cast<unsigned>(header.endpoint_modes[0]));
  } else {
    header.partition_seed = static_cast<uint16_t>(block.bits(kSeedBit, kSeedBits));
    unpack_endpoint_modes(block, below_weights, header);
    for (unsigned i = 0; i < count; ++i) {
      values += color_value_count(static_cast<unsigned>(header.endpoint_modes[i]));
    }
  }
  const auto range = color_range(
      values, color_bit_count(entry.weight_bit_count, count, dual_plane, header.separate_modes));
  if (!range) {
    return false;
  }
  header.color_range = *range;
  header.color_value_count = static_cast<uint8_t>(values);
  // Below the weights and the extra mode bits; without a second plane it says nothing.
  const unsigned extra = extra_mode_bit_count(count, header.separate_modes);
  header.plane2_channel =
      static_cast<uint8_t>(dual_plane ? block.bits(below_weights - extra - 2, 2) : 0);
  return true;
}

}  // namespace tessera::astc
