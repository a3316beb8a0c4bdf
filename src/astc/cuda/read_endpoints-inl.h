// The endpoints of a block's partitions, read by a thread of a device: LDR and sRGB.
#pragma once

#include <initializer_list>

#include "astc/cuda/decode_tables.h"
#include "astc/cuda/read_values-inl.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"

namespace tessera::astc::device {

inline constexpr uint32_t kErrorColor = 0xFFFF00FFu;

struct Color {
  int r, g, b, a;
};

TESSERA_DECODE_INLINE int clamp_byte(int v) {
  return v < 0 ? 0 : (v > 255 ? 255 : v);
}

// Endpoint modes as a set of bits.
constexpr uint32_t modes_set(std::initializer_list<uint32_t> modes) {
  uint32_t set = 0;
  for (const uint32_t mode : modes) {
    set |= 1u << mode;
  }
  return set;
}
inline constexpr uint32_t kModesWithAlpha = modes_set({4, 5, 10, 12, 13});
// The second value of a pair is the way from the first.
inline constexpr uint32_t kOffsetModes = modes_set({5, 9, 13});
// The first colour is a share of the second.
inline constexpr uint32_t kScaleModes = modes_set({6, 10});
// The order of the colours tells whether blue is contracted.
inline constexpr uint32_t kOrderedModes = modes_set({8, 9, 12, 13});
// Errors in an LDR texture.
inline constexpr uint32_t kHdrModes = modes_set({2, 3, 7, 11, 14, 15});

TESSERA_DECODE_INLINE bool is_in(uint32_t mode, uint32_t set) {
  return ((set >> mode) & 1) != 0;
}

TESSERA_DECODE_INLINE Color color_of_bytes(uint32_t bytes) {
  return {static_cast<int>(bytes & 0xFF), static_cast<int>((bytes >> 8) & 0xFF),
          static_cast<int>((bytes >> 16) & 0xFF), static_cast<int>(bytes >> 24)};
}

// Moves the top bit of an offset into its base and gives both their final width; the offset becomes
// what it leads to.
TESSERA_DECODE_INLINE void add_offset(int& base, int& offset) {
  base = (base >> 1) | (offset & 0x80);
  offset = base + (static_cast<int>(static_cast<uint32_t>(offset) << 25) >> 26);
}

TESSERA_DECODE_INLINE Color blue_contract(const Color& c) {
  return {(c.r + c.b) >> 1, (c.g + c.b) >> 1, c.b, c.a};
}

TESSERA_DECODE_INLINE Color clamp_bytes(const Color& c) {
  return {clamp_byte(c.r), clamp_byte(c.g), clamp_byte(c.b), clamp_byte(c.a)};
}

// The LDR endpoint modes; see color_endpoints.cc. What modes have in common is done together: each
// branch that some threads of a warp take costs all of them.
TESSERA_DECODE_INLINE void read_endpoints(uint32_t mode, const StoredBytes<2>& values,
                                          const ReadTables& tables, Color& low, Color& high) {
  const uint32_t bytes = tables.endpoint_bytes[mode];
  low = color_of_bytes(pick_bytes(values.words[0], values.words[1], bytes & 0xFFFF));
  high = color_of_bytes(pick_bytes(values.words[0], values.words[1], bytes >> 16));
  const bool has_offset = is_in(mode, kOffsetModes);
  if (has_offset) {
    add_offset(low.r, high.r);
    add_offset(low.g, high.g);
    add_offset(low.b, high.b);
    add_offset(low.a, high.a);
  }
  if (is_in(mode, kScaleModes)) {
    const int scale = static_cast<int>(values[3]);
    low = {(high.r * scale) >> 8, (high.g * scale) >> 8, (high.b * scale) >> 8, low.a};
  }
  if (mode == 1) {
    const int l0 = (low.r >> 2) | (high.r & 0xC0);
    const int l1 = clamp_byte(l0 + (high.r & 0x3F));
    low = {l0, l0, l0, 0};
    high = {l1, l1, l1, 0};
  }
  if (!is_in(mode, kModesWithAlpha)) {
    low.a = high.a = 255;
  }
  const int rise = high.r + high.g + high.b - (low.r + low.g + low.b);
  if (is_in(mode, kOrderedModes) && rise < 0) {
    const Color first = low;
    low = blue_contract(high);
    high = blue_contract(first);
  }
  if (has_offset) {
    low = clamp_bytes(low);
    high = clamp_bytes(high);
  }
  if (is_in(mode, kHdrModes)) {
    low = high = color_of_bytes(kErrorColor);
  }
}

// The endpoint mode of each partition, four bits each, and whether they are stored one by one.
struct EndpointModes {
  uint32_t modes;
  bool separate;

  TESSERA_DECODE_INLINE uint32_t operator[](uint32_t i) const { return (modes >> (4 * i)) & 15; }
  // Of all partitions together; see color_value_count().
  TESSERA_DECODE_INLINE uint32_t values(uint32_t count) const {
    const uint32_t classes = (modes >> 2) & 0x3333;
    return 2 * (count + (((classes * 0x1111) >> 12) & 15));
  }
};

TESSERA_DECODE_INLINE EndpointModes read_modes(const Block128& block, uint32_t count,
                                               uint32_t below_weights) {
  const auto header = static_cast<uint32_t>(block.low);
  if (count == 1) {
    return {(header >> kSingleModeBit) & 15, false};
  }
  const uint32_t selector = (header >> kModeSelectorBit) & 3;
  const uint32_t stored = (header >> kPartitionModesBit) & 15;
  const uint32_t none = 16 - 4 * count;  // bits of partitions that do not exist
  if (selector == 0) {
    return {(stored * 0x1111) & (0xFFFFu >> none), false};
  }
  const uint32_t extra = 3 * count - 4;
  const uint32_t fields = stored | (static_cast<uint32_t>(block.bits(below_weights - extra, extra))
                                    << kPartitionModesBits);
  // A bit for each partition, then two for each; four of their own in the result.
  const uint32_t ones =
      (fields & 1) | ((fields & 2) << 3) | ((fields & 4) << 6) | ((fields & 8) << 9);
  const uint32_t rest = fields >> count;
  const uint32_t twos =
      (rest & 3) | ((rest & 0xC) << 2) | ((rest & 0x30) << 4) | ((rest & 0xC0) << 6);
  return {((selector - 1) * 0x4444 + 4 * ones + twos) & (0xFFFFu >> none), true};
}

}  // namespace tessera::astc::device
