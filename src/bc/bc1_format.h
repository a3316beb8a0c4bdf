// What the BC1 (DXT1) standard fixes. A block of 4x4 texels is 8 bytes, little-endian: two 5:6:5
// colours, then 16 two-bit selectors, texel 0 (top left) in the lowest bits, row by row.
// With color0 > color1 the palette is {color0, color1, (2·color0 + color1)/3, (color0 +
// 2·color1)/3}; otherwise {color0, color1, (color0 + color1)/2, transparent black}.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tessera::bc1 {

inline constexpr uint32_t kBlockSide = 4;  // texels
inline constexpr size_t kBlockBytes = 8;
inline constexpr size_t kTexelBytes = 4;  // RGBA8 in and out
inline constexpr size_t kBlockTexels = 16;

struct Block {
  uint16_t color0 = 0;
  uint16_t color1 = 0;
  uint32_t selectors = 0;
};

struct Rgba8 {
  uint8_t r = 0;
  uint8_t g = 0;
  uint8_t b = 0;
  uint8_t a = 255;
  bool operator==(const Rgba8&) const = default;
};

// Bits are repeated at the bottom, so that 0 stays 0 and the largest value becomes 255.
constexpr uint8_t expand_5_bits(uint32_t value) {
  return static_cast<uint8_t>((value << 3) | (value >> 2));
}
constexpr uint8_t expand_6_bits(uint32_t value) {
  return static_cast<uint8_t>((value << 2) | (value >> 4));
}
constexpr Rgba8 expand_565(uint16_t color) {
  const uint32_t bits = color;
  return {expand_5_bits(bits >> 11), expand_6_bits((bits >> 5) & 63), expand_5_bits(bits & 31),
          255};
}

constexpr bool has_four_colors(const Block& block) {
  return block.color0 > block.color1;
}

// Thirds and halves are rounded down, as in most software decoders (GPUs differ in the last bit).
constexpr std::array<Rgba8, 4> palette(const Block& block) {
  const Rgba8 c0 = expand_565(block.color0);
  const Rgba8 c1 = expand_565(block.color1);
  const auto mix = [&](uint32_t weight0, uint32_t weight1) {
    const uint32_t sum = weight0 + weight1;
    return Rgba8{static_cast<uint8_t>((weight0 * c0.r + weight1 * c1.r) / sum),
                 static_cast<uint8_t>((weight0 * c0.g + weight1 * c1.g) / sum),
                 static_cast<uint8_t>((weight0 * c0.b + weight1 * c1.b) / sum), 255};
  };
  if (has_four_colors(block)) {
    return {c0, c1, mix(2, 1), mix(1, 2)};
  }
  return {c0, c1, mix(1, 1), Rgba8{0, 0, 0, 0}};
}

constexpr Block load_block(const uint8_t* bytes) {
  const auto word = [&](size_t i) { return static_cast<uint16_t>(bytes[i] | (bytes[i + 1] << 8)); };
  return {word(0), word(2), static_cast<uint32_t>(word(4) | (uint32_t{word(6)} << 16))};
}

}  // namespace tessera::bc1
