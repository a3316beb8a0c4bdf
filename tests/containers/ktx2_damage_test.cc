// .ktx2 files that are cut short, damaged, or claim what they do not hold.
#include <gtest/gtest.h>

#include <random>

#include "container_helpers.h"
#include "containers/ktx2_file.h"
#include "containers/texture_file.h"
#include "ktx2_helpers.h"

namespace tessera {
namespace {

Bytes plain(uint32_t levels = 3) {
  return on_heap(write_ktx2_file(make_texture(TextureFormat::kAstc, 20, 12, levels)).value());
}

Bytes compressed(uint32_t levels = 3) {
  return on_heap(
      write_ktx2_file(flat_texture(TextureFormat::kAstc, 20, 12, levels), {true}).value());
}

std::vector<Bytes> both_kinds() {
  std::vector<Bytes> files = {plain()};
  if (have_zstd()) {
    files.push_back(compressed());
  }
  return files;
}

ErrorCode read_error(const Bytes& bytes, const std::string& part = "") {
  const auto texture = read_ktx2_file(bytes, "f.ktx2");
  EXPECT_FALSE(texture);
  if (texture) {
    return ErrorCode::kFailed;
  }
  EXPECT_NE(texture.error().message.find("f.ktx2"), std::string::npos);
  EXPECT_NE(texture.error().message.find(part), std::string::npos) << texture.error().message;
  return texture.error().code;
}

// Whatever the bytes are: an error, or a texture that is as large as it says.
void expect_sane(const Bytes& bytes) {
  const auto texture = read_ktx2_file(bytes, "f.ktx2");
  if (!texture) {
    EXPECT_TRUE(texture.error().code == ErrorCode::kInvalid ||
                texture.error().code == ErrorCode::kUnsupported)
        << texture.error().message;
    return;
  }
  ASSERT_FALSE(texture->levels.empty());
  for (uint32_t level = 0; level < texture->levels.size(); ++level) {
    EXPECT_EQ(texture->levels[level].size(), level_bytes(texture->info, level).value());
  }
}

TEST(Ktx2Damage, EveryPrefixIsRefused) {
  for (const Bytes& bytes : both_kinds()) {
    for (size_t length = 0; length < bytes.size(); ++length) {
      const Bytes prefix(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(length));
      EXPECT_EQ(read_error(prefix), ErrorCode::kInvalid) << length;
    }
  }
}

TEST(Ktx2Damage, EveryBitFlipIsSurvived) {
  for (const Bytes& bytes : both_kinds()) {
    Bytes damaged = bytes;
    for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
      damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      expect_sane(damaged);
      damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

TEST(Ktx2Damage, MostBitFlipsInTheHeaderAreNoticed) {
  // Layers and depth are no part of the level count, but of every level's size; what may change
  // unnoticed is the offset of data that is not there.
  const Bytes bytes = plain();
  const size_t end = level_entry_at(3);
  Bytes damaged = bytes;
  for (size_t bit = 0; bit < end * 8; ++bit) {
    const size_t at = bit / 8;
    const bool no_global_data = at >= 64 && at < 72;
    damaged[at] ^= static_cast<uint8_t>(1 << bit % 8);
    const bool same_meaning = at == kLayersAt || at == kDepthAt;  // 0 and 1 are the same
    const bool within_block = at == kWidthAt || at == kHeightAt;  // the same number of blocks
    if (!no_global_data && !same_meaning && !within_block && at != kVkFormatAt) {
      EXPECT_FALSE(read_ktx2_file(damaged, "f.ktx2")) << "bit " << bit % 8 << " of byte " << at;
    }
    damaged[at] ^= static_cast<uint8_t>(1 << bit % 8);
  }
}

TEST(Ktx2Damage, RandomBytesAreSurvived) {
  std::mt19937 random(1);
  for (const Bytes& bytes : both_kinds()) {
    for (int round = 0; round < 3000; ++round) {
      Bytes damaged = bytes;
      for (int i = 0; i < 1 + round % 8; ++i) {
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      }
      expect_sane(damaged);
    }
  }
}

TEST(Ktx2Damage, TrailingBytesAreRefused) {
  for (Bytes bytes : both_kinds()) {
    bytes.push_back(0);
    EXPECT_EQ(read_error(bytes, "follow"), ErrorCode::kInvalid);
  }
}

TEST(Ktx2Damage, BadFieldsAreRefused) {
  const Bytes good = plain();
  EXPECT_EQ(read_error(patched_u32(good, 0, 0)), ErrorCode::kInvalid) << "identifier";
  EXPECT_EQ(read_error(patched_u32(good, kTypeSizeAt, 2)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kWidthAt, 0)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kHeightAt, 0)), ErrorCode::kInvalid) << "1D";
  EXPECT_EQ(read_error(patched_u32(good, kFacesAt, 0)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kFacesAt, 2)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, 0)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, 6)), ErrorCode::kInvalid) << "of 20 texels";
  EXPECT_EQ(read_error(patched_u32(good, kLevelsAt, UINT32_MAX)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, kGlobalLengthAt, 8)), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, BlocksWithDepthNeedAVolume) {
  Texture texture;
  texture.info.format = TextureFormat::kAstc;
  texture.info.block = {3, 3, 3};
  texture.info.width = texture.info.height = 6;
  fill_levels(texture, 1);
  const Bytes bytes = on_heap(write_ktx2_file(texture).value());
  EXPECT_EQ(u32_at(bytes, kDepthAt), 1u);
  EXPECT_EQ(read_error(patched_u32(bytes, kDepthAt, 0), "depth"), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, OtherKindsAreNotSupported) {
  const Bytes good = plain();
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 0)), ErrorCode::kUnsupported) << "Basis";
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 37)), ErrorCode::kUnsupported) << "RGBA8";
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 145)), ErrorCode::kUnsupported) << "BC7";
  EXPECT_EQ(read_error(patched_u32(good, kFacesAt, 6), "square"), ErrorCode::kInvalid);
  for (const uint32_t scheme : {1u, 3u, 4u, 0x10000u, UINT32_MAX}) {
    EXPECT_EQ(read_error(patched_u32(good, kSchemeAt, scheme)), ErrorCode::kUnsupported) << scheme;
  }
}

TEST(Ktx2Damage, HugeClaimsAreRefusedWithoutAllocating) {
  for (const Bytes& bytes : both_kinds()) {
    for (const size_t field : {kWidthAt, kHeightAt, kDepthAt, kLayersAt}) {
      EXPECT_EQ(read_error(patched_u32(bytes, field, UINT32_MAX)), ErrorCode::kInvalid);
    }
    Bytes huge = bytes;
    for (const size_t field : {kWidthAt, kHeightAt, kDepthAt, kLayersAt}) {
      huge = patched_u32(huge, field, UINT32_MAX);
    }
    EXPECT_EQ(read_error(huge, "2^64"), ErrorCode::kInvalid);
  }
}

TEST(Ktx2Damage, LevelsMustLieWithinTheFileInTheirOrder) {
  const Bytes good = plain();
  const uint64_t first = u64_at(good, level_entry_at(0));
  const uint64_t second = u64_at(good, level_entry_at(1));
  const uint64_t third = u64_at(good, level_entry_at(2));
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0), second), "overlaps"),
            ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(1), third), "overlaps"),
            ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(2), 0), "overlaps"), ErrorCode::kInvalid)
      << "the header";
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0), first + 16), "beyond"),
            ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0), UINT64_MAX), "beyond"),
            ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0) + 8, UINT64_MAX), "beyond"),
            ErrorCode::kInvalid);
  Bytes swapped = patched_u64(good, level_entry_at(1), third);
  swapped = patched_u64(swapped, level_entry_at(2), second);
  EXPECT_EQ(read_error(swapped), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, LevelsMustHaveTheSizeOfTheTexture) {
  const Bytes good = plain(1);
  const uint64_t size = u64_at(good, level_entry_at(0) + 16);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0) + 16, size - 16)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u64(good, level_entry_at(0) + 16, 0)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kWidthAt, 24)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kLayersAt, 2)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kDepthAt, 2)), ErrorCode::kInvalid);
  // A shorter level in a shorter file.
  Bytes shorter = patched_u64(good, level_entry_at(0) + 8, size - 16);
  shorter.resize(shorter.size() - 16);
  EXPECT_EQ(read_error(shorter, "two different sizes"), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, LevelsMustBeAligned) {
  Bytes bytes = plain(1);
  const uint64_t offset = u64_at(bytes, level_entry_at(0));
  bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(offset), 4, uint8_t{0});
  bytes = patched_u64(bytes, level_entry_at(0), offset + 4);
  EXPECT_EQ(read_error(bytes), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, HiddenBytesAreRefused) {
  Bytes bytes = plain(1);
  const uint64_t offset = u64_at(bytes, level_entry_at(0));
  bytes.insert(bytes.begin() + static_cast<ptrdiff_t>(offset), 32, uint8_t{0});
  bytes = patched_u64(bytes, level_entry_at(0), offset + 32);
  EXPECT_EQ(read_error(bytes, "unused"), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, ADescriptorThatDisagreesIsRefused) {
  const Bytes good = plain(1);
  const size_t at = u32_at(good, kDescriptorOffsetAt);
  const auto with = [&](size_t offset, uint8_t value) {
    Bytes bytes = good;
    bytes[at + offset] = value;
    return bytes;
  };
  EXPECT_EQ(read_error(with(0, 43)), ErrorCode::kInvalid) << "total size";
  EXPECT_EQ(read_error(with(4, 1)), ErrorCode::kInvalid) << "vendor";
  EXPECT_EQ(read_error(with(8, 1)), ErrorCode::kInvalid) << "version";
  EXPECT_EQ(read_error(with(10, 56)), ErrorCode::kInvalid) << "two samples";
  EXPECT_EQ(read_error(with(12, 128), "model"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(14, 2), "sRGB"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(16, 4), "texels"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(17, 4), "texels"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(18, 1), "texels"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(19, 1), "texels"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(20, 8), "bytes"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(with(20, 0), "bytes"), ErrorCode::kInvalid) << "not supercompressed";
  EXPECT_EQ(read_error(with(21, 16), "bytes"), ErrorCode::kInvalid) << "a second plane";
  EXPECT_EQ(read_error(with(28, 1), "sample"), ErrorCode::kInvalid) << "bit offset";
  EXPECT_EQ(read_error(with(30, 63), "sample"), ErrorCode::kInvalid) << "bit length";
  EXPECT_EQ(read_error(with(31, 1), "sample"), ErrorCode::kInvalid) << "channel";
  EXPECT_EQ(read_error(with(31, 0x80), "sample"), ErrorCode::kInvalid) << "float";
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 158), "sRGB"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 159), "texels"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 133), "model"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kVkFormatAt, 1000066000), "sample"), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kDescriptorLengthAt, 0)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kDescriptorLengthAt, 40)), ErrorCode::kInvalid);
  EXPECT_EQ(read_error(patched_u32(good, kDescriptorOffsetAt, 80)), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, HdrThatIsSrgbIsNotSupported) {
  Texture texture = make_texture(TextureFormat::kAstc, 8, 8);
  texture.info.hdr = true;
  Bytes bytes = on_heap(write_ktx2_file(texture).value());
  bytes[u32_at(bytes, kDescriptorOffsetAt) + 14] = 2;
  EXPECT_EQ(read_error(bytes, "HDR"), ErrorCode::kUnsupported);
}

TEST(Ktx2Damage, BadKeyValueDataIsRefused) {
  const Bytes good = plain(1);
  const std::vector<std::string> refused = {
      std::string("\x02\0\0", 3),           // ends within a length
      std::string("\x09\0\0\0A\0\0\0", 8),  // ends within a pair
      std::string("\xff\xff\xff\xff"
                  "A\0\0\0",
                  8),                       // longer than the file
      std::string("\0\0\0\0", 4),           // an empty pair
      std::string("\x02\0\0\0\0A\0\0", 8),  // an empty key
      std::string("\x02\0\0\0AB\0\0", 8),   // a key that does not end
  };
  for (const std::string& text : refused) {
    EXPECT_EQ(read_error(with_key_values(good, text), "key"), ErrorCode::kInvalid);
  }
  EXPECT_EQ(read_error(patched_u32(good, kKeyValueOffsetAt, 80), "overlaps"), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, BombsAreRefused) {
  SKIP_WITHOUT_ZSTD();
  // 256 MiB of zeros, said to be 16 bytes.
  const Bytes zeros(size_t{256} << 20);
  const Bytes bomb = zstd_compress(zeros, 3).value();
  const Bytes good =
      on_heap(write_ktx2_file(flat_texture(TextureFormat::kAstc, 12, 12), {true}).value());
  const uint64_t offset = u64_at(good, level_entry_at(0));
  Bytes bytes(good.begin(), good.begin() + static_cast<ptrdiff_t>(offset));
  bytes.insert(bytes.end(), bomb.begin(), bomb.end());
  bytes = patched_u64(bytes, level_entry_at(0) + 8, bomb.size());
  EXPECT_EQ(read_error(bytes, "Zstandard"), ErrorCode::kInvalid);
  // The same bomb, said to be more than it is, and far more than it could be.
  for (const auto& [width, height] : {std::pair(8192u, 32772u), {1u << 20, 1u << 20}}) {
    Bytes larger = patched_u32(patched_u32(bytes, kWidthAt, width), kHeightAt, height);
    larger = patched_u64(larger, level_entry_at(0) + 16, uint64_t{width} * height);
    EXPECT_EQ(read_error(larger, "Zstandard"), ErrorCode::kInvalid);
  }
}

TEST(Ktx2Damage, DamagedZstdIsRefused) {
  SKIP_WITHOUT_ZSTD();
  Bytes bytes = compressed(1);
  const uint64_t offset = u64_at(bytes, level_entry_at(0));
  bytes[offset] ^= 1;  // the magic number
  EXPECT_EQ(read_error(bytes, "Zstandard"), ErrorCode::kInvalid);
}

TEST(Ktx2Damage, DetectedByItsIdentifier) {
  EXPECT_EQ(detect_container_type(plain()), ContainerType::kKtx2);
  Bytes ktx1 = plain();
  ktx1[5] = '1';
  ktx1[6] = '1';
  EXPECT_EQ(detect_container_type(ktx1), ContainerType::kKtx);
}

}  // namespace
}  // namespace tessera
