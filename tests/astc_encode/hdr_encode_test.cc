// HDR blocks of whole pictures: every size and preset, with alpha of both kinds, the same bytes as
// ever, and nothing that decodes to NaN or infinity.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "astc/encode/texel_formats.h"
#include "astc/format/block128.h"
#include "base/bytes.h"

namespace tessera::astc {
namespace {

uint32_t noise(uint32_t x) {
  x *= 0x9E3779B9u;
  x ^= x >> 15;
  x *= 0x85EBCA6Bu;
  return x ^ (x >> 13);
}

enum class Alpha { kOpaque, kLinear, kHdr };

// Half floats, whose bits are nearly a logarithm: slopes, noise, edges, colour, and some blocks of
// one colour and of grey.
Image make_picture(uint32_t width, uint32_t height, Alpha alpha) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  info.channels = 4;
  info.sample = SampleType::kF16;
  info.color_space = ColorSpace::kLinear;
  auto made = Image::create(info);
  Image image = std::move(*made);
  for (uint32_t y = 0; y < height; ++y) {
    auto* const row = image.mutable_view().row<uint16_t>(y, 0);
    for (uint32_t x = 0; x < width; ++x) {
      const uint32_t edge = (x / 7 + y / 5) % 3 == 0 ? 0x900u : 0u;
      const bool is_flat = x < 12 && y<12, is_grey = y> height - 14;
      for (uint32_t c = 0; c < 3; ++c) {
        const uint32_t color = is_grey ? 0 : c * 150 + (edge > 0 ? 90 * c : 0);
        const uint32_t rough = noise((y * width + x) * (is_grey ? 1 : 3) + (is_grey ? 0 : c)) % 80;
        row[4 * x + c] = static_cast<uint16_t>(
            is_flat ? 0x3456 + 16 * c : 0x2C00 + 20 * x + 11 * y + edge + color + rough);
      }
      const uint32_t level = (x * 5 + y * 3) % 61;
      row[4 * x + 3] = static_cast<uint16_t>(alpha == Alpha::kOpaque   ? 0x3C00
                                             : alpha == Alpha::kLinear ? 0x3800 + 16 * level
                                                                       : 0x3000 + 90 * level);
    }
  }
  return image;
}

LargeBytes encode(const Image& image, BlockSize size, EncodeSettings settings, bool hdr_alpha) {
  settings.decode_mode = DecodeMode::kHdr;
  settings.hdr_alpha = hdr_alpha;
  const BlockCounts counts = block_counts(image.info(), size);
  LargeBytes blocks(size_t{counts.x} * counts.y * kBlockBytes);
  EncodeScratch scratch;
  const PictureFacts facts = look_at_picture(image.view(), size, settings, scratch);
  encode_rows(image.view(), size, 0, 0, counts.y, settings, facts, scratch, blocks);
  return blocks;
}

// Root mean square error on the logarithmic scale, in octaves, of colours and of alpha that is
// stored so.
double octaves_off(const Image& image, ByteSpan blocks, BlockSize size, unsigned channels) {
  const auto made = decode_image(blocks, image.info(), size, DecodeMode::kHdr);
  const Image& decoded = *made;
  double sum = 0;
  for (uint32_t y = 0; y < image.info().height; ++y) {
    const auto* const a = image.view().row<uint16_t>(y, 0);
    const auto* const b = decoded.view().row<uint16_t>(y, 0);
    for (uint32_t x = 0; x < image.info().width; ++x) {
      for (unsigned c = 0; c < 4; ++c) {
        EXPECT_LT(b[4 * x + c], 0x7C00) << "NaN, infinite or negative";
        if (c < channels) {
          const double d = (lns_of_half(a[4 * x + c]) - lns_of_half(b[4 * x + c])) / 2048.0;
          sum += d * d;
        }
      }
    }
  }
  return std::sqrt(sum / (image.info().width * image.info().height * channels));
}

constexpr BlockSize kSizes[] = {{4, 4, 1},  {5, 4, 1},   {5, 5, 1},   {6, 5, 1},  {6, 6, 1},
                                {8, 5, 1},  {8, 6, 1},   {8, 8, 1},   {10, 5, 1}, {10, 6, 1},
                                {10, 8, 1}, {10, 10, 1}, {12, 10, 1}, {12, 12, 1}};

TEST(HdrEncode, EverySizeComesOutWell) {
  const Image image = make_picture(61, 47, Alpha::kOpaque);
  for (const BlockSize size : kSizes) {
    const LargeBytes blocks = encode(image, size, preset_settings(Preset::kFast, size), false);
    EXPECT_LT(octaves_off(image, blocks, size, 3), size.texel_count() <= 36 ? 0.12 : 0.5)
        << size.width << "x" << size.height;
  }
}

TEST(HdrEncode, AlphaOfBothKinds) {
  const BlockSize size = {5, 5, 1};
  for (const Preset preset : {Preset::kRealtime, Preset::kMedium}) {
    const Image linear = make_picture(37, 29, Alpha::kLinear);
    EXPECT_LT(
        octaves_off(linear, encode(linear, size, preset_settings(preset, size), false), size, 4),
        0.35);
    const Image hdr = make_picture(37, 29, Alpha::kHdr);
    EXPECT_LT(octaves_off(hdr, encode(hdr, size, preset_settings(preset, size), true), size, 4),
              0.45);
  }
}

TEST(HdrEncode, SamplesThatNoTextureHoldsDoNoHarm) {
  Image image = make_picture(24, 24, Alpha::kHdr);
  constexpr uint16_t kOdd[] = {0x7E00, 0x7C00, 0xFC00, 0xBC00, 0x8000,
                               0x0001, 0x03FF, 0xFFFF, 0x7BFF, 0x0000};
  auto* const texels = image.mutable_view().row<uint16_t>(0, 0);
  for (uint32_t i = 0; i < 24 * 4; ++i) {
    texels[i] = kOdd[noise(i) % std::size(kOdd)];
  }
  for (const bool hdr_alpha : {false, true}) {
    for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kThorough}) {
      const BlockSize size = {6, 6, 1};
      octaves_off(image, encode(image, size, preset_settings(preset, size), hdr_alpha), size, 3);
    }
  }
}

TEST(HdrEncode, OneColourIsExact) {
  const Image image = make_picture(12, 12, Alpha::kOpaque);
  const BlockSize size = {6, 6, 1};
  EXPECT_EQ(
      octaves_off(image, encode(image, size, preset_settings(Preset::kFast, size), false), size, 3),
      0);
}

// A part of a picture gives the bytes that it has in the whole.
TEST(HdrEncode, PartsAreThoseOfTheWhole) {
  const Image image = make_picture(61, 47, Alpha::kOpaque);
  const BlockSize size = {6, 6, 1};
  EncodeSettings settings = preset_settings(Preset::kMedium, size);
  settings.decode_mode = DecodeMode::kHdr;
  const LargeBytes whole = encode(image, size, settings, false);
  const BlockCounts counts = block_counts(image.info(), size);
  EncodeScratch scratch;
  const PictureFacts facts = look_at_picture(image.view(), size, settings, scratch);
  for (uint32_t row = 0; row < counts.y; ++row) {
    std::vector<uint8_t> part(counts.x * kBlockBytes);
    encode_rows(image.view(), size, 0, row, row + 1, settings, facts, scratch, part);
    EXPECT_EQ(std::memcmp(part.data(), whole.data() + row * part.size(), part.size()), 0) << row;
  }
}

uint64_t hash(ByteSpan bytes) {
  uint64_t sum = 0xCBF29CE484222325u;
  for (const uint8_t byte : bytes) {
    sum = (sum ^ byte) * 0x100000001B3u;
  }
  return sum;
}

struct Golden {
  const char* name;
  uint64_t hash;
};
// Renewed with TESSERA_WRITE_GOLDEN=1, which prints them.
constexpr Golden kGolden[] = {
#include "hdr_golden.inc"
};

TEST(HdrEncode, TheBytesAreTheSameAsEver) {
  const std::map<std::string, std::pair<Alpha, bool>> kinds = {
      {"hdr", {Alpha::kOpaque, false}},
      {"hdr-alpha", {Alpha::kLinear, false}},
      {"hdra", {Alpha::kHdr, true}}};
  std::map<std::string, uint64_t> known;
  for (const Golden& golden : kGolden) {
    known[golden.name] = golden.hash;
  }
  const bool prints = std::getenv("TESSERA_WRITE_GOLDEN") != nullptr;
  for (const auto& [kind, how] : kinds) {
    for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 6, 1}, BlockSize{10, 8, 1}}) {
      for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium,
                                  Preset::kThorough, Preset::kExhaustive}) {
        const bool is_slow = preset == Preset::kExhaustive;
        const Image image = make_picture(is_slow ? 13 : 61, is_slow ? 9 : 47, how.first);
        const uint64_t found = hash(encode(image, size, preset_settings(preset, size), how.second));
        const std::string name = kind + " " + std::to_string(size.width) + "x" +
                                 std::to_string(size.height) + " " +
                                 std::string(preset_name(preset));
        if (prints) {
          std::printf("{\"%s\", 0x%016llXu},\n", name.c_str(),
                      static_cast<unsigned long long>(found));
        } else {
          EXPECT_EQ(found, known[name]) << name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tessera::astc
