// Tests arrays and cube maps in all containers that hold them.
#include <gtest/gtest.h>

#include "container_helpers.h"
#include "containers/container_rules.h"
#include "containers/texture_file.h"

namespace tessera {
namespace {

constexpr ContainerType kHolders[] = {ContainerType::kKtx2, ContainerType::kDds,
                                      ContainerType::kKtx};

Texture layered(uint32_t layers, uint32_t faces, uint32_t levels) {
  Texture texture;
  texture.info.width = texture.info.height = 8;
  texture.info.layers = layers;
  texture.info.faces = faces;
  fill_levels(texture, levels);
  return texture;
}

Bytes written(const Texture& texture, ContainerType type, const ContainerOptions& options = {}) {
  return on_heap(write_texture(texture, type, options).value());
}

bool has_broken_rule(const RuleList& rules) {
  for (const RuleResult& result : rules.results()) {
    if (result.outcome == RuleResult::Outcome::kBroken) {
      ADD_FAILURE() << result.rule << ": " << result.found;
      return true;
    }
  }
  return false;
}

bool is_broken(const RuleList& rules, const std::string& words) {
  for (const RuleResult& result : rules.results()) {
    if (result.outcome == RuleResult::Outcome::kBroken &&
        result.rule.find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

TEST(Layers, RoundTripInEveryContainer) {
  for (const ContainerType type : kHolders) {
    for (const auto& [layers, faces] : {std::pair{3u, 1u}, {6u, 1u}, {6u, 6u}, {12u, 6u}}) {
      for (const uint32_t levels : {1u, 2u, 4u}) {
        const Texture texture = layered(layers, faces, levels);
        const auto again = read_texture(written(texture, type), "x");
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->info, texture.info);
        EXPECT_EQ(again->levels, texture.levels) << container_type_name(type);
      }
    }
  }
}

TEST(Layers, ASliceOfEveryContainerIsItsOwnBlocks) {
  const Texture texture = layered(12, 6, 4);
  for (const ContainerType type : kHolders) {
    const Bytes file = written(texture, type);
    const TextureIndex index = read_texture_index(file, file.size(), "x").value();
    for (uint32_t level = 0; level < 4; ++level) {
      for (uint32_t slice = 0; slice < 12; ++slice) {
        const SlicePart part = part_of_slice(index.info, level, slice).value();
        const auto bytes =
            read_stored_level(file, index.levels[level], part.offset, part.length, "x", {});
        const ByteSpan expected =
            ByteSpan(texture.levels[level])
                .subspan(static_cast<size_t>(part.offset), static_cast<size_t>(part.length));
        const ByteSpan found = bytes->span();
        EXPECT_TRUE(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
      }
    }
  }
}

// Offsets and numbers of Microsoft's and Khronos's documents, written out.
TEST(Layers, DdsHeadersSayWhatTheyAre) {
  const auto u32 = [](const Bytes& bytes, size_t at) {
    return ByteReader(ByteSpan(bytes).subspan(at)).read<uint32_t>();
  };
  const Bytes cube = written(layered(6, 6, 4), ContainerType::kDds);
  EXPECT_EQ(u32(cube, 84), 0x31545844u) << "DXT1: the old header holds cube maps";
  EXPECT_EQ(u32(cube, 20), 32u) << "the size of one face";
  EXPECT_EQ(u32(cube, 108), 0x401008u) << "caps: texture, complex, mipmap";
  EXPECT_EQ(u32(cube, 112), 0xFE00u) << "caps2: cube map, six faces";
  EXPECT_EQ(cube.size(), 128u + 6 * (32 + 8 + 8 + 8));
  // All levels of +X come before those of -X.
  const Texture texture = layered(6, 6, 4);
  EXPECT_EQ(cube[128 + 32], texture.levels[1][0]);
  EXPECT_EQ(cube[128 + 56], texture.levels[0][32]);
  const Bytes array = written(layered(3, 1, 1), ContainerType::kDds);
  EXPECT_EQ(u32(array, 84), 0x30315844u) << "DX10";
  EXPECT_EQ(u32(array, 136), 0u) << "no cube map";
  EXPECT_EQ(u32(array, 140), 3u) << "arraySize";
  const Bytes cubes = written(layered(12, 6, 1), ContainerType::kDds);
  EXPECT_EQ(u32(cubes, 136), 4u) << "cube map";
  EXPECT_EQ(u32(cubes, 140), 2u) << "arraySize counts cubes";
  EXPECT_EQ(write_texture(layered(3, 1, 1), ContainerType::kDds, {DdsHeader::kLegacy}).error().code,
            ErrorCode::kUnsupported);
}

TEST(Layers, KtxHeadersSayWhatTheyAre) {
  const auto u32 = [](const Bytes& bytes, size_t at) {
    return ByteReader(ByteSpan(bytes).subspan(at)).read<uint32_t>();
  };
  const Bytes cubes = written(layered(12, 6, 1), ContainerType::kKtx2);
  EXPECT_EQ(u32(cubes, 32), 2u) << "layerCount";
  EXPECT_EQ(u32(cubes, 36), 6u) << "faceCount";
  const Bytes cube = written(layered(6, 6, 1), ContainerType::kKtx2);
  EXPECT_EQ(u32(cube, 32), 0u) << "no array";
  const Bytes old = written(layered(6, 6, 1), ContainerType::kKtx);
  EXPECT_EQ(u32(old, 48), 0u);
  EXPECT_EQ(u32(old, 52), 6u);
  EXPECT_EQ(u32(old, 64), 32u) << "imageSize is that of one face";
  const Bytes old_cubes = written(layered(12, 6, 1), ContainerType::kKtx);
  EXPECT_EQ(u32(old_cubes, 48), 2u);
  EXPECT_EQ(u32(old_cubes, 64), 12u * 32) << "but of all of an array";
}

TEST(Layers, OtherContainersRefuseThem) {
  Texture texture = layered(6, 6, 1);
  texture.info.format = TextureFormat::kAstc;
  texture.levels.clear();
  fill_levels(texture, 1);
  const auto written = write_texture(texture, ContainerType::kAstc);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("no arrays and no cube maps"), std::string::npos);
  EXPECT_FALSE(check_holds_layers(ContainerType::kAstc));
  EXPECT_FALSE(check_holds_layers(ContainerType::kTsf));
  EXPECT_TRUE(check_holds_layers(ContainerType::kKtx2));
}

TEST(Layers, FacesThatCannotBeAreRefused) {
  const Bytes ktx2 = written(layered(6, 6, 1), ContainerType::kKtx2);
  for (const auto& [at, value] : {std::pair{size_t{20}, 12u},  // pixelWidth
                                  {size_t{28}, 1u},            // pixelDepth
                                  {size_t{32}, UINT32_MAX},    // layerCount
                                  {size_t{36}, 5u}}) {         // faceCount
    const auto read = read_texture(patched_u32(ktx2, at, value), "x");
    ASSERT_FALSE(read) << at;
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid) << read.error().message;
  }
  const Bytes dds = written(layered(6, 6, 1), ContainerType::kDds);
  EXPECT_EQ(read_texture(patched_u32(dds, 112, 0x7E00), "x").error().code, ErrorCode::kUnsupported)
      << "a face is missing";
  EXPECT_EQ(read_texture(patched_u32(dds, 16, 12), "x").error().code, ErrorCode::kInvalid);
  for (const Bytes& bytes : {written(layered(12, 6, 2), ContainerType::kDds),
                             written(layered(6, 6, 2), ContainerType::kKtx)}) {
    for (size_t length = 0; length < bytes.size(); length += 3) {
      EXPECT_FALSE(read_texture(ByteSpan(bytes).first(length), "x")) << length;
    }
  }
}

TEST(Layers, RulesKnowThem) {
  for (const auto& [layers, faces] : {std::pair{3u, 1u}, {6u, 6u}, {12u, 6u}}) {
    const Texture texture = layered(layers, faces, 4);
    EXPECT_FALSE(has_broken_rule(check_ktx2_rules(written(texture, ContainerType::kKtx2))));
    EXPECT_FALSE(has_broken_rule(check_dds_rules(written(texture, ContainerType::kDds))));
  }
  const Bytes dds = written(layered(6, 6, 1), ContainerType::kDds);
  EXPECT_TRUE(is_broken(check_dds_rules(patched_u32(dds, 16, 12)), "square"));
  EXPECT_TRUE(is_broken(check_dds_rules(patched_u32(dds, 112, 0x7E00)), "all of its faces"));
  EXPECT_TRUE(is_broken(check_dds_rules(patched_u32(dds, 112, 0x7E00)), "the bytes after"));
  const Bytes array = written(layered(3, 1, 1), ContainerType::kDds);
  EXPECT_TRUE(is_broken(check_dds_rules(patched_u32(array, 140, 4)), "the bytes after"));
  EXPECT_TRUE(is_broken(check_dds_rules(patched_u32(array, 140, 0)), "arraySize"));
  const Bytes ktx2 = written(layered(6, 6, 1), ContainerType::kKtx2);
  EXPECT_TRUE(is_broken(check_ktx2_rules(patched_u32(ktx2, 20, 12)), "square"));
  EXPECT_TRUE(is_broken(check_ktx2_rules(patched_u32(ktx2, 36, 5)), "faceCount"));
}

}  // namespace
}  // namespace tessera
