// One block to texels, as a thread of a device does it: LDR and sRGB, 2D. The tests run it on the
// host, too.
//
// Texels are mixed in floats, which hold every number here exactly: a weight has 8 bits, a
// difference of colours 16, and what they come to is below 2^24 units. A channel then takes two or
// three operations, rounding included.
//
// Storage is where a thread keeps what it must index: weight(i), numbers of 16 bits, and line(i),
// two of Channels per partition. A copy of it is the same storage.
#pragma once

#include <bit>

#include "astc/cuda/decode_tables.h"
#include "astc/cuda/read_values-inl.h"
#include "astc/decode/decode_mode.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/integer_range.h"

namespace tessera::astc::device {

inline constexpr uint32_t kErrorColor = 0xFFFF00FFu;
// Weights w, 0 to 64, are kept as the upper half of the float 1 + w / 128.
inline constexpr uint32_t kWeightBias = 0x3F80;

// A block as far as it has been read.
struct Unpacked {
  bool is_uniform = false;
  uint32_t color = 0;  // of a block of one colour, 8 bits per channel
  DeviceBlockMode mode = {};
  const uint32_t* pattern = nullptr;  // none: one partition
  uint32_t plane2_channel = 4;        // none
};

TESSERA_DECODE_INLINE Block128 reversed(const Block128& block) {
#ifdef __CUDA_ARCH__
  return {__brevll(block.high), __brevll(block.low)};
#else
  return reverse_bits(block);
#endif
}

struct Color {
  int r, g, b, a;
};

TESSERA_DECODE_INLINE int clamp_byte(int v) {
  return v < 0 ? 0 : (v > 255 ? 255 : v);
}

// Moves the top bit of an offset into its base, and gives both their final width.
TESSERA_DECODE_INLINE void transfer_bit(int& offset, int& base) {
  base = (base >> 1) | (offset & 0x80);
  offset = (offset >> 1) & 0x3F;
  offset = (offset & 0x20) != 0 ? offset - 0x40 : offset;
}

TESSERA_DECODE_INLINE Color blue_contract(const Color& c) {
  return {(c.r + c.b) >> 1, (c.g + c.b) >> 1, c.b, c.a};
}

// The modes that store one colour and the way to the other.
TESSERA_DECODE_INLINE void read_offset_endpoints(const int v[8], bool has_alpha, Color& low,
                                                 Color& high) {
  int r = v[0], g = v[2], b = v[4], a = 255;
  int by_r = v[1], by_g = v[3], by_b = v[5], by_a = 0;
  transfer_bit(by_r, r);
  transfer_bit(by_g, g);
  transfer_bit(by_b, b);
  if (has_alpha) {
    a = v[6];
    by_a = v[7];
    transfer_bit(by_a, a);
  }
  const Color first = {r, g, b, a};
  const Color second = {r + by_r, g + by_g, b + by_b, a + by_a};
  const bool in_order = by_r + by_g + by_b >= 0;
  low = in_order ? first : blue_contract(second);
  high = in_order ? second : blue_contract(first);
  low = {clamp_byte(low.r), clamp_byte(low.g), clamp_byte(low.b), clamp_byte(low.a)};
  high = {clamp_byte(high.r), clamp_byte(high.g), clamp_byte(high.b), clamp_byte(high.a)};
}

// The LDR endpoint modes; see color_endpoints.cc. HDR ones are errors in an LDR texture.
TESSERA_DECODE_INLINE void read_endpoints(uint32_t mode, const int v[8], Color& low, Color& high) {
  constexpr int kOpaque = 255;
  switch (mode) {
    case 0:
    case 4:
      low = {v[0], v[0], v[0], mode == 4 ? v[2] : kOpaque};
      high = {v[1], v[1], v[1], mode == 4 ? v[3] : kOpaque};
      return;
    case 1: {
      const int l0 = (v[0] >> 2) | (v[1] & 0xC0);
      const int l1 = clamp_byte(l0 + (v[1] & 0x3F));
      low = {l0, l0, l0, kOpaque};
      high = {l1, l1, l1, kOpaque};
      return;
    }
    case 5: {
      int base = v[0], offset = v[1], alpha = v[2], alpha_offset = v[3];
      transfer_bit(offset, base);
      transfer_bit(alpha_offset, alpha);
      const int l1 = clamp_byte(base + offset);
      low = {base, base, base, alpha};
      high = {l1, l1, l1, clamp_byte(alpha + alpha_offset)};
      return;
    }
    case 6:
    case 10:
      low = {(v[0] * v[3]) >> 8, (v[1] * v[3]) >> 8, (v[2] * v[3]) >> 8,
             mode == 10 ? v[4] : kOpaque};
      high = {v[0], v[1], v[2], mode == 10 ? v[5] : kOpaque};
      return;
    case 8:
    case 12: {
      const Color first = {v[0], v[2], v[4], mode == 12 ? v[6] : kOpaque};
      const Color second = {v[1], v[3], v[5], mode == 12 ? v[7] : kOpaque};
      const bool in_order = second.r + second.g + second.b >= first.r + first.g + first.b;
      low = in_order ? first : blue_contract(second);
      high = in_order ? second : blue_contract(first);
      return;
    }
    case 9:
    case 13:
      read_offset_endpoints(v, mode == 13, low, high);
      return;
    default:
      low = high = {255, 0, 255, 255};
  }
}

// The endpoint mode of each partition, four bits each, and whether they are stored one by one.
struct EndpointModes {
  uint32_t modes = 0;
  bool separate = false;

  TESSERA_DECODE_INLINE uint32_t operator[](uint32_t i) const { return (modes >> (4 * i)) & 15; }
};

TESSERA_DECODE_INLINE EndpointModes read_modes(const Block128& block, uint32_t count,
                                               uint32_t below_weights) {
  EndpointModes result;
  if (count == 1) {
    result.modes = static_cast<uint32_t>(block.bits(kSingleModeBit, 4));
    return result;
  }
  const auto selector = static_cast<uint32_t>(block.bits(kModeSelectorBit, 2));
  const auto stored = static_cast<uint32_t>(block.bits(kPartitionModesBit, kPartitionModesBits));
  if (selector == 0) {
    result.modes = stored * 0x1111;
    return result;
  }
  result.separate = true;
  const uint32_t extra = 3 * count - 4;
  const uint32_t fields = stored | (static_cast<uint32_t>(block.bits(below_weights - extra, extra))
                                    << kPartitionModesBits);
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t mode_class = selector - 1 + ((fields >> i) & 1);
    result.modes |= (4 * mode_class + ((fields >> (count + 2 * i)) & 3)) << (4 * i);
  }
  return result;
}

TESSERA_DECODE_INLINE float weight_as_float(uint32_t stored) {
#ifdef __CUDA_ARCH__
  return __uint_as_float(stored << 16);
#else
  return std::bit_cast<float>(stored << 16);
#endif
}

TESSERA_DECODE_INLINE float fused(float a, float b, float c) {
#ifdef __CUDA_ARCH__
  return __fmaf_rn(a, b, c);
#else
  return a * b + c;
#endif
}

// Of red, green, blue and alpha; read and written at once.
struct alignas(16) Channels {
  float r, g, b, a;
};

// Colours are scaled so that the value of a channel for a weight w is start + (1 + w / 128) · rise,
// and half a unit more, as it is rounded later: in levels for sRGB, else in levels of 16 bits.
TESSERA_DECODE_INLINE Channels rise_between(const Color& low, const Color& high, float scale) {
  return {static_cast<float>(high.r - low.r) * (2 * scale),
          static_cast<float>(high.g - low.g) * (2 * scale),
          static_cast<float>(high.b - low.b) * (2 * scale),
          static_cast<float>(high.a - low.a) * (2 * scale)};
}

TESSERA_DECODE_INLINE Channels start_of(const Color& low, const Channels& rise, float scale) {
  return {static_cast<float>(low.r) * scale + 0.5F - rise.r,
          static_cast<float>(low.g) * scale + 0.5F - rise.g,
          static_cast<float>(low.b) * scale + 0.5F - rise.b,
          static_cast<float>(low.a) * scale + 0.5F - rise.a};
}

// The lines between the endpoints of all partitions: rise and start. The stored values lie where
// the weights come later.
template <class Storage>
TESSERA_DECODE_INLINE void read_colors(const Block128& block, uint32_t count,
                                       const EndpointModes& modes, uint32_t values, uint32_t range,
                                       const DecodeTables& tables, DecodeMode mode,
                                       Storage& storage) {
  BitStream stream = stream_of(block);
  stream.skip(first_color_bit(count));
  stream.end_at(tables.sequence_bits(range, values));
  read_sequence(stream, tables.range_bits[range], tables.range_digits[range], values,
                tables.color_values[range - range_index(kSmallestColorRange)], 0, tables.digits,
                storage);
  for (uint32_t partition = 0, first = 0; partition < count; ++partition) {
    int v[8];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (uint32_t k = 0; k < 8; ++k) {  // those past the mode's last one mean nothing
      v[k] = storage.weight(first + k);
    }
    Color low, high;
    read_endpoints(modes[partition], v, low, high);
    const float scale = mode == DecodeMode::kSrgb ? 1.0F : 257.0F;
    const Channels rise = rise_between(low, high, scale);
    storage.line(2 * partition) = rise;
    storage.line(2 * partition + 1) = start_of(low, rise, scale);
    first += color_value_count(modes[partition]);
  }
}

// The 16 bits of a linear result as 8 bits: of a half float, or the top byte.
TESSERA_DECODE_INLINE uint32_t narrow(uint32_t value, DecodeMode mode) {
  if (mode != DecodeMode::kLdrFloat16) {
    return value >> 8;
  }
#ifdef __CUDA_ARCH__
  const uint32_t width = 32 - __clz(value);
#else
  const uint32_t width = static_cast<uint32_t>(std::bit_width(value));
#endif
  const uint32_t excess = width > 11 ? width - 11 : 0;
  return (((value >> excess) << excess) * 255 + 0x8000) >> 16;
}

TESSERA_DECODE_INLINE Unpacked uniform_block(uint32_t color) {
  Unpacked block;
  block.is_uniform = true;
  block.color = color;
  return block;
}

TESSERA_DECODE_INLINE Unpacked error_block() {
  return uniform_block(kErrorColor);
}

TESSERA_DECODE_INLINE Unpacked unpack_void_extent(const Block128& block, DecodeMode mode) {
  const bool has_extent = (block.low >> 12) != low_bits_mask(52);
  const bool is_legal = block.bits(10, 2) == 3 && block.bits(9, 1) == 0 &&
                        (!has_extent || (block.bits(12, 13) < block.bits(25, 13) &&
                                         block.bits(38, 13) < block.bits(51, 13)));
  if (!is_legal) {
    return error_block();
  }
  const auto channel = [&](uint32_t c) {
    return narrow(static_cast<uint32_t>(block.high >> (16 * c)) & 0xFFFF, mode);
  };
  return uniform_block(channel(0) | (channel(1) << 8) | (channel(2) << 16) | (channel(3) << 24));
}

template <class Storage>
TESSERA_DECODE_INLINE Unpacked unpack_block(const Block128& block, const DecodeTables& tables,
                                            const DecodeShape& shape, const uint32_t* patterns,
                                            DecodeMode mode, Storage& storage) {
  if ((block.low & 0x1FF) == 0x1FC) {
    return unpack_void_extent(block, mode);
  }
  Unpacked result;
  result.mode = tables.modes[block.low & (kBlockModeCount - 1)];
  const auto count = static_cast<uint32_t>(block.bits(kPartitionCountBit, 2)) + 1;
  const bool is_dual = result.mode.is_dual_plane != 0;
  if (result.mode.weight_count == 0 || (is_dual && count == kMaxPartitions)) {
    return error_block();
  }
  const uint32_t below_weights = kBlockBits - result.mode.weight_bits;
  const EndpointModes modes = read_modes(block, count, below_weights);
  uint32_t values = 0;
  for (uint32_t i = 0; i < count; ++i) {
    values += color_value_count(modes[i]);
  }
  const int bits = color_bit_count(result.mode.weight_bits, count, is_dual, modes.separate);
  if (values > kMaxColorValues || bits < 0) {
    return error_block();
  }
  const uint32_t range = tables.color_ranges[values / 2][bits];
  if (range == kNoColorRange) {
    return error_block();
  }
  read_colors(block, count, modes, values, range, tables, mode, storage);
  const uint32_t weight_range = result.mode.weight_range;
  BitStream weights = stream_of(reversed(block));
  weights.end_at(result.mode.weight_bits);
  read_sequence(weights, tables.range_bits[weight_range], tables.range_digits[weight_range],
                result.mode.weight_count, tables.weight_values[weight_range], kWeightBias,
                tables.digits, storage);
  if (count > 1) {
    const auto seed = static_cast<uint32_t>(block.bits(kSeedBit, kSeedBits));
    result.pattern =
        patterns + (size_t{count - 2} * kPartitionSeedCount + seed) * shape.pattern_words;
  }
  if (is_dual) {
    const uint32_t extra = extra_mode_bit_count(count, modes.separate);
    result.plane2_channel = static_cast<uint32_t>(block.bits(below_weights - extra - 2, 2));
  }
  return result;
}

// A row of texels in the grid of weights. Grids with a weight for each texel are no special case:
// their texels lie on the weights.
struct GridRow {
  uint32_t first;        // weight of the row above, or on, the texels
  uint32_t to_below;     // from there to the weights below; none: to those that do not count
  uint32_t below_share;  // of 16
  uint32_t next, step;   // where the next texel lies, in 1024ths of the way between two weights
};

TESSERA_DECODE_INLINE GridRow grid_row(const DeviceBlockMode& mode, const DecodeShape& shape,
                                       uint32_t y) {
  const uint32_t t = (shape.step_y * y * (mode.grid_y - 1u) + 32) >> 6;
  GridRow row;
  row.first = (t >> 4) * mode.grid_x;
  row.below_share = t & 15;
  row.to_below = row.below_share != 0 ? mode.grid_x : 0u;
  row.next = 32;
  row.step = shape.step_x * (mode.grid_x - 1u);
  return row;
}

// The weights around a texel, and their shares of 16.
struct GridTap {
  uint32_t at, right, below, diagonal;
  uint32_t share[4];
};

TESSERA_DECODE_INLINE GridTap next_tap(GridRow& row) {
  const uint32_t s = row.next >> 6;
  row.next += row.step;
  const uint32_t fs = s & 15, ft = row.below_share;
  const uint32_t both = (fs * ft + 8) >> 4;
  const uint32_t at = row.first + (s >> 4);
  // A neighbour that does not count may lie outside the grid.
  const uint32_t right = at + (fs != 0 ? 1 : 0);
  return {at,
          right,
          at + row.to_below,
          right + row.to_below,
          {16 - fs - ft + both, fs - both, ft - both, both}};
}

template <class Storage>
TESSERA_DECODE_INLINE uint32_t tapped_weight(const GridTap& tap, uint32_t planes, uint32_t plane,
                                             Storage& storage) {
  const auto weight = [&](uint32_t position) {
    return uint32_t{storage.weight(position * planes + plane)};
  };
  return (tap.share[0] * weight(tap.at) + tap.share[1] * weight(tap.right) +
          tap.share[2] * weight(tap.below) + tap.share[3] * weight(tap.diagonal) + 8) >>
         4;
}

// What start and rise come to for a weight, as a byte in the lowest bits of the result.
TESSERA_DECODE_INLINE uint32_t round_value(float value, DecodeMode mode) {
  constexpr float kWhole = 8388608.0F;  // 2^23: sums with it are whole numbers
#ifdef __CUDA_ARCH__
  if (mode == DecodeMode::kSrgb) {
    return __float_as_uint(__fadd_rz(value, kWhole));
  }
  if (mode == DecodeMode::kLdrUnorm8) {
    return __float_as_uint(__fmaf_rz(value, 1.0F / 256, kWhole));
  }
  // The eleven highest bits, as a half float has them.
  const float half = __uint_as_float(__float_as_uint(value) & 0xFFFFE000u);
  return __float_as_uint(__fmaf_rn(half, 255.0F / 65536, kWhole));
#else
  if (mode == DecodeMode::kSrgb) {
    return static_cast<uint32_t>(value);
  }
  if (mode == DecodeMode::kLdrUnorm8) {
    return static_cast<uint32_t>(value * (1.0F / 256));
  }
  const float half = std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xFFFFE000u);
  return std::bit_cast<uint32_t>(half * (255.0F / 65536) + kWhole);
#endif
}

TESSERA_DECODE_INLINE uint32_t lowest_bytes(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
#ifdef __CUDA_ARCH__
  return __byte_perm(__byte_perm(r, g, 0x0040), __byte_perm(b, a, 0x0040), 0x5410);
#else
  return (r & 0xFF) | ((g & 0xFF) << 8) | ((b & 0xFF) << 16) | ((a & 0xFF) << 24);
#endif
}

// A texel of a block that is not uniform, of its weights as they are stored.
template <class Storage>
TESSERA_DECODE_INLINE uint32_t mix_texel(const Unpacked& block, uint32_t partition, uint32_t stored,
                                         uint32_t stored2, Storage& storage, DecodeMode mode) {
  const float weight = weight_as_float(stored), weight2 = weight_as_float(stored2);
  const Channels rise = storage.line(2 * partition), start = storage.line(2 * partition + 1);
  const auto channel = [&](uint32_t c, float rise_of_channel, float start_of_channel) {
    const float own = c == block.plane2_channel ? weight2 : weight;
    return round_value(fused(own, rise_of_channel, start_of_channel), mode);
  };
  return lowest_bytes(channel(0, rise.r, start.r), channel(1, rise.g, start.g),
                      channel(2, rise.b, start.b), channel(3, rise.a, start.a));
}

// Calls put(x, texel) for each texel of a row.
template <class Storage, class Put>
TESSERA_DECODE_INLINE void decode_row(const Unpacked& block, const DecodeShape& shape, uint32_t y,
                                      DecodeMode mode, Storage& storage, const Put& put) {
  const bool is_dual = block.mode.is_dual_plane != 0;
  const uint32_t planes = is_dual ? 2 : 1;
  GridRow row = grid_row(block.mode, shape, y);
  uint32_t texel = y * shape.width;
  uint32_t pattern = 0;
  if (block.pattern != nullptr) {
    pattern = block.pattern[texel / 16] >> (2 * (texel % 16));
  }
  for (uint32_t x = 0; x < shape.width; ++x) {
    uint32_t color = block.color;
    if (!block.is_uniform) {
      const GridTap tap = next_tap(row);
      const uint32_t stored = tapped_weight(tap, planes, 0, storage);
      const uint32_t stored2 = is_dual ? tapped_weight(tap, planes, 1, storage) : 0;
      color = mix_texel(block, pattern & 3, stored, stored2, storage, mode);
      pattern >>= 2;
      ++texel;
      if (texel % 16 == 0 && x + 1 < shape.width && block.pattern != nullptr) {
        pattern = block.pattern[texel / 16];
      }
    }
    put(x, color);
  }
}

}  // namespace tessera::astc::device
