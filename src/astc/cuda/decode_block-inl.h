// One block to texels, as a thread of a device does it: LDR and sRGB, 2D. The tests run it on the
// host, too.
//
// Texels are mixed in floats, which hold every number here exactly: a weight has 8 bits, a
// difference of colours 16, and what they come to is below 2^24 units. A channel then takes two or
// three operations, rounding included.
//
// Storage is where a thread keeps what it must index: word(i), four bytes each, which are the
// values of colours first and then the weights, and line(i), two of Channels per partition. A copy
// of it is the same storage.
#pragma once

#include <bit>

#include "astc/cuda/decode_tables.h"
#include "astc/cuda/grid_weights-inl.h"
#include "astc/cuda/read_endpoints-inl.h"
#include "astc/cuda/read_values-inl.h"
#include "astc/decode/decode_mode.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "astc/format/integer_range.h"

namespace tessera::astc::device {

// A block as far as it has been read. One of a single colour has a line without length, so that any
// weights will do.
struct Unpacked {
  DeviceBlockMode mode = {2, 2, 0, 0, 4, 0, {}};
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

TESSERA_DECODE_INLINE float color_scale(DecodeMode mode) {
  return mode == DecodeMode::kSrgb ? 1.0F : 257.0F;
}

// The lines between the endpoints of all partitions: rise and start. The stored values lie where
// the weights come later.
template <class Storage>
TESSERA_DECODE_INLINE void read_colors(const Block128& block, uint32_t count,
                                       const EndpointModes& modes, uint32_t values, uint32_t range,
                                       const ReadTables& tables, DecodeMode mode,
                                       Storage& storage) {
  BitStream stream = stream_of(block);
  stream.skip(first_color_bit(count));
  stream.end_at(tables.sequence_bits(range, values));
  read_sequence<false>(stream, tables, range, values,
                       tables.color_values[range - range_index(kSmallestColorRange)], storage);
  for (uint32_t partition = 0, first = 0; partition < count; ++partition) {
    Color low, high;
    read_endpoints(modes[partition], StoredBytes<2>(first, storage), tables, low, high);
    const float scale = color_scale(mode);
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

// Of 8 bits per channel.
template <class Storage>
TESSERA_DECODE_INLINE Unpacked uniform_block(uint32_t color, DecodeMode mode, Storage& storage) {
  const Channels rise = {0, 0, 0, 0};
  storage.line(0) = rise;
  storage.line(1) = start_of(color_of_bytes(color), rise, color_scale(mode));
  return {};
}

template <class Storage>
TESSERA_DECODE_INLINE Unpacked error_block(DecodeMode mode, Storage& storage) {
  return uniform_block(kErrorColor, mode, storage);
}

template <class Storage>
TESSERA_DECODE_INLINE Unpacked unpack_void_extent(const Block128& block, DecodeMode mode,
                                                  Storage& storage) {
  const bool has_extent = (block.low >> 12) != low_bits_mask(52);
  const bool is_legal = block.bits(10, 2) == 3 && block.bits(9, 1) == 0 &&
                        (!has_extent || (block.bits(12, 13) < block.bits(25, 13) &&
                                         block.bits(38, 13) < block.bits(51, 13)));
  if (!is_legal) {
    return error_block(mode, storage);
  }
  const auto channel = [&](uint32_t c) {
    return narrow(static_cast<uint32_t>(block.high >> (16 * c)) & 0xFFFF, mode);
  };
  return uniform_block(channel(0) | (channel(1) << 8) | (channel(2) << 16) | (channel(3) << 24),
                       mode, storage);
}

template <class Storage>
TESSERA_DECODE_INLINE Unpacked unpack_block(const Block128& block, const DeviceBlockMode* modes_of,
                                            const ReadTables& tables, const DecodeShape& shape,
                                            const uint32_t* patterns, DecodeMode mode,
                                            Storage& storage) {
  if ((block.low & 0x1FF) == 0x1FC) {
    return unpack_void_extent(block, mode, storage);
  }
  Unpacked result;
  result.mode = modes_of[block.low & (kBlockModeCount - 1)];
  const auto count = static_cast<uint32_t>(block.bits(kPartitionCountBit, 2)) + 1;
  const bool is_dual = result.mode.is_dual_plane != 0;
  if (result.mode.weight_count == 0 || (is_dual && count == kMaxPartitions)) {
    return error_block(mode, storage);
  }
  const uint32_t below_weights = kBlockBits - result.mode.weight_bits;
  const EndpointModes modes = read_modes(block, count, below_weights);
  const uint32_t values = modes.values(count);
  const int bits = color_bit_count(result.mode.weight_bits, count, is_dual, modes.separate);
  if (values > kMaxColorValues || bits < 0) {
    return error_block(mode, storage);
  }
  const uint32_t range = tables.color_ranges[values / 2][bits];
  if (range == kNoColorRange) {
    return error_block(mode, storage);
  }
  read_colors(block, count, modes, values, range, tables, mode, storage);
  const uint32_t weight_range = result.mode.weight_range;
  BitStream weights = stream_of(reversed(block));
  weights.end_at(result.mode.weight_bits);
  read_sequence<true>(weights, tables, weight_range, result.mode.weight_count,
                      tables.weight_values[weight_range], storage);
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

template <class Storage>
TESSERA_DECODE_INLINE uint32_t mix_texel(const Unpacked& block, uint32_t partition, float weight,
                                         float weight2, Storage& storage, DecodeMode mode) {
  const Channels rise = storage.line(2 * partition), start = storage.line(2 * partition + 1);
  const auto channel = [&](uint32_t c, float rise_of_channel, float start_of_channel) {
    const float own = c == block.plane2_channel ? weight2 : weight;
    return round_value(fused(own, rise_of_channel, start_of_channel), mode);
  };
  return four_bytes(channel(0, rise.r, start.r), channel(1, rise.g, start.g),
                    channel(2, rise.b, start.b), channel(3, rise.a, start.a));
}

// The partitions of a row's texels, two bits each.
TESSERA_DECODE_INLINE uint32_t row_pattern(const Unpacked& block, const DecodeShape& shape,
                                           uint32_t y) {
  if (block.pattern == nullptr) {
    return 0;
  }
  const uint32_t texel = y * shape.width;
  const uint32_t* const words = block.pattern + texel / 16;
  return shifted_right(words[0], shape.pattern_words > 1 ? words[1] : 0, 2 * (texel % 16));
}

// Whether it holds for a thread of the warp.
TESSERA_DECODE_INLINE bool holds_for_any(bool condition) {
#ifdef __CUDA_ARCH__
  return __any_sync(~0u, condition);
#else
  return condition;
#endif
}

// Calls put(x, texel) for each texel of a row. kWidth: see WeightRow. All threads of a warp do so
// together.
template <unsigned kWidth, class Storage, class Put>
TESSERA_DECODE_INLINE void decode_row(const Unpacked& block, const DecodeShape& shape, uint32_t y,
                                      DecodeMode mode, Storage& storage, const Put& put) {
  const bool is_dual = block.mode.is_dual_plane != 0;
  const bool any_dual = holds_for_any(is_dual);
  const GridRow row = grid_row(block.mode, shape, y);
  const WeightRow<kWidth, Storage> weights(row, is_dual, storage);
  uint32_t pattern = row_pattern(block, shape, y);
#ifdef __CUDACC__
#pragma unroll
#endif
  for (uint32_t x = 0; x < (kWidth > 0 ? kWidth : shape.width); ++x) {
    const RowPlace place(row, x);
    const float weight = weights.first(place);
    const float weight2 = any_dual ? weights.second(place) : weight;
    put(x, mix_texel(block, pattern & 3, weight, weight2, storage, mode));
    pattern >>= 2;
  }
}

}  // namespace tessera::astc::device
