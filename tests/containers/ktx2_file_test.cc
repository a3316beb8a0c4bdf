// Tests .ktx2 files: header, descriptor, levels, layers, zstd.
#include "containers/ktx2_file.h"

#include <gtest/gtest.h>

#include <set>

#include "container_helpers.h"
#include "ktx2_helpers.h"

namespace tessera {
namespace {

TextureInfo astc_info(const BlockSize& block, bool srgb = false, bool hdr = false) {
  TextureInfo info;
  info.format = TextureFormat::kAstc;
  info.block = block;
  info.srgb = srgb;
  info.hdr = hdr;
  return info;
}

TEST(Ktx2Format, NumbersByHand) {
  EXPECT_EQ(vulkan_number(TextureInfo{}), 133u);
  TextureInfo srgb_bc1;
  srgb_bc1.srgb = true;
  EXPECT_EQ(vulkan_number(srgb_bc1), 134u);
  EXPECT_EQ(vulkan_number(astc_info({4, 4, 1})), 157u);
  EXPECT_EQ(vulkan_number(astc_info({4, 4, 1}, true)), 158u);
  EXPECT_EQ(vulkan_number(astc_info({8, 8, 1})), 171u);
  EXPECT_EQ(vulkan_number(astc_info({12, 12, 1}, true)), 184u);
  EXPECT_EQ(vulkan_number(astc_info({4, 4, 1}, false, true)), 1000066000u);
  EXPECT_EQ(vulkan_number(astc_info({10, 5, 1}, false, true)), 1000066008u);
  EXPECT_EQ(vulkan_number(astc_info({12, 12, 1}, false, true)), 1000066013u);
  EXPECT_EQ(vulkan_number(astc_info({3, 3, 3})), 1000288000u);
  EXPECT_EQ(vulkan_number(astc_info({4, 4, 4}, true)), 1000288010u);
  EXPECT_EQ(vulkan_number(astc_info({6, 6, 6}, false, true)), 1000288029u);
}

bool set_vk_format(uint32_t number, TextureInfo& info) {
  const auto format = find_vulkan_format(number);
  if (format) {
    set_format(*format, info);
  }
  return format.has_value();
}

TEST(Ktx2Format, EveryNumberHasItsOwnMeaning) {
  std::set<uint32_t> numbers;
  for (const bool srgb : {false, true}) {
    for (const bool hdr : {false, true}) {
      const auto add = [&](const BlockSize& block) {
        const TextureInfo info = astc_info(block, srgb, hdr);
        const auto number = vulkan_number(info);
        ASSERT_EQ(number.has_value(), !(srgb && hdr));
        if (number) {
          EXPECT_TRUE(numbers.insert(*number).second);
          TextureInfo again;
          EXPECT_TRUE(set_vk_format(*number, again));
          EXPECT_EQ(again, info);
        }
      };
      for (const FormatNumbers& entry : format_row(TextureFormat::kAstc).numbers) {
        add(entry.block);
      }
    }
  }
  EXPECT_EQ(numbers.size(), 3u * 24);
}

TEST(Ktx2Format, Bc1WithoutAlphaIsReadToo) {
  TextureInfo info;
  EXPECT_TRUE(set_vk_format(131, info));
  EXPECT_FALSE(info.srgb);
  EXPECT_TRUE(set_vk_format(132, info));
  EXPECT_TRUE(info.srgb);
  EXPECT_EQ(info.format, TextureFormat::kBc1);
}

TEST(Ktx2Format, NeighboursAreNotServed) {
  for (const uint32_t number : {0u, 130u, 135u, 156u, 185u, 1000065999u, 1000066014u, 1000287999u,
                                1000288030u, UINT32_MAX}) {
    TextureInfo info;
    EXPECT_FALSE(set_vk_format(number, info)) << number;
  }
  EXPECT_FALSE(vulkan_number(astc_info({7, 7, 1})));
  TextureInfo hdr_bc1;
  hdr_bc1.hdr = true;
  EXPECT_FALSE(vulkan_number(hdr_bc1));
}

TEST(Ktx2File, HeaderByHand) {
  const Bytes bytes =
      on_heap(write_ktx2_file(make_texture(TextureFormat::kBc1, 20, 12, 2)).value());
  const std::string identifier("\xABKTX 20\xBB\r\n\x1A\n", 12);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 12), identifier);
  const std::vector<uint32_t> fields = {133, 1, 20, 12, 0, 0, 1, 2, 0};
  for (size_t i = 0; i < fields.size(); ++i) {
    EXPECT_EQ(u32_at(bytes, 12 + 4 * i), fields[i]) << "field " << i;
  }
  // Header and index, two levels in the level index.
  EXPECT_EQ(u32_at(bytes, kDescriptorOffsetAt), 80u + 2 * 24);
  EXPECT_EQ(u32_at(bytes, kDescriptorLengthAt), 44u);
  EXPECT_EQ(u32_at(bytes, kKeyValueOffsetAt), 172u);
  EXPECT_EQ(u64_at(bytes, 64), 0u);
  EXPECT_EQ(u64_at(bytes, 72), 0u);
  // The small level comes first, both at multiples of 8.
  EXPECT_EQ(u64_at(bytes, level_entry_at(1) + 8), 3u * 2 * 8);
  EXPECT_EQ(u64_at(bytes, level_entry_at(1) + 16), 3u * 2 * 8);
  EXPECT_EQ(u64_at(bytes, level_entry_at(0) + 8), 5u * 3 * 8);
  EXPECT_EQ(u64_at(bytes, level_entry_at(1)) % 8, 0u);
  EXPECT_EQ(u64_at(bytes, level_entry_at(0)), u64_at(bytes, level_entry_at(1)) + 3 * 2 * 8);
  EXPECT_EQ(bytes.size(), u64_at(bytes, level_entry_at(0)) + 5 * 3 * 8);
}

TEST(Ktx2File, DescriptorByHand) {
  Texture texture;
  texture.info = astc_info({10, 8, 1}, true);
  texture.info.width = texture.info.height = 16;
  fill_levels(texture, 1);
  const Bytes bytes = on_heap(write_ktx2_file(texture).value());
  const Bytes expected = {44,  0, 0, 0, 0, 0,  0, 0, 2, 0, 40,  0,   162, 1,  2,
                          0,   9, 7, 0, 0, 16, 0, 0, 0, 0, 0,   0,   0,   0,  0,
                          127, 0, 0, 0, 0, 0,  0, 0, 0, 0, 255, 255, 255, 255};
  EXPECT_EQ(Bytes(bytes.begin() + 104, bytes.begin() + 104 + 44), expected);
}

TEST(Ktx2File, KeyValueByHand) {
  const Bytes bytes = on_heap(write_ktx2_file(make_texture(TextureFormat::kAstc, 4, 4)).value());
  const size_t at = u32_at(bytes, kKeyValueOffsetAt);
  const uint32_t length = u32_at(bytes, at);
  const std::string pair(bytes.begin() + static_cast<ptrdiff_t>(at) + 4,
                         bytes.begin() + static_cast<ptrdiff_t>(at + 4 + length));
  EXPECT_EQ(pair.substr(0, 18), std::string("KTXwriter\0tessera ", 18));
  EXPECT_EQ(pair.back(), '\0');
  EXPECT_EQ(u32_at(bytes, kKeyValueLengthAt) % 4, 0u);
  EXPECT_LT(u32_at(bytes, kKeyValueLengthAt) - 4 - length, 4u);
}

TEST(Ktx2File, TellsTheSettingsAgain) {
  const Texture texture = make_texture(TextureFormat::kAstc, 4, 4);
  Ktx2Options options;
  for (const std::string made_with : {"", "--block 6x6", "a", "ab", "abc", "abcd"}) {
    options.made_with = made_with;
    const Bytes bytes = on_heap(write_ktx2_file(texture, options).value());
    EXPECT_EQ(read_ktx2_file(bytes, "t.ktx2").value().made_with, made_with);
  }
  // Terminals obey control characters.
  options.made_with = "a\x1B[2Jb\nc\xFF";
  const Bytes bytes = on_heap(write_ktx2_file(texture, options).value());
  EXPECT_EQ(read_ktx2_file(bytes, "t.ktx2").value().made_with, "a?[2Jb?c?");
}

void expect_round_trip(const Texture& texture, const Ktx2Options& options) {
  const auto bytes = write_ktx2_file(texture, options);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_TRUE(is_ktx2_file(*bytes));
  const auto again = read_ktx2_file(*bytes, "x");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->info, texture.info);
  EXPECT_EQ(again->levels, texture.levels);
}

std::vector<TextureInfo> every_format() {
  std::vector<TextureInfo> all(2);
  all[1].srgb = true;
  for (const auto& [srgb, hdr] : {std::pair(false, false), {true, false}, {false, true}}) {
    for (const FormatNumbers& entry : format_row(TextureFormat::kAstc).numbers) {
      all.push_back(astc_info(entry.block, srgb, hdr));
    }
  }
  return all;
}

TEST(Ktx2File, EveryFormatRoundTripsWithLevelsLayersAndDepth) {
  for (const TextureInfo& format : every_format()) {
    SCOPED_TRACE(std::string(texture_format_name(format.format)) + block_size_name(format.block));
    for (const bool zstd : {false, true}) {
      if (zstd && !have_zstd()) {
        continue;
      }
      for (const uint32_t levels : {1u, 3u, 6u}) {
        for (const auto& [layers, depth] : {std::pair(1u, 1u), {3u, 1u}, {1u, 7u}, {2u, 5u}}) {
          Texture texture;
          texture.info = format;
          texture.info.width = 37;
          texture.info.height = 23;
          texture.info.depth = depth;
          texture.info.layers = layers;
          fill_levels(texture, levels);
          expect_round_trip(texture, {zstd});
        }
      }
    }
  }
}

TEST(Ktx2File, LevelsOfSupercompressedFilesFollowEachOtherWithoutPadding) {
  SKIP_WITHOUT_ZSTD();
  const Texture texture = make_texture(TextureFormat::kAstc, 64, 64, 7);
  const Bytes bytes = on_heap(write_ktx2_file(texture, {true}).value());
  uint64_t end = u32_at(bytes, kKeyValueOffsetAt) + u32_at(bytes, kKeyValueLengthAt);
  for (size_t level = 7; level-- > 0;) {
    EXPECT_EQ(u64_at(bytes, level_entry_at(level)), end);
    end += u64_at(bytes, level_entry_at(level) + 8);
  }
  EXPECT_EQ(end, bytes.size());
  EXPECT_LT(bytes.size(), write_ktx2_file(texture).value().size());
}

TEST(Ktx2File, IsNotCompressedWhereThatDoesNotHelp) {
  SKIP_WITHOUT_ZSTD();
  Texture texture = make_texture(TextureFormat::kAstc, 48, 48);
  uint32_t state = 1;
  for (uint8_t& byte : texture.levels[0]) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<uint8_t>(state >> 24);
  }
  EXPECT_EQ(write_ktx2_file(texture, {true}).value(), write_ktx2_file(texture).value());
  std::fill(texture.levels[0].begin(), texture.levels[0].end(), uint8_t{0});
  EXPECT_LT(write_ktx2_file(texture, {true}).value().size(),
            write_ktx2_file(texture).value().size());
}

TEST(Ktx2File, FlatTexturesSurviveStrongCompression) {
  SKIP_WITHOUT_ZSTD();
  Texture texture = make_texture(TextureFormat::kBc1, 4096, 4096);
  std::fill(texture.levels[0].begin(), texture.levels[0].end(), uint8_t{0});
  const Bytes bytes = on_heap(write_ktx2_file(texture, {true}).value());
  EXPECT_LT(bytes.size() * 1000, texture.levels[0].size());
  expect_round_trip(texture, {true});
}

TEST(Ktx2File, ForeignKeyValueDataIsTolerated) {
  const Bytes bytes = on_heap(write_ktx2_file(make_texture(TextureFormat::kAstc, 4, 4)).value());
  const std::vector<std::string> accepted = {
      "",                                            // none at all
      std::string("\x02\0\0\0A\0\0\0", 8),           // a key without a value
      std::string("\x06\0\0\0KTX\0\xff\0\0\0", 12),  // a value that is no text
      std::string("\x02\0\0\0A\0\0\0\x02\0\0\0B\0\0\0", 16)};
  for (const std::string& text : accepted) {
    const auto texture = read_ktx2_file(with_key_values(bytes, text), "x");
    EXPECT_TRUE(texture) << texture.error().message;
  }
}

TEST(Ktx2File, OlderSupercompressedFilesSayZeroBytesAPlane) {
  SKIP_WITHOUT_ZSTD();
  const Texture texture = flat_texture(TextureFormat::kAstc, 16, 16);
  const Bytes bytes = on_heap(write_ktx2_file(texture, {true}).value());
  const size_t plane_at = u32_at(bytes, kDescriptorOffsetAt) + 20;
  EXPECT_EQ(read_ktx2_file(patched_u32(bytes, plane_at, 0), "x").value().levels, texture.levels);
}

TEST(Ktx2File, WhatItCannotHoldIsRefused) {
  const auto code_of = [](const Texture& texture) {
    const auto bytes = write_ktx2_file(texture);
    EXPECT_FALSE(bytes);
    return bytes ? ErrorCode::kFailed : bytes.error().code;
  };
  Texture both = make_texture(TextureFormat::kAstc, 8, 8);
  both.info.srgb = both.info.hdr = true;
  EXPECT_EQ(code_of(both), ErrorCode::kUnsupported);
  Texture hdr_bc1 = make_texture(TextureFormat::kBc1, 8, 8);
  hdr_bc1.info.hdr = true;
  EXPECT_EQ(code_of(hdr_bc1), ErrorCode::kUnsupported);
  Texture odd_block = make_texture(TextureFormat::kAstc, 8, 8);
  odd_block.info.block = {7, 4, 1};
  EXPECT_EQ(code_of(odd_block), ErrorCode::kUnsupported);
  Texture too_short = make_texture(TextureFormat::kBc1, 8, 8);
  too_short.levels[0].resize(too_short.levels[0].size() - 1);
  EXPECT_EQ(code_of(too_short), ErrorCode::kInvalid);
  Texture no_levels = make_texture(TextureFormat::kBc1, 8, 8);
  no_levels.levels.clear();
  EXPECT_EQ(code_of(no_levels), ErrorCode::kInvalid);
  Texture many_levels = make_texture(TextureFormat::kBc1, 8, 8, 5);
  EXPECT_EQ(code_of(many_levels), ErrorCode::kInvalid);
}

TEST(Ktx2File, OnlyRealZstdLevelsAreTaken) {
  SKIP_WITHOUT_ZSTD();
  const Texture texture = make_texture(TextureFormat::kBc1, 8, 8);
  for (const int level : {-1, 0, 23, 1000}) {
    const auto bytes = write_ktx2_file(texture, {true, level});
    ASSERT_FALSE(bytes) << level;
    EXPECT_EQ(bytes.error().code, ErrorCode::kUsage);
  }
  EXPECT_TRUE(write_ktx2_file(texture, {true, 1}));
  EXPECT_TRUE(write_ktx2_file(texture, {true, 22}));
}

TEST(Ktx2File, WithoutTheLibraryZstdIsNotSupported) {
  if (have_zstd()) {
    GTEST_SKIP() << "this build has libzstd";
  }
  const Texture texture = make_texture(TextureFormat::kBc1, 8, 8);
  EXPECT_EQ(write_ktx2_file(texture, {true}).error().code, ErrorCode::kUnsupported);
  const Bytes bytes = patched_u32(on_heap(write_ktx2_file(texture).value()), kSchemeAt, 2);
  EXPECT_EQ(read_ktx2_file(bytes, "x").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
