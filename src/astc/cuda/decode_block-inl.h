// One block to texels, as a thread of a device does it: LDR and sRGB, 2D. The tests run it on the
// host, too.
//
// Two channels are computed at a time in the halves of a word: red and blue, green and alpha. A sum
// of products 64·value fits 16 bits, so that halves never meet.
//
// Storage is where a thread keeps what it must index: weight(i), up to 64 bytes, and color(i), four
// words per partition.
#pragma once

#include "astc/cuda/decode_tables.h"
#include "astc/decode/decode_mode.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/integer_range.h"

#ifdef __CUDACC__
#define TESSERA_DECODE_INLINE __device__ __forceinline__
#else
#define TESSERA_DECODE_INLINE inline
#endif

namespace tessera::astc::device {

inline constexpr uint32_t kHalves = 0x00FF00FFu;
inline constexpr uint32_t kErrorRedBlue = 0x00FF00FFu;
inline constexpr uint32_t kErrorGreenAlpha = 0x00FF0000u;

// A block as far as it has been read.
struct Unpacked {
  bool is_uniform = false;
  uint32_t red_blue = 0, green_alpha = 0;  // of a block of one colour, 8 bits per channel
  DeviceBlockMode mode = {};
  uint32_t partition_count = 1;
  const uint32_t* pattern = nullptr;
  uint32_t plane2_red_blue = 0, plane2_green_alpha = 0;  // masks of the second plane's channel
};

TESSERA_DECODE_INLINE Block128 reversed(const Block128& block) {
#ifdef __CUDA_ARCH__
  return {__brevll(block.high), __brevll(block.low)};
#else
  return reverse_bits(block);
#endif
}

// Calls emit(i, code) for `count` values that start at bit `first`.
template <class Emit>
TESSERA_DECODE_INLINE void read_sequence(const Block128& block, uint32_t first, uint32_t range,
                                         uint32_t count, const DecodeTables& tables,
                                         const Emit& emit) {
  const uint32_t n = tables.range_bits[range];
  const uint32_t digit = tables.range_digits[range];
  const uint32_t mask = (1u << n) - 1;
  if (digit == static_cast<uint32_t>(Digit::kNone)) {
    for (uint32_t i = 0; i < count; ++i) {
      emit(i, static_cast<uint32_t>(block.window(first + i * n)) & mask);
    }
    return;
  }
  const bool is_trit = digit == static_cast<uint32_t>(Digit::kTrit);
  const uint32_t group = is_trit ? 5 : 3;
  const uint32_t end = first + n * count + (is_trit ? (8 * count + 4) / 5 : (7 * count + 2) / 3);
  for (uint32_t done = 0; done < count; done += group) {
    // A shortened last group reads zeros.
    const uint32_t room = end - first;
    uint64_t chunk = block.window(first);
    chunk = room < 64 ? chunk & ((uint64_t{1} << room) - 1) : chunk;
    const auto at = [chunk](uint32_t shift) { return static_cast<uint32_t>(chunk >> shift); };
    uint32_t plain[5], digits;
    if (is_trit) {
      digits = tables.trits[(at(n) & 0x03) | (at(2 * n) & 0x0C) | (at(3 * n) & 0x10) |
                            (at(4 * n) & 0x60) | (at(5 * n) & 0x80)];
      plain[0] = at(0);
      plain[1] = at(n + 2);
      plain[2] = at(2 * n + 4);
      plain[3] = at(3 * n + 5);
      plain[4] = at(4 * n + 7);
      first += 5 * n + 8;
    } else {
      digits = tables.quints[(at(n) & 0x07) | (at(2 * n) & 0x18) | (at(3 * n) & 0x60)];
      plain[0] = at(0);
      plain[1] = at(n + 3);
      plain[2] = at(2 * n + 5);
      plain[3] = plain[4] = 0;
      first += 3 * n + 7;
    }
    const uint32_t digit_bits = is_trit ? 2 : 3;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (uint32_t i = 0; i < 5; ++i) {
      const uint32_t value =
          ((digits >> (digit_bits * i)) & ((1u << digit_bits) - 1)) << n | (plain[i] & mask);
      if (i < group && done + i < count) {
        emit(done + i, value);
      }
    }
  }
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

TESSERA_DECODE_INLINE uint32_t pack_halves(int low, int high) {
  return static_cast<uint32_t>(low) | (static_cast<uint32_t>(high) << 16);
}

// The endpoints of all partitions: the words low red and blue, low green and alpha, then the high
// ones. The stored values lie where the weights come later.
template <class Storage>
TESSERA_DECODE_INLINE void read_colors(const Block128& block, uint32_t count,
                                       const EndpointModes& modes, uint32_t values, uint32_t range,
                                       const DecodeTables& tables, Storage& storage) {
  const uint8_t* const value_of_code =
      tables.color_values[range - range_index(kSmallestColorRange)];
  read_sequence(block, first_color_bit(count), range, values, tables,
                [&](uint32_t i, uint32_t code) { storage.weight(i) = value_of_code[code]; });
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
    storage.color(4 * partition) = pack_halves(low.r, low.b);
    storage.color(4 * partition + 1) = pack_halves(low.g, low.a);
    storage.color(4 * partition + 2) = pack_halves(high.r, high.b);
    storage.color(4 * partition + 3) = pack_halves(high.g, high.a);
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

TESSERA_DECODE_INLINE Unpacked uniform_block(uint32_t red_blue, uint32_t green_alpha) {
  Unpacked block;
  block.is_uniform = true;
  block.red_blue = red_blue;
  block.green_alpha = green_alpha;
  return block;
}

TESSERA_DECODE_INLINE Unpacked error_block() {
  return uniform_block(kErrorRedBlue, kErrorGreenAlpha);
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
  return uniform_block(channel(0) | (channel(2) << 16), channel(1) | (channel(3) << 16));
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
  read_colors(block, count, modes, values, range, tables, storage);
  const uint8_t* const weight_of_code = tables.weight_values[result.mode.weight_range];
  read_sequence(reversed(block), 0, result.mode.weight_range, result.mode.weight_count, tables,
                [&](uint32_t i, uint32_t code) { storage.weight(i) = weight_of_code[code]; });
  result.partition_count = count;
  if (count > 1) {
    const auto seed = static_cast<uint32_t>(block.bits(kSeedBit, kSeedBits));
    result.pattern =
        patterns + (size_t{count - 2} * kPartitionSeedCount + seed) * shape.pattern_words;
  }
  if (is_dual) {
    const uint32_t extra = extra_mode_bit_count(count, modes.separate);
    const auto channel = static_cast<uint32_t>(block.bits(below_weights - extra - 2, 2));
    const uint32_t half = channel < 2 ? 0x0000FFFFu : 0xFFFF0000u;
    result.plane2_red_blue = channel % 2 == 0 ? half : 0;
    result.plane2_green_alpha = channel % 2 == 1 ? half : 0;
  }
  return result;
}

// A texel's place in the grid of weights: where the four around it begin, and their factors.
struct GridTap {
  uint32_t at, right, below, diagonal;  // positions
  uint32_t factor[4];
};

TESSERA_DECODE_INLINE GridTap grid_tap(const DeviceBlockMode& mode, const DecodeShape& shape,
                                       uint32_t x, uint32_t y) {
  const uint32_t s = (shape.step_x * x * (mode.grid_x - 1u) + 32) >> 6;
  const uint32_t t = (shape.step_y * y * (mode.grid_y - 1u) + 32) >> 6;
  const uint32_t fs = s & 15, ft = t & 15;
  const uint32_t both = (fs * ft + 8) >> 4;
  const uint32_t at = (t >> 4) * mode.grid_x + (s >> 4);
  // A neighbour that does not count may lie outside the grid.
  const uint32_t to_right = fs != 0 ? 1 : 0, to_below = ft != 0 ? mode.grid_x : 0u;
  return {at,
          at + to_right,
          at + to_below,
          at + to_right + to_below,
          {16 - fs - ft + both, fs - both, ft - both, both}};
}

template <class Storage>
TESSERA_DECODE_INLINE uint32_t tapped_weight(const GridTap& tap, uint32_t planes, uint32_t plane,
                                             Storage& storage) {
  const auto weight = [&](uint32_t position) {
    return uint32_t{storage.weight(position * planes + plane)};
  };
  return (tap.factor[0] * weight(tap.at) + tap.factor[1] * weight(tap.right) +
          tap.factor[2] * weight(tap.below) + tap.factor[3] * weight(tap.diagonal) + 8) >>
         4;
}

// 64 times the values of two channels.
TESSERA_DECODE_INLINE uint32_t mix(uint32_t low, uint32_t high, uint32_t weight) {
  return low * (64 - weight) + high * weight;
}

// To 8 bits in the way of the mode, two channels at once.
TESSERA_DECODE_INLINE uint32_t round_pair(uint32_t sums, DecodeMode mode) {
  const uint32_t nearest = ((sums + 0x00200020u) >> 6) & kHalves;
  if (mode == DecodeMode::kSrgb) {
    return nearest;
  }
  const uint32_t wide = (sums << 2) + nearest;
  if (mode == DecodeMode::kLdrUnorm8) {
    return (wide >> 8) & kHalves;
  }
  return narrow(wide & 0xFFFF, mode) | (narrow(wide >> 16, mode) << 16);
}

template <class Storage>
TESSERA_DECODE_INLINE uint32_t decode_texel(const Unpacked& block, const DecodeShape& shape,
                                            Storage& storage, uint32_t x, uint32_t y,
                                            DecodeMode mode) {
  if (block.is_uniform) {
    return block.red_blue | (block.green_alpha << 8);
  }
  const uint32_t texel = y * shape.width + x;
  const bool is_dual = block.mode.is_dual_plane != 0;
  const uint32_t planes = is_dual ? 2 : 1;
  uint32_t weight, weight2 = 0;
  if (block.mode.grid_x == shape.width && block.mode.grid_y == shape.height) {
    weight = storage.weight(texel * planes);
    weight2 = is_dual ? storage.weight(texel * planes + 1) : 0;
  } else {
    const GridTap tap = grid_tap(block.mode, shape, x, y);
    weight = tapped_weight(tap, planes, 0, storage);
    weight2 = is_dual ? tapped_weight(tap, planes, 1, storage) : 0;
  }
  const uint32_t partition =
      block.partition_count == 1 ? 0 : (block.pattern[texel / 16] >> (2 * (texel % 16))) & 3;
  const uint32_t low_rb = storage.color(4 * partition), low_ga = storage.color(4 * partition + 1);
  const uint32_t high_rb = storage.color(4 * partition + 2);
  const uint32_t high_ga = storage.color(4 * partition + 3);
  uint32_t red_blue = mix(low_rb, high_rb, weight);
  uint32_t green_alpha = mix(low_ga, high_ga, weight);
  if (is_dual) {
    const uint32_t rb_mask = block.plane2_red_blue, ga_mask = block.plane2_green_alpha;
    red_blue = (red_blue & ~rb_mask) | (mix(low_rb, high_rb, weight2) & rb_mask);
    green_alpha = (green_alpha & ~ga_mask) | (mix(low_ga, high_ga, weight2) & ga_mask);
  }
  return round_pair(red_blue, mode) | (round_pair(green_alpha, mode) << 8);
}

}  // namespace tessera::astc::device
