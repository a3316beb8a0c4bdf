// Unpacks 128 bits into a symbolic block.
#include <algorithm>
#include <span>

#include "astc/format/bise.h"
#include "astc/format/block_header.h"
#include "astc/format/symbolic_block.h"

namespace tessera::astc {
namespace {

SymbolicBlock unpack_weighted(const Block128& block, const BlockModeTable::Entry& entry) {
  SymbolicBlock out;
  BlockHeader header;
  if (!unpack_header(block, entry, header)) {
    return out;
  }
  out.kind = BlockKind::kWeighted;
  out.mode = entry.mode;
  out.partition_count = header.partition_count;
  out.partition_seed = header.partition_seed;
  out.separate_modes = header.separate_modes;
  out.endpoint_modes = header.endpoint_modes;
  out.plane2_channel = header.plane2_channel;
  out.color_range = header.color_range;
  decode_sequence(block, first_color_bit(out.partition_count), out.color_range,
                  std::span(out.color_codes).first(header.color_value_count));
  decode_sequence(reverse_bits(block), 0, out.mode.weight_range,
                  std::span(out.weight_codes).first(entry.weight_count));
  return out;
}

}  // namespace

std::optional<IntegerRange> implied_color_range(const SymbolicBlock& symbolic) {
  return color_range(symbolic.color_value_count(),
                     color_bit_count(symbolic.mode.weight_bit_count(), symbolic.partition_count,
                                     symbolic.mode.dual_plane, symbolic.separate_modes));
}

SymbolicBlock unpack_block(const Block128& block, BlockSize size) {
  if (is_void_extent(block)) {
    SymbolicBlock out;
    if (const auto extent = unpack_void_extent(block, size.is_3d())) {
      out.kind = BlockKind::kVoidExtent;
      out.void_extent = *extent;
    }
    return out;
  }
  const auto* entry = block_mode_table(size).find(static_cast<unsigned>(block.bits(0, kModeBits)));
  return entry != nullptr ? unpack_weighted(block, *entry) : SymbolicBlock{};
}

}  // namespace tessera::astc
