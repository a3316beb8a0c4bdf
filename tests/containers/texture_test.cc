// Tests what the containers share: block sizes, level sizes, types by name.
#include "containers/texture.h"

#include <gtest/gtest.h>

#include "container_helpers.h"
#include "containers/texture_file.h"

namespace tessera {
namespace {

TEST(BlockSize, NamesRoundTrip) {
  for (const char* name : {"4x4", "6x6", "12x10", "3x3x3", "6x6x5"}) {
    const auto block = parse_block_size(name);
    ASSERT_TRUE(block) << name;
    EXPECT_EQ(block_size_name(*block), name);
  }
}

TEST(BlockSize, NonsenseIsRefused) {
  for (const char* name : {"", "4", "x", "4x", "x4", "4x4x", "4x4x4x4", "0x4", "4x0", "4x4x0",
                           "-4x4", "4 x4", "4x256", "4x99999999999", "axb", "4x4 "}) {
    const auto block = parse_block_size(name);
    ASSERT_FALSE(block) << name;
    EXPECT_EQ(block.error().code, ErrorCode::kUsage);
  }
}

TEST(LevelBytes, CountsWholeBlocks) {
  TextureInfo info;
  info.width = 9;
  info.height = 4;
  EXPECT_EQ(level_bytes(info, 0).value(), 3u * 1 * 8);
  EXPECT_EQ(level_bytes(info, 1).value(), 1u * 1 * 8);
  EXPECT_EQ(level_bytes(info, 40).value(), 8u);
  info.format = TextureFormat::kAstc;
  info.block = {6, 5, 1};
  info.layers = 3;
  EXPECT_EQ(level_bytes(info, 0).value(), 2u * 1 * 16 * 3);
  info.block = {3, 3, 3};
  info.depth = 7;
  EXPECT_EQ(level_bytes(info, 0).value(), 3u * 2 * 3 * 16 * 3);
}

TEST(LevelBytes, OverflowIsAnError) {
  TextureInfo info;
  info.width = info.height = info.depth = UINT32_MAX;
  const auto bytes = level_bytes(info, 0);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::kInvalid);
}

TEST(ContainerType, OfNames) {
  EXPECT_EQ(container_type_of_name("a.dds"), ContainerType::kDds);
  EXPECT_EQ(container_type_of_name("A.DDS"), ContainerType::kDds);
  EXPECT_EQ(container_type_of_name("x/y.astc"), ContainerType::kAstc);
  EXPECT_EQ(container_type_of_name("y.Ktx2"), ContainerType::kKtx2);
  EXPECT_EQ(container_type_of_name("y.ktx"), ContainerType::kKtx);
  for (const char* name : {"", "dds", "a.png", "a.dds.bak", "a.astc ", "a.kt", "ktx2"}) {
    EXPECT_FALSE(container_type_of_name(name)) << name;
  }
}

TEST(ContainerType, NamesAreExtensions) {
  EXPECT_EQ(container_type_name(ContainerType::kDds), ".dds");
  EXPECT_EQ(container_type_name(ContainerType::kAstc), ".astc");
  EXPECT_EQ(container_type_name(ContainerType::kKtx2), ".ktx2");
}

TEST(ContainerType, WhatFitsWhere) {
  EXPECT_TRUE(check_container(ContainerType::kKtx2, TextureFormat::kBc1, true));
  EXPECT_TRUE(check_container(ContainerType::kKtx2, TextureFormat::kAstc, true));
  EXPECT_TRUE(check_container(ContainerType::kDds, TextureFormat::kBc1, true));
  EXPECT_TRUE(check_container(ContainerType::kAstc, TextureFormat::kAstc, false));
  EXPECT_FALSE(check_container(ContainerType::kDds, TextureFormat::kAstc, false));
  EXPECT_FALSE(check_container(ContainerType::kAstc, TextureFormat::kBc1, false));
  EXPECT_FALSE(check_container(ContainerType::kAstc, TextureFormat::kAstc, true));
}

TEST(WriteTexture, EveryContainerComesBack) {
  const auto comes_back = [](const Texture& texture, ContainerType type,
                             const ContainerOptions& options = {}) {
    const Bytes bytes = on_heap(write_texture(texture, type, options).value());
    const Texture again = read_texture(bytes, "x").value();
    EXPECT_EQ(detect_container_type(bytes), type);
    EXPECT_EQ(again.info, texture.info);
    EXPECT_EQ(again.levels, texture.levels);
  };
  comes_back(make_texture(TextureFormat::kBc1, 16, 16, 3), ContainerType::kDds);
  comes_back(make_texture(TextureFormat::kAstc, 16, 16), ContainerType::kAstc);
  comes_back(make_texture(TextureFormat::kBc1, 16, 16, 3), ContainerType::kKtx2);
  if (have_zstd()) {
    ContainerOptions options;
    options.zstd = true;
    options.zstd_level = 19;
    comes_back(make_texture(TextureFormat::kAstc, 16, 16, 3), ContainerType::kKtx2, options);
  }
}

TEST(ReadTexture, UnknownContentIsInvalid) {
  for (const Bytes& bytes : {Bytes{}, Bytes{'D', 'D', 'S'}, Bytes(200, 0)}) {
    const auto texture = read_texture(bytes, "x");
    ASSERT_FALSE(texture);
    EXPECT_EQ(texture.error().code, ErrorCode::kInvalid);
  }
}

}  // namespace
}  // namespace tessera
