// Unpacks LDR blocks as far as plain code goes.
#include "astc/decode/ldr_block.h"

#include "astc/decode/sample_conversion.h"
#include "astc/format/color_endpoints.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

constexpr Rgba8 kErrorRgba8 = {255, 0, 255, 255};
constexpr EndpointPair kErrorPair = {{255, 0, 255, 255}, {255, 0, 255, 255}, false, false};

bool has_alpha(EndpointMode mode) {
  // Modes 4, 5, 10, 12 and 13 of the LDR ones.
  return ((0x3430u >> static_cast<unsigned>(mode)) & 1u) != 0;
}

void make_ldr_colors(const StoredColors& stored, LdrColors& colors) {
  const BlockHeader& header = stored.header;
  const uint8_t* next = stored.values.data();
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

}  // namespace

void unpack_ldr_block(const Block128& bits, const BlockModeTable& modes, DecodeMode mode,
                      LdrBlock& block) {
  StoredColors stored;
  if (unpack_weighted_block(bits, modes, block, stored)) {
    make_ldr_colors(stored, block.colors);
  } else if (is_void_extent(bits)) {
    block.uniform_color = void_extent_color(bits, modes.block_size().is_3d(), mode);
  } else {
    block.uniform_color = kErrorRgba8;
  }
}

}  // namespace tessera::astc
