// Tests .astc files: header, round trips, damaged and huge claims.
#include "containers/astc_file.h"

#include <gtest/gtest.h>

#include "container_helpers.h"

namespace tessera {
namespace {

Texture sample() {
  Texture texture = make_texture(TextureFormat::kAstc, 13, 7);
  return texture;
}

ErrorCode read_error(const Bytes& bytes) {
  const auto texture = read_astc_file(bytes, "f.astc");
  EXPECT_FALSE(texture);
  EXPECT_NE(texture.error().message.find("f.astc"), std::string::npos);
  return texture.error().code;
}

TEST(AstcFile, HeaderByHand) {
  const Bytes bytes = on_heap(write_astc_file(sample()).value());
  const Bytes header = {0x13, 0xAB, 0xA1, 0x5C, 4, 4, 1, 13, 0, 0, 7, 0, 0, 1, 0, 0};
  EXPECT_EQ(Bytes(bytes.begin(), bytes.begin() + 16), header);
  EXPECT_EQ(bytes.size(), 16u + 4 * 2 * 16);
}

TEST(AstcFile, RoundTrip) {
  const Texture texture = sample();
  const Texture again = read_astc_file(write_astc_file(texture).value(), "x").value();
  EXPECT_EQ(again.info, texture.info);
  EXPECT_EQ(again.levels, texture.levels);
}

TEST(AstcFile, VolumesRoundTrip) {
  Texture texture;
  texture.info.format = TextureFormat::kAstc;
  texture.info.block = {3, 3, 3};
  texture.info.width = 10;
  texture.info.height = 4;
  texture.info.depth = 5;
  texture.levels.emplace_back(Bytes(level_bytes(texture.info, 0).value(), 9));
  const Texture again = read_astc_file(write_astc_file(texture).value(), "x").value();
  EXPECT_EQ(again.info, texture.info);
}

TEST(AstcFile, EveryPrefixIsRefused) {
  const Bytes bytes = on_heap(write_astc_file(sample()).value());
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_EQ(read_error(Bytes(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length))),
              ErrorCode::kInvalid);
  }
}

TEST(AstcFile, TrailingBytesAreRefused) {
  Bytes bytes = on_heap(write_astc_file(sample()).value());
  bytes.push_back(0);
  EXPECT_EQ(read_error(bytes), ErrorCode::kInvalid);
}

TEST(AstcFile, BadHeadersAreRefused) {
  const Bytes good = on_heap(write_astc_file(sample()).value());
  const auto with = [&](size_t offset, uint8_t value) {
    Bytes bytes = good;
    bytes[offset] = value;
    return bytes;
  };
  EXPECT_EQ(read_error(with(0, 0x14)), ErrorCode::kInvalid) << "magic";
  EXPECT_EQ(read_error(with(4, 7)), ErrorCode::kInvalid) << "7x4 is no block";
  EXPECT_EQ(read_error(with(4, 0)), ErrorCode::kInvalid) << "block of no width";
  EXPECT_EQ(read_error(with(6, 2)), ErrorCode::kInvalid) << "4x4x2 is no block";
  EXPECT_EQ(read_error(with(7, 0)), ErrorCode::kInvalid) << "no width";
  EXPECT_EQ(read_error(with(13, 0)), ErrorCode::kInvalid) << "no depth";
}

TEST(AstcFile, HugeClaimsAreRefusedWithoutAllocating) {
  Bytes bytes = on_heap(write_astc_file(sample()).value());
  std::fill(bytes.begin() + 7, bytes.begin() + 16, uint8_t{0xFF});
  EXPECT_EQ(read_error(bytes), ErrorCode::kInvalid);
}

TEST(AstcFile, WhatItCannotHoldIsRefused) {
  EXPECT_EQ(write_astc_file(make_texture(TextureFormat::kBc1, 4, 4)).error().code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(write_astc_file(make_texture(TextureFormat::kAstc, 8, 8, 2)).error().code,
            ErrorCode::kUnsupported);
  Texture wide = sample();
  wide.info.width = 1u << 24;
  EXPECT_EQ(write_astc_file(wide).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
