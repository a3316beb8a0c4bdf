// The plain decoder, straight from the standard's formulae.
#include "astc/decode/reference_decode.h"

#include <algorithm>
#include <array>

#include "astc/decode/sample_conversion.h"
#include "astc/format/infill.h"
#include "astc/format/partition.h"
#include "astc/format/quantization.h"

namespace tessera::astc {
namespace {

bool is_8_bit(DecodeMode mode) {
  return mode == DecodeMode::kLdrUnorm8 || mode == DecodeMode::kSrgb;
}

Texel void_extent_texel(const VoidExtent& extent, DecodeMode mode) {
  Texel texel{extent.color};
  if (mode == DecodeMode::kHdr) {
    if (!extent.is_hdr) {
      std::transform(texel.rgba.begin(), texel.rgba.end(), texel.rgba.begin(), unorm16_to_half);
    }
    return texel;
  }
  if (extent.is_hdr) {
    return error_texel(mode);
  }
  if (is_8_bit(mode)) {
    for (uint16_t& channel : texel.rgba) {
      channel = static_cast<uint16_t>(channel >> 8);
    }
  }
  return texel;
}

// One channel between its two endpoint values.
uint16_t interpolate(unsigned low, unsigned high, bool channel_is_hdr, unsigned weight,
                     DecodeMode mode) {
  const auto expand = [&](unsigned value) {
    if (channel_is_hdr) {
      return value << 4;
    }
    return (value << 8) | (mode == DecodeMode::kSrgb ? 0x80 : value);
  };
  const auto result = static_cast<uint16_t>(
      (expand(low) * (kMaxWeight - weight) + expand(high) * weight + 32) >> 6);
  if (mode == DecodeMode::kHdr) {
    return channel_is_hdr ? lns_to_half(result) : unorm16_to_half(result);
  }
  return is_8_bit(mode) ? static_cast<uint16_t>(result >> 8) : result;
}

// A texel's weight (0…64) in one plane, from the grid.
unsigned texel_weight(const SymbolicBlock& block, const InfillTap& tap, unsigned plane) {
  const unsigned planes = block.mode.dual_plane ? 2 : 1;
  const WeightTable& table = weight_table(block.mode.weight_range);
  unsigned sum = 8;
  for (unsigned i = 0; i < 4; ++i) {
    const uint8_t code = block.weight_codes[tap.grid[i] * planes + plane];
    sum += unsigned{tap.factor[i]} * table.value_of_code[code];
  }
  return sum >> 4;
}

Texel weighted_texel(const SymbolicBlock& block, const EndpointPair& endpoints,
                     const InfillTap& tap, DecodeMode mode) {
  const unsigned weight = texel_weight(block, tap, 0);
  const unsigned second_weight = block.mode.dual_plane ? texel_weight(block, tap, 1) : weight;
  Texel texel;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const bool hdr = channel == 3 ? endpoints.alpha_is_hdr : endpoints.rgb_is_hdr;
    texel.rgba[channel] =
        interpolate(endpoints.low[channel], endpoints.high[channel], hdr,
                    channel == block.plane2_channel ? second_weight : weight, mode);
  }
  return texel;
}

void decode_weighted(const SymbolicBlock& block, BlockSize size, DecodeMode mode,
                     std::span<Texel> texels) {
  const auto endpoints = block_endpoints(block);
  const auto taps = infill_table(size).taps(block.mode.grid);
  const std::span<const uint8_t> pattern =
      block.partition_count > 1
          ? partition_table(size, block.partition_count).pattern(block.partition_seed)
          : std::span<const uint8_t>{};
  for (unsigned i = 0; i < size.texel_count(); ++i) {
    const unsigned partition = pattern.empty() ? 0 : pattern[i];
    const bool hdr = is_hdr(block.endpoint_modes[partition]);
    texels[i] = hdr && mode != DecodeMode::kHdr
                    ? error_texel(mode)  // only the texels of that partition
                    : weighted_texel(block, endpoints[partition], taps[i], mode);
  }
}

}  // namespace

std::array<EndpointPair, kMaxPartitions> block_endpoints(const SymbolicBlock& block) {
  std::array<uint8_t, kMaxColorValues> values{};
  const ColorTable& table = color_table(block.color_range);
  for (unsigned i = 0; i < block.color_value_count(); ++i) {
    values[i] = table.value_of_code[block.color_codes[i]];
  }
  std::array<EndpointPair, kMaxPartitions> endpoints;
  const uint8_t* next = values.data();
  for (unsigned i = 0; i < block.partition_count; ++i) {
    endpoints[i] = decode_endpoints(block.endpoint_modes[i], next);
    next += color_value_count(static_cast<unsigned>(block.endpoint_modes[i]));
  }
  return endpoints;
}

void decode_symbolic_block(const SymbolicBlock& block, BlockSize size, DecodeMode mode,
                           std::span<Texel> texels) {
  switch (block.kind) {
    case BlockKind::kError:
      std::fill_n(texels.begin(), size.texel_count(), error_texel(mode));
      return;
    case BlockKind::kVoidExtent:
      std::fill_n(texels.begin(), size.texel_count(), void_extent_texel(block.void_extent, mode));
      return;
    case BlockKind::kWeighted:
      decode_weighted(block, size, mode, texels);
      return;
  }
}

void decode_block(const Block128& block, BlockSize size, DecodeMode mode, std::span<Texel> texels) {
  decode_symbolic_block(unpack_block(block, size), size, mode, texels);
}

}  // namespace tessera::astc
