// Tests .ktx files of version 1: header, levels, layers, byte order, damage.
#include "containers/ktx_file.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "container_helpers.h"
#include "containers/ktx2_keys.h"
#include "containers/texture_file.h"

namespace tessera {
namespace {

uint32_t u32_at(const Bytes& bytes, size_t offset) {
  return ByteReader(ByteSpan(bytes).subspan(offset)).read<uint32_t>();
}

Texture astc_texture(uint32_t levels) {
  Texture texture;
  texture.info.format = TextureFormat::kAstc;
  texture.info.block = {6, 6, 1};
  texture.info.width = 64;
  texture.info.height = 48;
  fill_levels(texture, levels);
  return texture;
}

TEST(KtxFile, HasTheHeaderThatTheStandardAsks) {
  const Bytes bytes = on_heap(write_ktx_file(astc_texture(2)).value());
  const uint32_t expected[] = {0x04030201, 0, 1, 0, 0x93B4, 0x1908, 64, 48, 0, 0, 1, 2, 0};
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(u32_at(bytes, 12 + 4 * i), expected[i]) << i;
  }
  EXPECT_EQ(u32_at(bytes, 64), 11u * 8 * 16);
  EXPECT_EQ(bytes.size(), 64u + 4 + 11 * 8 * 16 + 4 + 6 * 4 * 16);
}

TEST(KtxFile, EveryFormatRoundTrips) {
  for (const TextureFormat format : {TextureFormat::kBc1, TextureFormat::kAstc}) {
    for (const FormatNumbers& entry : format_row(format).numbers) {
      for (const bool srgb : {false, true}) {
        for (const uint32_t layers : {1u, 3u}) {
          Texture texture;
          texture.info.format = format;
          texture.info.block = entry.block;
          texture.info.srgb = srgb;
          texture.info.width = 37;
          texture.info.height = 23;
          texture.info.depth = entry.block.depth > 1 ? 7 : 1;
          texture.info.layers = layers;
          fill_levels(texture, 4);
          const auto bytes = write_texture(texture, ContainerType::kKtx);
          ASSERT_TRUE(bytes) << bytes.error().message;
          EXPECT_EQ(detect_container_type(*bytes), ContainerType::kKtx);
          const auto again = read_texture(*bytes, "x.ktx");
          ASSERT_TRUE(again) << again.error().message;
          EXPECT_EQ(again->info, texture.info);
          EXPECT_EQ(again->levels, texture.levels);
        }
      }
    }
  }
}

TEST(KtxFile, ReadsTheOtherByteOrder) {
  const Texture texture = astc_texture(3);
  const std::vector<TextureKey> keys = {make_texture_key("abc", "defg").value()};
  Bytes bytes = on_heap(write_ktx_file(texture, keys).value());
  const auto swap = [&](size_t offset) {
    const auto place = bytes.begin() + static_cast<ptrdiff_t>(offset);
    std::reverse(place, place + 4);
  };
  for (size_t i = 12; i < 64; i += 4) {
    swap(i);
  }
  swap(64);  // the length of the only pair
  size_t position = 64 + 16;
  for (const LargeBytes& level : texture.levels) {
    swap(position);
    position += 4 + level.size();
  }
  const auto again = read_texture(bytes, "x.ktx");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->levels, texture.levels);
  EXPECT_EQ(again->keys, keys);
}

std::vector<std::string> told(const Texture& texture) {
  std::vector<std::string> texts;
  for (const TextureKey& key : texture.keys) {
    texts.push_back(key.name + "=" + shown_value(key.value));
  }
  return texts;
}

TEST(KtxFile, KeepsKeysAndValues) {
  const Texture texture = astc_texture(2);
  ContainerOptions options;
  options.orientation = "ru";
  options.keys = {make_texture_key("zebra", "1").value(), make_texture_key("empty", "").value()};
  const Bytes bytes = on_heap(write_texture(texture, ContainerType::kKtx, options).value());
  EXPECT_EQ(u32_at(bytes, 60) % 4, 0u);
  const std::string_view sides("\x17\0\0\0KTXorientation\0S=r,T=u\0\0", 28);
  EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.data()) + 64, 28), sides);
  const auto again = read_texture(bytes, "x.ktx");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(told(*again), (std::vector<std::string>{"KTXorientation=ru", "empty=", "zebra=1"}));
  EXPECT_EQ(again->levels, texture.levels);
}

TEST(KtxFile, SaysTheSidesOfVolumes) {
  Texture texture;
  texture.info.format = TextureFormat::kAstc;
  texture.info.block = {4, 4, 4};
  texture.info.width = texture.info.height = texture.info.depth = 8;
  fill_levels(texture, 1);
  ContainerOptions options;
  options.orientation = "rd";
  const Bytes bytes = on_heap(write_texture(texture, ContainerType::kKtx, options).value());
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_NE(all.find(std::string_view("S=r,T=d,R=i\0", 12)), std::string_view::npos);
  EXPECT_EQ(told(read_texture(bytes, "x.ktx").value()),
            std::vector<std::string>{"KTXorientation=rdi"});
}

// A file whose key/value data is `pairs`.
Bytes file_with_pairs(const Bytes& pairs) {
  Bytes bytes = on_heap(write_ktx_file(astc_texture(1)).value());
  bytes = patched_u32(std::move(bytes), 60, static_cast<uint32_t>(pairs.size()));
  bytes.insert(bytes.begin() + 64, pairs.begin(), pairs.end());
  return bytes;
}

TEST(KtxFile, KeepsSidesThatItDoesNotKnowAsTheyAre) {
  for (const std::string text : {"S=r", "r,d", "S=r;T=d", "S=x,T=d", "S=r,T=d,", "T=d,S=r"}) {
    const Bytes pairs = make_ktx_keys({{"KTXorientation", text + '\0'}}).value();
    EXPECT_EQ(told(read_texture(file_with_pairs(pairs), "x.ktx").value()),
              std::vector<std::string>{"KTXorientation=" + text});
  }
}

TEST(KtxFile, RefusesDamagedKeysAndValues) {
  for (const Bytes& pairs : {Bytes(8, 7), Bytes{4, 0, 0, 0, 0, 'a', 'b', 0},
                             Bytes{4, 0, 0, 0, 'a', 'b', 'c', 'd'}, Bytes{3, 0, 0, 0}}) {
    const auto read = read_texture(file_with_pairs(pairs), "x.ktx");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::kInvalid);
    EXPECT_NE(read.error().message.find("x.ktx is not a valid .ktx file: its key/value data"),
              std::string::npos);
  }
}

TEST(KtxFile, RefusesWhatCannotBe) {
  const Bytes good = on_heap(write_ktx_file(astc_texture(2)).value());
  ASSERT_TRUE(read_texture(good, "x.ktx"));
  struct Damage {
    size_t offset;
    uint32_t value;
    ErrorCode code;
  };
  const Damage damages[] = {
      {12, 0x01020305, ErrorCode::kInvalid},  // byte order
      {16, 0x1401, ErrorCode::kUnsupported},  // pixels
      {28, 1, ErrorCode::kUnsupported},       // format
      {36, 0, ErrorCode::kInvalid},           // width
      {36, 67, ErrorCode::kInvalid},          // bytes are left over or missing
      {40, UINT32_MAX, ErrorCode::kInvalid}, {48, 2, ErrorCode::kInvalid},
      {52, 6, ErrorCode::kInvalid},  // a cube map whose faces are not square
      {52, 0, ErrorCode::kInvalid},          {56, 0, ErrorCode::kInvalid},
      {56, 8, ErrorCode::kInvalid},          {60, UINT32_MAX, ErrorCode::kInvalid},
      {64, 12, ErrorCode::kInvalid},  // the size before a level
  };
  for (const Damage& damage : damages) {
    const auto read = read_texture(patched_u32(good, damage.offset, damage.value), "x.ktx");
    ASSERT_FALSE(read) << damage.offset;
    EXPECT_EQ(read.error().code, damage.code) << damage.offset << ": " << read.error().message;
  }
  for (size_t length = 12; length < good.size(); length += 13) {
    EXPECT_FALSE(read_texture(ByteSpan(good).first(length), "x.ktx")) << length;
  }
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_FALSE(read_texture(longer, "x.ktx"));
}

}  // namespace
}  // namespace tessera
