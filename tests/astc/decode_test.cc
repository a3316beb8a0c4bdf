// Tests the plain decoder: error colours, void extents, sample types, edges of images.
#include <gtest/gtest.h>

#include <cmath>

#include "astc/decode/decode_image.h"
#include "astc/decode/reference_decode.h"
#include "astc/decode/sample_conversion.h"
#include "base/half.h"
#include "random_blocks.h"

namespace tessera::astc {
namespace {

constexpr DecodeMode kModes[] = {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb,
                                 DecodeMode::kHdr};

TEST(SampleConversion, Unorm16ToHalfTruncates) {
  for (unsigned v = 0; v < 65535; ++v) {
    const uint16_t half = unorm16_to_half(static_cast<uint16_t>(v));
    const double exact = v / 65536.0;
    ASSERT_LE(half_to_float(half), exact);
    ASSERT_GT(half_to_float(static_cast<uint16_t>(half + 1)), exact);
  }
  EXPECT_EQ(unorm16_to_half(0xFFFF), 0x3C00);
}

TEST(SampleConversion, Unorm16ToUnorm8RoundsTheHalf) {
  for (unsigned v = 0; v < 65536; ++v) {
    const double half = half_to_float(unorm16_to_half(static_cast<uint16_t>(v)));
    ASSERT_EQ(unorm16_to_unorm8(static_cast<uint16_t>(v)), std::floor(half * 255.0 + 0.5)) << v;
  }
  for (unsigned v = 0; v < 256; ++v) {
    EXPECT_EQ(unorm16_to_unorm8(static_cast<uint16_t>(v * 257)), v);
  }
}

TEST(SampleConversion, LnsToHalf) {
  EXPECT_EQ(lns_to_half(0), 0);
  EXPECT_EQ(lns_to_half(0x7800), 0x3C00);  // 1.0
  EXPECT_EQ(lns_to_half(0xFFFF), 0x7BFF);  // never an infinity
  for (unsigned v = 1; v < 65536; ++v) {
    ASSERT_GE(lns_to_half(static_cast<uint16_t>(v)), lns_to_half(static_cast<uint16_t>(v - 1)));
  }
}

TEST(ReferenceDecode, ErrorColors) {
  std::array<Texel, 16> texels;
  decode_block({}, {4, 4, 1}, DecodeMode::kLdrFloat16, texels);
  EXPECT_EQ(texels[15], (Texel{{0xFFFF, 0, 0xFFFF, 0xFFFF}}));
  decode_block({}, {4, 4, 1}, DecodeMode::kLdrUnorm8, texels);
  EXPECT_EQ(texels[15], (Texel{{0xFF, 0, 0xFF, 0xFF}}));
  decode_block({}, {4, 4, 1}, DecodeMode::kSrgb, texels);
  EXPECT_EQ(texels[15], (Texel{{0xFF, 0, 0xFF, 0xFF}}));
  decode_block({}, {4, 4, 1}, DecodeMode::kHdr, texels);
  EXPECT_EQ(texels[0], (Texel{{0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF}}));
}

TEST(ReferenceDecode, VoidExtents) {
  std::array<Texel, 16> texels;
  const Block128 ldr = constant_block({0x1234, 0x8000, 0xFFFF, 0x00FF}, false);
  decode_block(ldr, {4, 4, 1}, DecodeMode::kLdrFloat16, texels);
  EXPECT_EQ(texels[3], (Texel{{0x1234, 0x8000, 0xFFFF, 0x00FF}}));
  decode_block(ldr, {4, 4, 1}, DecodeMode::kSrgb, texels);
  EXPECT_EQ(texels[3], (Texel{{0x12, 0x80, 0xFF, 0x00}}));
  decode_block(ldr, {4, 4, 1}, DecodeMode::kHdr, texels);
  EXPECT_EQ(texels[3].rgba[1], 0x3800);  // a half
  EXPECT_EQ(texels[3].rgba[2], 0x3C00);  // one
  const Block128 hdr = constant_block({0x3C00, 0, 0x7BFF, 0x3C00}, true);
  decode_block(hdr, {4, 4, 1}, DecodeMode::kHdr, texels);
  EXPECT_EQ(texels[3], (Texel{{0x3C00, 0, 0x7BFF, 0x3C00}}));
  for (const DecodeMode mode :
       {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb}) {
    decode_block(hdr, {4, 4, 1}, mode, texels);
    EXPECT_EQ(texels[3], error_texel(mode));
  }
}

// A grey block of two weights, to see the two expansions: 257·v, and 256·v + 128.
TEST(ReferenceDecode, TheTwoExpansionsDiffer) {
  SymbolicBlock block;
  block.kind = BlockKind::kWeighted;
  block.mode = {{4, 4, 1}, IntegerRange::k4Levels, false};
  block.endpoint_modes[0] = EndpointMode::kLuminance;
  block.color_range = IntegerRange::k256Levels;
  block.color_codes = {10, 200};
  block.weight_codes.fill(0);
  block.weight_codes[1] = 1;  // weight 21
  std::array<Texel, 16> texels;
  decode_symbolic_block(block, {4, 4, 1}, DecodeMode::kLdrFloat16, texels);
  EXPECT_EQ(texels[0].rgba, (std::array<uint16_t, 4>{2570, 2570, 2570, 65535}));
  EXPECT_EQ(texels[1].rgba[0], (2570 * 43 + 51400 * 21 + 32) / 64);
  decode_symbolic_block(block, {4, 4, 1}, DecodeMode::kSrgb, texels);
  EXPECT_EQ(texels[0].rgba, (std::array<uint16_t, 4>{10, 10, 10, 255}));
  EXPECT_EQ(texels[1].rgba[0], ((10 * 256 + 128) * 43 + (200 * 256 + 128) * 21 + 32) / 64 / 256);
}

// In LDR only the texels of an HDR partition are errors.
TEST(ReferenceDecode, HdrPartitionInLdr) {
  constexpr BlockSize kSize = {6, 6, 1};
  Random random(5);
  SymbolicBlock block;
  do {
    block = random_weighted_block(random, kSize);
  } while (block.partition_count != 2 || is_hdr(block.endpoint_modes[0]) ||
           !is_hdr(block.endpoint_modes[1]));
  std::array<Texel, 36> texels;
  bool some_error = false;
  bool some_color = false;
  for (unsigned seed = 0; seed < 20; ++seed) {
    block.partition_seed = static_cast<uint16_t>(seed);
    decode_symbolic_block(block, kSize, DecodeMode::kSrgb, texels);
    for (const Texel& texel : texels) {
      const bool is_error = texel == error_texel(DecodeMode::kSrgb);
      some_error |= is_error;
      some_color |= !is_error;
    }
  }
  EXPECT_TRUE(some_error);
  EXPECT_TRUE(some_color);
}

Bytes random_payload(uint64_t bytes, BlockSize size, uint64_t seed) {
  Random random(seed);
  Bytes payload(bytes);
  for (size_t at = 0; at < payload.size(); at += kBlockBytes) {
    store_block(random_mixed_block(random, size), &payload[at]);
  }
  return payload;
}

// A picture whose edges cut blocks, in each sample type: each pixel is the right texel of the right
// block.
void expect_pixels(const ImageInfo& info, BlockSize size, DecodeMode mode) {
  const Bytes payload = random_payload(payload_bytes(info, size).value(), size, 77);
  const auto image = decode_image(payload, info, size, mode);
  ASSERT_TRUE(image.ok()) << image.error().message;
  ASSERT_EQ(image->info().channels, 4u);
  const BlockCounts counts = block_counts(info, size);
  std::array<Texel, kMaxBlockTexels> texels;
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    const uint32_t layer = slice / info.depth;
    const uint32_t z = slice % info.depth;
    for (uint32_t y = 0; y < info.height; ++y) {
      for (uint32_t x = 0; x < info.width; ++x) {
        const size_t block =
            ((size_t{layer} * counts.z + z / size.depth) * counts.y + y / size.height) * counts.x +
            x / size.width;
        decode_block(load_block(&payload[block * kBlockBytes]), size, mode, texels);
        const Texel& texel =
            texels[(z % size.depth * size.height + y % size.height) * size.width + x % size.width];
        for (unsigned c = 0; c < 4; ++c) {
          ASSERT_EQ(image->row<uint16_t>(y, slice)[4 * x + c], texel.rgba[c])
              << x << ' ' << y << ' ' << slice;
        }
      }
    }
  }
}

TEST(DecodeImage, EdgesLayersAndDepth) {
  ImageInfo info;
  info.width = 13;
  info.height = 9;
  info.layers = 3;
  info.sample = SampleType::kU16;
  expect_pixels(info, {6, 5, 1}, DecodeMode::kLdrFloat16);
  info.layers = 1;
  info.depth = 4;  // slices of 2D blocks
  expect_pixels(info, {4, 4, 1}, DecodeMode::kLdrFloat16);
  info.depth = 7;
  info.layers = 2;
  expect_pixels(info, {4, 3, 3}, DecodeMode::kLdrFloat16);
  info.sample = SampleType::kF16;
  expect_pixels(info, {4, 4, 4}, DecodeMode::kHdr);
  info.width = info.height = info.depth = info.layers = 1;
  expect_pixels(info, {12, 12, 1}, DecodeMode::kHdr);
}

TEST(DecodeImage, SampleTypesAgree) {
  constexpr BlockSize kSize = {5, 5, 1};
  ImageInfo info;
  info.width = 64;
  info.height = 64;
  const Bytes payload = random_payload(payload_bytes(info, kSize).value(), kSize, 78);
  for (const DecodeMode mode : kModes) {
    std::array<Image, 4> images;
    for (unsigned i = 0; i < 4; ++i) {
      info.sample = static_cast<SampleType>(i);
      images[i] = decode_image(payload, info, kSize, mode).value();
      EXPECT_EQ(images[i].info().color_space,
                mode == DecodeMode::kSrgb ? ColorSpace::kSrgb : ColorSpace::kLinear);
    }
    for (uint32_t y = 0; y < info.height; ++y) {
      for (uint32_t i = 0; i < info.width * 4; ++i) {
        const float exact = images[3].row<float>(y)[i];
        const double clamped = std::isnan(exact) ? 0.0 : std::min(1.0, double{exact});
        ASSERT_EQ(images[0].row<uint8_t>(y)[i], std::floor(clamped * 255.0 + 0.5));
        ASSERT_NEAR(images[1].row<uint16_t>(y)[i], clamped * 65535.0, 33.0);
        const float half = half_to_float(images[2].row<uint16_t>(y)[i]);
        ASSERT_TRUE(std::isnan(exact) ? std::isnan(half) : std::abs(half - exact) < 0.0005f);
      }
    }
  }
}

TEST(DecodeImage, RefusesWrongPayloads) {
  ImageInfo info;
  info.width = 8;
  info.height = 8;
  const Bytes four_blocks(64);
  EXPECT_TRUE(decode_image(four_blocks, info, {4, 4, 1}, DecodeMode::kSrgb).ok());
  EXPECT_FALSE(decode_image(Bytes(63), info, {4, 4, 1}, DecodeMode::kSrgb).ok());
  EXPECT_FALSE(decode_image(Bytes(80), info, {4, 4, 1}, DecodeMode::kSrgb).ok());
  EXPECT_FALSE(decode_image({}, info, {4, 4, 1}, DecodeMode::kSrgb).ok());
  EXPECT_FALSE(decode_image(four_blocks, info, {5, 8, 1}, DecodeMode::kSrgb).ok());
  info.width = 0;
  EXPECT_FALSE(decode_image({}, info, {4, 4, 1}, DecodeMode::kSrgb).ok());
  info.width = info.height = info.depth = info.layers = 0xFFFFFFFF;
  EXPECT_FALSE(payload_bytes(info, {4, 4, 1}).ok());
  EXPECT_FALSE(decode_image(four_blocks, info, {4, 4, 1}, DecodeMode::kSrgb).ok());
}

}  // namespace
}  // namespace tessera::astc
