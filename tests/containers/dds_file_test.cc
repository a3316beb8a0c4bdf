// Tests .dds files: both headers, mip levels, damaged and huge claims.
#include "containers/dds_file.h"

#include <gtest/gtest.h>

#include "container_helpers.h"
#include "containers/container_rules.h"

namespace tessera {
namespace {

constexpr size_t kFlagsAt = 8, kHeightAt = 12, kWidthAt = 16, kDepthAt = 24, kLevelsAt = 28,
                 kFormatFlagsAt = 80, kFourCcAt = 84, kCaps2At = 112, kDxgiAt = 128,
                 kDimensionAt = 132, kMiscAt = 136, kArrayAt = 140;

Bytes legacy(uint32_t levels = 1) {
  return on_heap(write_dds_file(make_texture(TextureFormat::kBc1, 20, 12, levels)).value());
}

Bytes dx10() {
  return on_heap(
      write_dds_file(make_texture(TextureFormat::kBc1, 20, 12), DdsHeader::kDx10).value());
}

Texture volume(uint32_t width, uint32_t height, uint32_t depth, uint32_t levels) {
  Texture texture;
  texture.info.format = TextureFormat::kBc1;
  texture.info.width = width;
  texture.info.height = height;
  texture.info.depth = depth;
  fill_levels(texture, levels);
  return texture;
}

uint32_t u32_at(const Bytes& bytes, size_t offset) {
  return ByteReader(ByteSpan(bytes).subspan(offset)).read<uint32_t>();
}

ErrorCode read_error(const Bytes& bytes) {
  const auto texture = read_dds_file(bytes, "f.dds");
  EXPECT_FALSE(texture);
  if (texture) {
    return ErrorCode::kFailed;
  }
  EXPECT_NE(texture.error().message.find("f.dds"), std::string::npos);
  return texture.error().code;
}

TEST(DdsFile, LegacyHeaderByHand) {
  const Bytes bytes = legacy();
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 4), "DDS ");
  EXPECT_EQ(u32_at(bytes, 4), 124u);
  EXPECT_EQ(u32_at(bytes, kFlagsAt), 0x81007u);
  EXPECT_EQ(u32_at(bytes, kHeightAt), 12u);
  EXPECT_EQ(u32_at(bytes, kWidthAt), 20u);
  EXPECT_EQ(u32_at(bytes, 20), 5u * 3 * 8);
  EXPECT_EQ(std::string(bytes.begin() + kFourCcAt, bytes.begin() + kFourCcAt + 4), "DXT1");
  EXPECT_EQ(bytes.size(), 128u + 5 * 3 * 8);
}

TEST(DdsFile, RoundTripWithLevels) {
  for (const uint32_t levels : {1u, 2u, 5u}) {
    const Texture texture = make_texture(TextureFormat::kBc1, 20, 12, levels);
    const Texture again = read_dds_file(write_dds_file(texture).value(), "x").value();
    EXPECT_EQ(again.info, texture.info);
    EXPECT_EQ(again.levels, texture.levels);
  }
}

TEST(DdsFile, SrgbNeedsAndGetsTheDx10Header) {
  Texture texture = make_texture(TextureFormat::kBc1, 8, 8);
  texture.info.srgb = true;
  const Bytes bytes = on_heap(write_dds_file(texture).value());
  EXPECT_EQ(u32_at(bytes, kDxgiAt), 72u);
  EXPECT_TRUE(read_dds_file(bytes, "x").value().info.srgb);
  EXPECT_EQ(write_dds_file(texture, DdsHeader::kLegacy).error().code, ErrorCode::kUnsupported);
}

TEST(DdsFile, Dx10RoundTrip) {
  const Texture again = read_dds_file(dx10(), "x").value();
  EXPECT_EQ(again.info.width, 20u);
  EXPECT_FALSE(again.info.srgb);
  EXPECT_EQ(again.levels[0].size(), 5u * 3 * 8);
}

TEST(DdsFile, LevelCountWithoutItsFlagIsIgnored) {
  // Some writers leave a 0, others a 1; the flag tells whether the field means anything.
  const Bytes bytes = patched_u32(legacy(), kLevelsAt, 0);
  EXPECT_EQ(read_dds_file(bytes, "x").value().levels.size(), 1u);
}

TEST(DdsFile, EveryPrefixIsRefused) {
  for (const Bytes& bytes : {legacy(3), dx10()}) {
    for (size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_EQ(read_error(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length))),
                ErrorCode::kInvalid);
    }
  }
}

TEST(DdsFile, TrailingBytesAreRefused) {
  Bytes bytes = legacy();
  bytes.push_back(0);
  EXPECT_EQ(read_error(bytes), ErrorCode::kInvalid);
}

TEST(DdsFile, BadFieldsAreRefused) {
  const Bytes good = legacy(3);
  EXPECT_EQ(read_error(patched_u32(good, 0, 0)), ErrorCode::kInvalid) << "magic";
  EXPECT_EQ(read_error(patched_u32(good, 4, 125)), ErrorCode::kInvalid) << "header size";
  EXPECT_EQ(read_error(patched_u32(good, 76, 0)), ErrorCode::kInvalid) << "pixel format size";
  EXPECT_EQ(read_error(patched_u32(good, kWidthAt, 0)), ErrorCode::kInvalid) << "no width";
  EXPECT_EQ(read_error(patched_u32(good, kHeightAt, 0)), ErrorCode::kInvalid) << "no height";
  EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, 6)), ErrorCode::kInvalid) << "too many levels";
  EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, UINT32_MAX)), ErrorCode::kInvalid);
}

TEST(DdsFile, HugeClaimsAreRefusedWithoutAllocating) {
  Bytes bytes = patched_u32(legacy(3), kWidthAt, UINT32_MAX);
  EXPECT_EQ(read_error(bytes), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(bytes, kHeightAt, UINT32_MAX)), ErrorCode::kInvalid);
}

TEST(DdsFile, OtherKindsAreNotSupported) {
  const Bytes old = legacy();
  EXPECT_EQ(read_error(patched_u32(old, kFourCcAt, 0x35545844)), ErrorCode::kUnsupported) << "DXT5";
  EXPECT_EQ(read_error(patched_u32(old, kFormatFlagsAt, 0x40)), ErrorCode::kUnsupported) << "RGB";
  EXPECT_EQ(read_error(patched_u32(old, kCaps2At, 0x200)), ErrorCode::kUnsupported)
      << "a cube map without faces";
  EXPECT_EQ(read_error(patched_u32(old, kCaps2At, 0x200000)), ErrorCode::kInvalid) << "no depth";
  EXPECT_EQ(read_error(patched_u32(old, kCaps2At, 0x20FE00)), ErrorCode::kInvalid)
      << "a cube map and a volume";
  EXPECT_EQ(read_error(patched_u32(old, kDepthAt, 2)), ErrorCode::kUnsupported) << "depth";
  EXPECT_EQ(read_error(patched_u32(dx10(), kDxgiAt, 98)), ErrorCode::kUnsupported) << "BC7";
  EXPECT_EQ(read_error(patched_u32(dx10(), kDimensionAt, 2)), ErrorCode::kUnsupported) << "1D";
  EXPECT_EQ(read_error(patched_u32(dx10(), kDimensionAt, 4)), ErrorCode::kInvalid) << "no depth";
  EXPECT_EQ(read_error(patched_u32(dx10(), kMiscAt, 4)), ErrorCode::kInvalid) << "not square";
  EXPECT_EQ(read_error(patched_u32(dx10(), kArrayAt, 2)), ErrorCode::kInvalid) << "too short";
  EXPECT_EQ(read_error(patched_u32(dx10(), kArrayAt, 0)), ErrorCode::kInvalid) << "no layer";
  EXPECT_EQ(read_error(patched_u32(dx10(), kArrayAt, UINT32_MAX)), ErrorCode::kInvalid);
}

TEST(DdsFile, WhatItCannotHoldIsRefused) {
  EXPECT_EQ(write_dds_file(make_texture(TextureFormat::kAstc, 8, 8)).error().code,
            ErrorCode::kUnsupported);
  Texture volumes = volume(8, 8, 2, 1);
  volumes.info.layers = 2;
  EXPECT_EQ(write_dds_file(volumes).error().code, ErrorCode::kUnsupported);
}

TEST(DdsFile, VolumesRoundTrip) {
  for (const bool srgb : {false, true}) {
    Texture texture = volume(20, 12, 9, 5);
    texture.info.srgb = srgb;
    const Bytes bytes = on_heap(write_dds_file(texture).value());
    EXPECT_EQ(u32_at(bytes, kDepthAt), 9u);
    EXPECT_NE(u32_at(bytes, kFlagsAt) & 0x800000, 0u);
    EXPECT_EQ(u32_at(bytes, kCaps2At), 0x200000u);
    EXPECT_EQ(bytes.size(), (srgb ? 148u : 128u) + 8 * (15 * 9 + 6 * 4 + 2 * 2 + 1 + 1));
    if (srgb) {
      EXPECT_EQ(u32_at(bytes, kDimensionAt), 4u);
    }
    const auto again = read_dds_file(bytes, "x.dds");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->info, texture.info);
    EXPECT_EQ(again->levels, texture.levels);
    const RuleList rules = check_dds_rules(bytes);
    for (const RuleResult& rule : rules.results()) {
      EXPECT_EQ(rule.outcome, RuleResult::Outcome::kKept) << rule.rule << ": " << rule.found;
    }
    for (const size_t length : {bytes.size() - 1, bytes.size() - 100, size_t{150}}) {
      EXPECT_FALSE(read_dds_file(ByteSpan(bytes).first(length), "x.dds")) << length;
    }
  }
}

TEST(DdsFile, VolumesThatCannotBeAreInvalid) {
  const Bytes old = on_heap(write_dds_file(volume(8, 8, 4, 3)).value());
  Texture srgb = volume(8, 8, 4, 3);
  srgb.info.srgb = true;
  const Bytes dx10 = on_heap(write_dds_file(srgb).value());
  EXPECT_EQ(read_error(patched_u32(dx10, kArrayAt, 2)), ErrorCode::kInvalid) << "layers";
  EXPECT_EQ(read_error(patched_u32(dx10, kMiscAt, 4)), ErrorCode::kInvalid) << "faces";
  for (const Bytes& good : {old, dx10}) {
    EXPECT_EQ(read_error(patched_u32(good, kDepthAt, 0)), ErrorCode::kInvalid);
    EXPECT_EQ(read_error(patched_u32(good, kDepthAt, 5)), ErrorCode::kInvalid);
    EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, 5)), ErrorCode::kInvalid);
    Bytes huge = patched_u32(good, kDepthAt, UINT32_MAX);
    EXPECT_EQ(read_error(huge), ErrorCode::kInvalid);
    huge = patched_u32(patched_u32(huge, kWidthAt, 1u << 17), kHeightAt, 1u << 16);
    EXPECT_EQ(read_error(huge), ErrorCode::kInvalid) << "nearly 2^64 bytes";
  }
}

}  // namespace
}  // namespace tessera
