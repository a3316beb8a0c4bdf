// Files that are cut short, damaged, or claim to be huge. Nothing of this may crash, and a claim
// may not cost more than the bytes that back it.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <random>

#include "exr_files.h"
#include "files/pictures/image_file.h"
#include "float_images.h"
#include "test_files.h"

namespace tessera {
namespace {

struct Sample {
  std::string name;
  Bytes file;
  size_t least_bytes;  // a shorter file must be refused
};

Bytes encoded(uint32_t channels, ImageFileType type, SampleType sample = SampleType::kU8) {
  const Image image = make_test_image(9, 7, channels, sample);
  return *encode_image(image.view(), type);
}

Bytes float_file(uint32_t width, uint32_t channels, ImageFileType type) {
  return *encode_image(make_float_image(width, 7, channels, SampleType::kF32).view(), type);
}

Bytes palette_bmp() {
  BmpParts parts;
  parts.width = 8;
  parts.height = 3;
  parts.pixel_bits = 8;
  parts.palette.assign(16, 50);
  parts.colors_used = 4;
  parts.pixels.assign(24, 3);
  return build_bmp(parts);
}

Bytes run_length_tga() {
  TgaParts parts;
  parts.image_type = 10;
  parts.width = 10;
  parts.height = 3;
  parts.rest = {0x8f, 1, 2, 3, 0x02, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x8a, 1, 2, 3};
  return build_tga(parts);
}

Bytes interlaced_png() {
  PngParts parts;
  parts.width = 8;
  parts.height = 8;
  parts.color_type = 3;
  parts.interlace = 1;
  parts.chunks_before_pixels = {{"PLTE", {1, 2, 3, 4, 5, 6}}, {"tRNS", {7}}};
  const std::vector<std::pair<int, int>> passes = {{1, 1}, {1, 1}, {2, 1}, {2, 2},
                                                   {4, 2}, {4, 4}, {8, 4}};
  for (const auto& [width, height] : passes) {
    for (int y = 0; y < height; ++y) {
      parts.scanlines.push_back(0);
      parts.scanlines.insert(parts.scanlines.end(), static_cast<size_t>(width), 1);
    }
  }
  return build_png(parts);
}

std::vector<Sample> samples() {
  std::vector<Sample> all;
  const auto add = [&](const std::string& name, const Bytes& file) {
    all.push_back({name, file, file.size()});
  };
  add("png grey", encoded(1, ImageFileType::kPng));
  add("png rgba 16", encoded(4, ImageFileType::kPng, SampleType::kU16));
  add("png interlaced palette", interlaced_png());
  add("jpeg grey", build_jpeg(make_test_image(20, 20, 1)));
  add("jpeg color", build_jpeg(make_test_image(20, 20, 3)));
  add("jpeg progressive", build_jpeg(make_test_image(20, 20, 3), {.progressive = true}));
  add("pgm", encoded(1, ImageFileType::kPnm));
  add("ppm 16", encoded(3, ImageFileType::kPnm, SampleType::kU16));
  // The last number of a plain file may lose digits, and the file its last line end, unnoticed.
  const std::string plain = "P3\n# hello\n2 2\n255\n1 2 3 4 5 6\n7 8 9 10 11 123\n";
  all.push_back({"ppm plain", bytes_of(plain), plain.size() - 3});
  add("tga", encoded(3, ImageFileType::kTga));
  add("tga alpha", encoded(4, ImageFileType::kTga));
  add("tga run-length", run_length_tga());
  add("bmp palette", palette_bmp());
  add("hdr", float_file(12, 3, ImageFileType::kHdr));
  add("hdr narrow", float_file(5, 3, ImageFileType::kHdr));
  if (have_openexr()) {
    add("exr", float_file(9, 3, ImageFileType::kExr));
    const Image image = make_float_image(9, 7, 3, SampleType::kF16);
    for (const int compression : {0, 1, 4, 5, 7, 8}) {
      add("exr " + std::to_string(compression), library_exr(image, compression, 0));
    }
    add("exr tiles", library_exr(image, 3, 4));
  }
  return all;
}

TEST(Damage, EveryPrefixIsRefused) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    ASSERT_TRUE(decode_image(sample.file, "whole").ok());
    for (size_t size = 0; size < sample.least_bytes; ++size) {
      // A copy of its own, so that reading past its end is noticed by the sanitizers.
      const Bytes prefix(sample.file.begin(),
                         sample.file.begin() + static_cast<std::ptrdiff_t>(size));
      const auto image = decode_image(prefix, "prefix");
      ASSERT_FALSE(image.ok()) << size << " of " << sample.file.size() << " bytes";
      ASSERT_EQ(static_cast<int>(image.error().code), static_cast<int>(ErrorCode::kInvalid))
          << image.error().message;
      ASSERT_NE(image.error().message.find("prefix"), std::string::npos);
    }
  }
}

void expect_sane(const Result<Image>& image) {
  if (image.ok()) {
    ASSERT_GT(image->info().pixel_count(), 0u);
  } else {
    ASSERT_FALSE(image.error().message.empty());
    ASSERT_TRUE(image.error().code == ErrorCode::kInvalid ||
                image.error().code == ErrorCode::kUnsupported)
        << image.error().message;
  }
}

TEST(Damage, EverySingleBitFlipIsSurvived) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    Bytes damaged = sample.file;
    for (size_t bit = 0; bit < damaged.size() * 8; ++bit) {
      damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
      expect_sane(decode_image(damaged, "damaged"));
      damaged[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    }
  }
}

TEST(Damage, RandomBytesAreSurvived) {
  std::mt19937 random(1);
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    for (int round = 0; round < 300; ++round) {
      Bytes damaged = sample.file;
      for (int i = 0; i < 1 + round % 20; ++i) {
        damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
      }
      expect_sane(decode_image(damaged, "damaged"));
    }
  }
}

// The most memory that the process has had at a time so far, in bytes.
size_t peak_memory() {
  struct rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

// 60000x60000 pixels are 3.6 GB at least; a reader that believes the claim takes and clears them.
void expect_refused_unread(const Bytes& file) {
  constexpr size_t kMaxGrowth = size_t{256} << 20;  // bytes
  const size_t before = peak_memory();
  expect_error(file, ErrorCode::kInvalid, "60000x60000");
  EXPECT_LT(peak_memory() - before, kMaxGrowth);
}

TEST(Damage, HugePngClaimsAreRefusedUnread) {
  for (const uint8_t color_type : Bytes{0, 2, 6}) {
    for (const uint8_t interlace : Bytes{0, 1}) {
      PngParts parts;
      parts.width = 60000;
      parts.height = 60000;
      parts.color_type = color_type;
      parts.interlace = interlace;
      parts.scanlines = {0, 0, 0, 0};
      expect_refused_unread(build_png(parts));
    }
  }
}

TEST(Damage, HugePngClaimsBeyondTheLimitAreRefused) {
  PngParts parts;
  parts.width = (1 << 24) + 1;
  expect_error(build_png(parts), ErrorCode::kInvalid, "2^24");
  parts.width = 0x7fffffff;
  parts.height = 0x7fffffff;
  parts.color_type = 6;
  parts.bit_depth = 16;
  expect_error(build_png(parts), ErrorCode::kInvalid, "cannot decode");
}

TEST(Damage, HugeJpegClaimsAreRefusedUnread) {
  for (const bool progressive : {false, true}) {
    for (const uint32_t channels : {1u, 3u}) {
      Bytes file = build_jpeg(make_test_image(16, 16, channels), {.progressive = progressive});
      const Bytes size = {8, 0, 16, 0, 16};  // precision, height, width
      const auto at = std::search(file.begin(), file.end(), size.begin(), size.end());
      ASSERT_NE(at, file.end());
      at[1] = at[3] = 60000 >> 8;
      at[2] = at[4] = 60000 & 0xff;
      expect_refused_unread(file);
    }
  }
}

TEST(Damage, HugePnmClaimsAreRefusedUnread) {
  for (const std::string kind : {"P2", "P3", "P5", "P6"}) {
    expect_refused_unread(bytes_of(kind + "\n60000 60000\n65535\n" + std::string(80, '1')));
  }
}

TEST(Damage, HugeTgaClaimsAreRefusedUnread) {
  for (const uint8_t type : Bytes{2, 10}) {
    TgaParts parts;
    parts.image_type = type;
    parts.width = 60000;
    parts.height = 60000;
    parts.rest.assign(80, 0xff);
    expect_refused_unread(build_tga(parts));
  }
}

TEST(Damage, HugeBmpClaimsAreRefusedUnread) {
  for (const uint16_t bits : std::vector<uint16_t>{1, 8, 24, 32}) {
    BmpParts parts;
    parts.width = 60000;
    parts.height = 60000;
    parts.pixel_bits = bits;
    parts.palette.assign(8, 0);
    parts.pixels.assign(80, 0);
    expect_refused_unread(build_bmp(parts));
  }
}

TEST(Damage, HugeRadianceClaimsAreRefusedUnread) {
  for (const std::string& pixels : {std::string(80, '\1'), std::string(200000, '\2')}) {
    expect_refused_unread(
        bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 60000 +X 60000\n" + pixels));
  }
}

TEST(Damage, HugeExrClaimsAreRefusedUnread) {
  SKIP_WITHOUT_OPENEXR();
  for (const uint8_t compression : Bytes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    ExrParts parts;
    parts.channels = {{"B", 1, 1, 1}, {"G", 1, 1, 1}, {"R", 1, 1, 1}};
    parts.compression = compression;
    parts.right = parts.bottom = 59999;
    parts.rows = {Bytes(1000)};
    expect_refused_unread(build_exr(parts));
  }
}

}  // namespace
}  // namespace tessera
