// Unpacks what blocks with weights have in common.
#include "astc/decode/weighted_block.h"

#include "astc/format/quantization.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {

bool unpack_weighted_block(const Block128& bits, const BlockModeTable& modes, WeightedBlock& block,
                           StoredColors& colors) {
  block.entry = nullptr;
  if (is_void_extent(bits)) {
    return false;
  }
  const auto* entry = modes.find(static_cast<unsigned>(bits.bits(0, kModeBits)));
  BlockHeader& header = colors.header;
  if (entry == nullptr || !unpack_header(bits, *entry, header)) {
    return false;
  }
  block.entry = entry;
  block.partition_count = header.partition_count;
  block.partition_seed = header.partition_seed;
  block.plane2_channel = header.plane2_channel;
  decode_sequence_padded(bits, first_color_bit(header.partition_count), header.color_range,
                         header.color_value_count, colors.values.data());
  const ColorTable& table = color_table(header.color_range);
  for (unsigned i = 0; i < header.color_value_count; ++i) {
    colors.values[i] = table.value_of_code[colors.values[i]];
  }
  decode_sequence_padded(reverse_bits(bits), 0, entry->mode.weight_range, entry->weight_count,
                         block.weights.data());
  return true;
}

}  // namespace tessera::astc
