// Unpacks LDR blocks as far as plain code goes.
#include "astc/decode/ldr_block.h"

#include "astc/decode/sample_conversion.h"
#include "astc/format/bise.h"
#include "astc/format/block_header.h"
#include "astc/format/quantization.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

constexpr Rgba8 kErrorRgba8 = {255, 0, 255, 255};
constexpr EndpointPair kErrorPair = {{255, 0, 255, 255}, {255, 0, 255, 255}, false, false};

bool has_alpha(EndpointMode mode) {
  // Modes 4, 5, 10, 12 and 13 of the LDR ones.
  return ((0x3430u >> static_cast<unsigned>(mode)) & 1u) != 0;
}

// From the quantised colour values.
void make_ldr_colors(const BlockHeader& header, const uint8_t* color_codes, LdrColors& colors) {
  std::array<uint8_t, kMaxColorValues> values;
  const ColorTable& table = color_table(header.color_range);
  for (unsigned i = 0; i < header.color_value_count; ++i) {
    values[i] = table.value_of_code[color_codes[i]];
  }
  const uint8_t* next = values.data();
  colors.is_opaque = true;
  for (unsigned partition = 0; partition < header.partition_count; ++partition) {
    const EndpointMode mode = header.endpoint_modes[partition];
    const EndpointPair pair = is_hdr(mode) ? kErrorPair : decode_endpoints(mode, next);
    next += color_value_count(static_cast<unsigned>(mode));
    colors.is_opaque = colors.is_opaque && !has_alpha(mode);
    for (unsigned channel = 0; channel < 4; ++channel) {
      colors.low64[partition][channel] = static_cast<int16_t>(pair.low[channel] * 64);
      colors.slope[partition][channel] =
          static_cast<int16_t>(pair.high[channel] - pair.low[channel]);
    }
  }
}

// Of a void extent, be it legal or not.
Rgba8 void_extent_color(const Block128& block, bool is_3d, DecodeMode mode) {
  const auto extent = unpack_void_extent(block, is_3d);
  if (!extent || extent->is_hdr) {
    return kErrorRgba8;
  }
  Rgba8 color;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const uint16_t value = extent->color[channel];
    color[channel] = mode == DecodeMode::kLdrFloat16 ? unorm16_to_unorm8(value)
                                                     : static_cast<uint8_t>(value >> 8);
  }
  return color;
}

bool unpack_weighted(const Block128& bits, const BlockModeTable::Entry& entry, LdrBlock& block) {
  BlockHeader header;
  if (!unpack_header(bits, entry, header)) {
    return false;
  }
  block.partition_count = header.partition_count;
  block.partition_seed = header.partition_seed;
  block.plane2_channel = header.plane2_channel;
  std::array<uint8_t, kMaxColorValues + kSequencePadding> color_codes;
  decode_sequence_padded(bits, first_color_bit(header.partition_count), header.color_range,
                         header.color_value_count, color_codes.data());
  make_ldr_colors(header, color_codes.data(), block.colors);
  decode_sequence_padded(reverse_bits(bits), 0, entry.mode.weight_range, entry.weight_count,
                         block.weights.data());
  return true;
}

}  // namespace

void unpack_ldr_block(const Block128& bits, const BlockModeTable& modes, DecodeMode mode,
                      LdrBlock& block) {
  block.entry = nullptr;
  if (is_void_extent(bits)) {
    block.uniform_color = void_extent_color(bits, modes.block_size().is_3d(), mode);
    return;
  }
  const auto* entry = modes.find(static_cast<unsigned>(bits.bits(0, kModeBits)));
  if (entry != nullptr && unpack_weighted(bits, *entry, block)) {
    block.entry = entry;
  } else {
    block.uniform_color = kErrorRgba8;
  }
}

}  // namespace tessera::astc
