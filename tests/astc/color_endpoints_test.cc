// Tests every endpoint mode against values computed by hand.
#include "astc/format/color_endpoints.h"

#include <gtest/gtest.h>

#include <vector>

#include "random_blocks.h"

namespace tessera::astc {
namespace {

using Rgba = std::array<uint16_t, 4>;

EndpointPair decode(EndpointMode mode, const std::vector<uint8_t>& values) {
  EXPECT_EQ(values.size(), 2u * (static_cast<unsigned>(mode) / 4 + 1));
  return decode_endpoints(mode, values.data());
}

void expect_ldr(const EndpointPair& pair, const Rgba& low, const Rgba& high) {
  EXPECT_EQ(pair.low, low);
  EXPECT_EQ(pair.high, high);
  EXPECT_FALSE(pair.rgb_is_hdr);
  EXPECT_FALSE(pair.alpha_is_hdr);
}

TEST(ColorEndpoints, HdrModes) {
  const std::vector<unsigned> hdr = {2, 3, 7, 11, 14, 15};
  for (unsigned mode = 0; mode < 16; ++mode) {
    EXPECT_EQ(is_hdr(static_cast<EndpointMode>(mode)),
              std::find(hdr.begin(), hdr.end(), mode) != hdr.end());
  }
}

TEST(ColorEndpoints, Luminance) {
  expect_ldr(decode(EndpointMode::kLuminance, {10, 200}), {10, 10, 10, 255}, {200, 200, 200, 255});
  // Order is free here: no contraction.
  expect_ldr(decode(EndpointMode::kLuminance, {200, 10}), {200, 200, 200, 255}, {10, 10, 10, 255});
  expect_ldr(decode(EndpointMode::kLuminanceAlpha, {1, 2, 3, 4}), {1, 1, 1, 3}, {2, 2, 2, 4});
  // Base 0x40 >> 2 | 0x80 = 144, offset 5.
  expect_ldr(decode(EndpointMode::kLuminanceOffset, {0x40, 0x85}), {144, 144, 144, 255},
             {149, 149, 149, 255});
  // Base 255 and an offset beyond the end: clamped.
  expect_ldr(decode(EndpointMode::kLuminanceOffset, {0xFF, 0xFF}), {255, 255, 255, 255},
             {255, 255, 255, 255});
}

TEST(ColorEndpoints, LuminanceAlphaOffset) {
  // Base 0x81 >> 1 = 64, offset (0x7E >> 1) & 0x3F = 63, that is −1. Alpha: base 64 | 128 = 192,
  // offset 0x80 >> 1 & 0x3F = 0.
  expect_ldr(decode(EndpointMode::kLuminanceAlphaOffset, {0x81, 0x7E, 0x80, 0x80}),
             {64, 64, 64, 192}, {63, 63, 63, 192});
}

TEST(ColorEndpoints, RgbScale) {
  expect_ldr(decode(EndpointMode::kRgbScale, {255, 128, 3, 128}), {127, 64, 1, 255},
             {255, 128, 3, 255});
  expect_ldr(decode(EndpointMode::kRgbScaleAlpha, {255, 128, 3, 0, 7, 8}), {0, 0, 0, 7},
             {255, 128, 3, 8});
}

TEST(ColorEndpoints, RgbDirectAndBlueContraction) {
  expect_ldr(decode(EndpointMode::kRgb, {1, 2, 3, 4, 5, 6}), {1, 3, 5, 255}, {2, 4, 6, 255});
  // Equal sums: no contraction.
  expect_ldr(decode(EndpointMode::kRgb, {9, 3, 6, 6, 3, 9}), {9, 6, 3, 255}, {3, 6, 9, 255});
  // A falling sum swaps the ends and contracts towards blue.
  expect_ldr(decode(EndpointMode::kRgb, {100, 10, 50, 20, 31, 30}), {20, 25, 30, 255},
             {65, 40, 31, 255});
  // Alpha does not count in the sums, but swaps along.
  expect_ldr(decode(EndpointMode::kRgba, {1, 2, 3, 4, 5, 6, 255, 0}), {1, 3, 5, 255}, {2, 4, 6, 0});
  expect_ldr(decode(EndpointMode::kRgba, {2, 1, 4, 3, 6, 5, 255, 0}), {3, 4, 5, 0}, {4, 5, 6, 255});
}

TEST(ColorEndpoints, RgbOffset) {
  // Bases 100, 50, 20 (doubled), offsets 1, 2, 3 (doubled).
  expect_ldr(decode(EndpointMode::kRgbOffset, {200, 2, 100, 4, 40, 6}), {100, 50, 20, 255},
             {101, 52, 23, 255});
  // A negative sum: offsets −2, 1, 0 (0x7C is 0x3E when halved, −2).
  expect_ldr(decode(EndpointMode::kRgbOffset, {200, 0x7C, 100, 2, 40, 0}), {59, 35, 20, 255},
             {60, 35, 20, 255});
  // Beyond the ends: clamped, after contraction. Offsets −32 from base 0.
  expect_ldr(decode(EndpointMode::kRgbaOffset, {0, 0x40, 0, 0x40, 0, 0x40, 0, 0x40}), {0, 0, 0, 0},
             {0, 0, 0, 0});
  // Alpha's offset has no say in the contraction.
  expect_ldr(decode(EndpointMode::kRgbaOffset, {200, 2, 100, 4, 40, 6, 200, 0x7C}),
             {100, 50, 20, 100}, {101, 52, 23, 98});
}

TEST(ColorEndpoints, HdrLuminance) {
  const EndpointPair large = decode(EndpointMode::kHdrLuminanceLarge, {0x10, 0x20});
  EXPECT_EQ(large.low, (Rgba{0x100, 0x100, 0x100, 0x780}));
  EXPECT_EQ(large.high, (Rgba{0x200, 0x200, 0x200, 0x780}));
  EXPECT_TRUE(large.rgb_is_hdr && large.alpha_is_hdr);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceLarge, {0x20, 0x10}).low[0], 0x108);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceLarge, {0x20, 0x10}).high[0], 0x1F8);
  // Fine: base 0xA00 | 0x7F·2, offset 5·2. Coarse: base 0xA00 | 0x7F·4, offset 0x15·4.
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceSmall, {0x7F, 0xA5}).low[0], 0xAFE);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceSmall, {0x7F, 0xA5}).high[0], 0xB08);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceSmall, {0xFF, 0xB5}).low[0], 0xBFC);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceSmall, {0xFF, 0xB5}).high[0], 0xC50);
  EXPECT_EQ(decode(EndpointMode::kHdrLuminanceSmall, {0xFF, 0xFF}).high[0], 0xFFF);  // clamped
}

TEST(ColorEndpoints, HdrRgbDirectLayout) {
  const EndpointPair pair = decode(EndpointMode::kHdrRgb, {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC});
  EXPECT_EQ(pair.low, (Rgba{0x120, 0x560, 0x1A << 5, 0x780}));
  EXPECT_EQ(pair.high, (Rgba{0x340, 0x780, 0x3C << 5, 0x780}));
}

TEST(ColorEndpoints, HdrAlpha) {
  const std::vector<uint8_t> rgb = {0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC};
  auto with_alpha = [&](uint8_t v6, uint8_t v7) {
    std::vector<uint8_t> values = rgb;
    values.push_back(v6);
    values.push_back(v7);
    return values;
  };
  const EndpointPair ldr = decode(EndpointMode::kHdrRgbLdrAlpha, with_alpha(5, 250));
  EXPECT_EQ(ldr.low[3], 5);
  EXPECT_EQ(ldr.high[3], 250);
  EXPECT_TRUE(ldr.rgb_is_hdr);
  EXPECT_FALSE(ldr.alpha_is_hdr);
  const EndpointPair direct = decode(EndpointMode::kHdrRgba, with_alpha(0x81, 0xFF));
  EXPECT_EQ(direct.low[3], 1 << 5);
  EXPECT_EQ(direct.high[3], 0x7F << 5);
  EXPECT_TRUE(direct.alpha_is_hdr);
  // Mode 0: base 0x01 and one bit of v7 (0x40) at bit 7: 0x81 << 4; offset 6 bits, −1 << 4.
  const EndpointPair offset = decode(EndpointMode::kHdrRgba, with_alpha(0x01, 0x7F));
  EXPECT_EQ(offset.low[3], 0x810);
  EXPECT_EQ(offset.high[3], 0x800);
}

// Whatever the values, endpoints stay in 8 or 12 bits.
TEST(ColorEndpoints, AlwaysInRange) {
  Random random(9);
  for (unsigned i = 0; i < 200000; ++i) {
    std::array<uint8_t, 8> values;
    for (uint8_t& value : values) {
      value = static_cast<uint8_t>(random.next());
    }
    const auto mode = static_cast<EndpointMode>(random.below(16));
    const EndpointPair pair = decode_endpoints(mode, values.data());
    EXPECT_EQ(pair.rgb_is_hdr, is_hdr(mode));
    for (unsigned c = 0; c < 4; ++c) {
      const bool hdr = c == 3 ? pair.alpha_is_hdr : pair.rgb_is_hdr;
      ASSERT_LE(std::max(pair.low[c], pair.high[c]), hdr ? 0xFFF : 0xFF) << int(mode);
    }
  }
}

}  // namespace
}  // namespace tessera::astc
