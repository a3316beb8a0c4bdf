// Unpacks blocks of HDR textures as far as plain code goes.
#include "astc/decode/hdr_block.h"

#include "astc/decode/sample_conversion.h"
#include "astc/format/color_endpoints.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

// HDR endpoints have 12 bits, others 8.
int32_t expand(uint16_t value, bool is_hdr) {
  return is_hdr ? value << 4 : value * 257;
}

void make_channels(const StoredColors& stored, std::array<HdrChannel, 4>& channels) {
  for (HdrChannel& channel : channels) {
    channel.has_hdr = channel.has_ldr = false;
  }
  const uint8_t* next = stored.values.data();
  for (unsigned partition = 0; partition < stored.header.partition_count; ++partition) {
    const EndpointMode mode = stored.header.endpoint_modes[partition];
    const EndpointPair pair = decode_endpoints(mode, next);
    next += color_value_count(static_cast<unsigned>(mode));
    for (unsigned c = 0; c < 4; ++c) {
      HdrChannel& channel = channels[c];
      const bool is_hdr = c == 3 ? pair.alpha_is_hdr : pair.rgb_is_hdr;
      const int32_t low = expand(pair.low[c], is_hdr), high = expand(pair.high[c], is_hdr);
      channel.start[partition] = 64 * low + 32;
      channel.slope[partition] = high - low;
      channel.is_hdr[partition] = is_hdr ? -1 : 0;
      channel.has_hdr = channel.has_hdr || is_hdr;
      channel.has_ldr = channel.has_ldr || !is_hdr;
    }
  }
}

// Of a void extent, be it legal or not.
Texel void_extent_color(const Block128& bits, bool is_3d) {
  const auto extent = unpack_void_extent(bits, is_3d);
  if (!extent) {
    return error_texel(DecodeMode::kHdr);
  }
  Texel color{extent->color};
  for (uint16_t& channel : color.rgba) {
    channel = extent->is_hdr ? channel : unorm16_to_half(channel);
  }
  return color;
}

}  // namespace

void unpack_hdr_block(const Block128& bits, const BlockModeTable& modes, HdrBlock& block) {
  StoredColors stored;
  if (unpack_weighted_block(bits, modes, block, stored)) {
    make_channels(stored, block.channels);
  } else if (is_void_extent(bits)) {
    block.uniform_color = void_extent_color(bits, modes.block_size().is_3d());
  } else {
    block.uniform_color = error_texel(DecodeMode::kHdr);
  }
}

}  // namespace tessera::astc
