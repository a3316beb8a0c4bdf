// The 8-bit result of linear textures (decode_unorm8) against values worked out by hand from its
// definition: endpoints v are expanded to 257·v, interpolated as (a·(64 − w) + b·w + 32) / 64, and
// the top byte of the 16 bits is the texel. sRGB expands to 256·v + 128, so it rounds where linear
// textures cut.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "astc/decode/decode_ldr_row.h"
#include "astc/decode/reference_decode.h"
#include "astc/format/symbolic_block.h"
#include "astc/format/void_extent.h"

namespace tessera::astc {
namespace {

constexpr BlockSize kSize = {4, 4, 1};
using Rgba = std::array<uint8_t, 4>;

// Columns have the weights 0, 21, 43 and 64; colours go from (0, 60, 254, 3) to (1, 61, 255, 9).
Block128 hand_made_block() {
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{4, 4, 1}, IntegerRange::k4Levels, false};
  block.endpoint_modes[0] = EndpointMode::kRgba;
  block.color_range = IntegerRange::k256Levels;
  block.color_codes = {0, 1, 60, 61, 254, 255, 3, 9};
  for (unsigned t = 0; t < kSize.texel_count(); ++t) {
    block.weight_codes[t] = static_cast<uint8_t>(t % 4);
  }
  return pack_block(block, kSize).value();
}

// Red: 0, 84, 173, 257. Green: 15420, 15504, 15593, 15677. Blue: 65278, 65362, 65451, 65535.
// Alpha: 771, 1277, 1807, 2313. Divided by 256, and cut:
constexpr std::array<Rgba, 4> kLinear = {
    {{0, 60, 254, 3}, {0, 60, 255, 4}, {0, 60, 255, 7}, {1, 61, 255, 9}}};
// Red: 128, 212, 300, 384. Green: 15488, 15572, 15660, 15744. Blue: 65152, 65236, 65324, 65408.
constexpr std::array<std::array<uint8_t, 3>, 4> kSrgb = {
    {{0, 60, 254}, {0, 60, 254}, {1, 61, 255}, {1, 61, 255}}};

std::array<Rgba, 16> quickly_decoded(const Block128& bits, DecodeMode mode) {
  std::array<uint8_t, 16> bytes;
  store_block(bits, bytes.data());
  std::array<Rgba, 16> pixels{};
  RowTarget target;
  target.pixels = pixels[0].data();
  target.row_stride = 4 * sizeof(Rgba);
  target.slice_stride = sizeof(pixels);
  target.width = target.height = 4;
  target.depth = 1;
  decode_ldr_row(bytes.data(), kSize, mode, target);
  return pixels;
}

std::array<Rgba, 16> plainly_decoded(const Block128& bits, DecodeMode mode) {
  std::array<Texel, 16> texels;
  decode_block(bits, kSize, mode, texels);
  std::array<Rgba, 16> pixels{};
  for (unsigned t = 0; t < 16; ++t) {
    for (unsigned c = 0; c < 4; ++c) {
      EXPECT_LE(texels[t].rgba[c], 255);
      pixels[t][c] = static_cast<uint8_t>(texels[t].rgba[c]);
    }
  }
  return pixels;
}

TEST(DecodeUnorm8, LinearTexturesCutTheSixteenBits) {
  for (const auto& pixels : {plainly_decoded(hand_made_block(), DecodeMode::kLdrUnorm8),
                             quickly_decoded(hand_made_block(), DecodeMode::kLdrUnorm8)}) {
    for (unsigned t = 0; t < 16; ++t) {
      EXPECT_EQ(pixels[t], kLinear[t % 4]) << "texel " << t;
    }
  }
}

TEST(DecodeUnorm8, SrgbColorsAreRounded) {
  for (const auto& pixels : {plainly_decoded(hand_made_block(), DecodeMode::kSrgb),
                             quickly_decoded(hand_made_block(), DecodeMode::kSrgb)}) {
    for (unsigned t = 0; t < 16; ++t) {
      for (unsigned c = 0; c < 3; ++c) {
        EXPECT_EQ(pixels[t][c], kSrgb[t % 4][c]) << "texel " << t << ", channel " << c;
      }
    }
  }
}

TEST(DecodeUnorm8, ConstantColorsAreCut) {
  const Block128 bits = constant_block({0x12FF, 0xFE80, 0x00FF, 0xFFFF}, false);
  const Rgba expected = {0x12, 0xFE, 0x00, 0xFF};
  EXPECT_EQ(plainly_decoded(bits, DecodeMode::kLdrUnorm8)[5], expected);
  EXPECT_EQ(quickly_decoded(bits, DecodeMode::kLdrUnorm8)[5], expected);
}

}  // namespace
}  // namespace tessera::astc
