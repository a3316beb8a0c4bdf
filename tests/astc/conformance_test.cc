// Our decoder against another implementation, astcenc, bit by bit: on random blocks of every size,
// and on pictures that astcenc encodes. Skipped where astcenc is not installed.
//
// Where astcenc 4.0 to 4.6 and the standard (Khronos Data Format Specification 1.4) part:
//  - In linear LDR, texels of an HDR partition are (254, 0, 254, 254) in astcenc, as its magenta
//  goes
//    through the half float conversion; the standard's error colour is (255, 0, 255, 255).
//  - NaNs as the colour of an HDR void extent, which the standard leaves undefined, become quiet
//  ones
//    in astcenc; we give the bits as they are.
// Later versions decode linear LDR to 8 bits as the extension decode_unorm8 says, and expanded the
// alpha of sRGB in another way for a while; they are not compared in these modes.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "astc/decode/decode_image.h"
#include "astc/decode/reference_decode.h"
#include "astcenc_judge.h"
#include "base/half.h"
#include "files/file.h"
#include "random_blocks.h"
#include "sample_count.h"

namespace tessera::astc {
namespace {

constexpr unsigned kQuickBlocks = 2000;  // a block size
constexpr unsigned kBlocksInRow = 64;
constexpr unsigned kBlocksInFile = 65536;  // keeps decoded files at about 100 MB

struct JudgeMode {
  const char* option;
  DecodeMode mode;
  SampleType sample;
};

constexpr JudgeMode kLinear = {"-dl", DecodeMode::kLdrFloat16, SampleType::kU8};
constexpr JudgeMode kSrgb = {"-ds", DecodeMode::kSrgb, SampleType::kU8};
constexpr JudgeMode kHdr = {"-dh", DecodeMode::kHdr, SampleType::kF16};
constexpr JudgeMode kHdrWithAlpha = {"-dH", DecodeMode::kHdr, SampleType::kF16};

class Conformance : public testing::Test {
 protected:
  void SetUp() override {
    const auto version = astcenc_version();
    if (!version) {
      GTEST_SKIP() << "astcenc is not installed";
    }
    int major = 0;
    int minor = 0;
    std::sscanf(version->c_str(), "%d.%d", &major, &minor);
    modes_ = {kHdr, kHdrWithAlpha};
    if (major == 4 && minor < 7) {
      modes_.insert(modes_.begin(), {kLinear, kSrgb});
    }
  }

  bool supports(const JudgeMode& mode) const {
    return std::any_of(modes_.begin(), modes_.end(),
                       [&](const JudgeMode& m) { return m.mode == mode.mode; });
  }

  TemporaryFolder folder_;
  std::vector<JudgeMode> modes_;
};

uint16_t sample_at(const Image& image, uint32_t x, uint32_t y, uint32_t slice, unsigned channel) {
  return image.info().sample == SampleType::kU8 ? image.row<uint8_t>(y, slice)[4 * x + channel]
                                                : image.row<uint16_t>(y, slice)[4 * x + channel];
}

bool is_quieted_nan(uint16_t ours, uint16_t theirs) {
  constexpr uint16_t kQuiet = 0x0200;
  return (ours & 0x7FFF) > 0x7C00 && (ours | kQuiet) == theirs;
}

// Those of the list above.
bool is_known_difference(const JudgeMode& mode, const uint16_t* ours, const uint16_t* theirs) {
  constexpr std::array<uint16_t, 4> kOurs = {255, 0, 255, 255};
  constexpr std::array<uint16_t, 4> kTheirs = {254, 0, 254, 254};
  switch (mode.mode) {
    case DecodeMode::kLdrFloat16:
      return std::equal(kOurs.begin(), kOurs.end(), ours) &&
             std::equal(kTheirs.begin(), kTheirs.end(), theirs);
    case DecodeMode::kHdr:
      return std::equal(ours, ours + 4, theirs,
                        [](uint16_t a, uint16_t b) { return a == b || is_quieted_nan(a, b); });
    default:
      return false;
  }
}

void expect_equal(const Image& ours, const JudgedImage& theirs, const JudgeMode& mode) {
  ASSERT_EQ(theirs.is_half, mode.sample == SampleType::kF16);
  ASSERT_EQ(theirs.width, ours.info().width);
  ASSERT_EQ(theirs.height, ours.info().height);
  ASSERT_EQ(theirs.depth, ours.info().depth);
  const uint16_t* next = theirs.rgba.data();
  for (uint32_t z = 0; z < theirs.depth; ++z) {
    for (uint32_t y = 0; y < theirs.height; ++y) {
      for (uint32_t x = 0; x < theirs.width; ++x, next += 4) {
        uint16_t pixel[4];
        for (unsigned c = 0; c < 4; ++c) {
          pixel[c] = sample_at(ours, x, y, z, c);
        }
        if (!std::equal(pixel, pixel + 4, next) && !is_known_difference(mode, pixel, next)) {
          FAIL() << mode.option << " pixel " << x << ", " << y << ", " << z << ": ours " << pixel[0]
                 << ' ' << pixel[1] << ' ' << pixel[2] << ' ' << pixel[3] << ", theirs " << next[0]
                 << ' ' << next[1] << ' ' << next[2] << ' ' << next[3];
        }
      }
    }
  }
}

void judge_random_blocks(BlockSize size, unsigned count, uint64_t seed,
                         const std::vector<JudgeMode>& modes, const TemporaryFolder& folder) {
  Random random(seed);
  const uint32_t rows = (count + kBlocksInRow - 1) / kBlocksInRow;
  Bytes payload(size_t{rows} * kBlocksInRow * kBlockBytes);
  for (size_t at = 0; at < payload.size(); at += kBlockBytes) {
    store_block(random_mixed_block(random, size), &payload[at]);
  }
  ImageInfo info;
  info.width = kBlocksInRow * size.width;
  info.height = rows * size.height;
  info.depth = size.depth;
  const std::string path = folder.file("random.astc");
  ASSERT_TRUE(
      write_file(path, make_astc_file(size, info.width, info.height, info.depth, payload)).ok());
  for (const JudgeMode& mode : modes) {
    info.sample = mode.sample;
    const auto ours = decode_image(payload, info, size, mode.mode);
    const auto theirs = judge_decode(path, mode.option, folder);
    ASSERT_TRUE(ours.ok() && theirs.ok());
    expect_equal(*ours, *theirs, mode);
  }
}

TEST_F(Conformance, RandomBlocks) {
  for (unsigned index = 0; index < kBlockSizeCount; ++index) {
    SCOPED_TRACE(block_size_name(kBlockSizes[index]));
    unsigned left = sample_count(kQuickBlocks);
    for (uint64_t part = 0; left > 0; ++part) {
      const unsigned count = std::min(left, kBlocksInFile);
      judge_random_blocks(kBlockSizes[index], count, 1000 * part + index, modes_, folder_);
      left -= count;
    }
  }
}

// --- pictures that astcenc encodes ---

// Colour gradients, noise, grey, flat and transparent parts in one small volume.
std::array<float, 4> test_color(uint32_t x, uint32_t y, uint32_t z, Random& random) {
  const float s = static_cast<float>(x % 24) / 23.0f;
  const float t = static_cast<float>(y % 20) / 19.0f;
  const float noise = static_cast<float>(random.below(1000)) / 999.0f;
  switch ((x / 24 + 2 * (y / 20) + z / 6) % 5) {
    case 0:
      return {s, t, 1.0f - s, 1.0f};
    case 1:
      return {noise, s * noise, t, 1.0f};
    case 2:
      return {s, s, s, t};
    case 3:
      return {0.25f, 0.5f, 0.75f, 1.0f};
    default:
      return {(x + y) % 7 < 3 ? 0.9f : 0.1f, t, 0.2f, noise};
  }
}

void write_source(const std::string& path, const ImageInfo& info, float scale, bool half) {
  Random random(3);
  Bytes pixels;
  ByteWriter writer(pixels);
  for (uint32_t z = 0; z < info.depth; ++z) {
    for (uint32_t y = 0; y < info.height; ++y) {
      for (uint32_t x = 0; x < info.width; ++x) {
        const auto color = test_color(x, y, z, random);
        for (unsigned c = 0; c < 4; ++c) {
          if (half) {
            writer.write(float_to_half(c < 3 ? color[c] * scale : color[c]));
          } else {
            writer.write(static_cast<uint8_t>(color[c] * 255.0f + 0.5f));
          }
        }
      }
    }
  }
  const Bytes ktx = make_ktx_file(info.width, info.height, info.depth, half, pixels);
  ASSERT_TRUE(write_file(path, ktx).ok());
}

void judge_picture(BlockSize size, const std::string& preset, const JudgeMode& mode,
                   const TemporaryFolder& folder) {
  ImageInfo info;
  info.width = size.is_3d() ? 25 : 67;
  info.height = size.is_3d() ? 21 : 43;
  info.depth = size.is_3d() ? 8 : 1;
  info.sample = mode.sample;
  const std::string source = folder.file("source.ktx");
  const std::string encoded = folder.file("encoded.astc");
  write_source(source, info, 300.0f, mode.sample == SampleType::kF16);
  const std::string option = std::string("-c") + mode.option[2];
  ASSERT_TRUE(run_astcenc(option + " " + source + " " + encoded + " " + block_size_name(size) +
                          " " + preset));
  const auto file = read_file(encoded);
  ASSERT_TRUE(file.ok() && file->size() > 16);
  const auto ours = decode_image(ByteSpan(*file).subspan(16), info, size, mode.mode);
  const auto theirs = judge_decode(encoded, mode.option, folder);
  ASSERT_TRUE(ours.ok() && theirs.ok());
  expect_equal(*ours, *theirs, mode);
}

TEST_F(Conformance, Pictures2d) {
  for (unsigned index = 0; index < kBlockSizeCount2d; ++index) {
    SCOPED_TRACE(block_size_name(kBlockSizes[index]));
    if (supports(kLinear)) {
      judge_picture(kBlockSizes[index], "-fast", kLinear, folder_);
      judge_picture(kBlockSizes[index], "-thorough", kSrgb, folder_);
    }
    judge_picture(kBlockSizes[index], "-fast", kHdrWithAlpha, folder_);
  }
  judge_picture({6, 6, 1}, "-thorough", kHdr, folder_);
}

TEST_F(Conformance, Pictures3d) {
  for (const BlockSize size :
       {BlockSize{3, 3, 3}, BlockSize{4, 4, 3}, BlockSize{5, 4, 4}, BlockSize{6, 6, 6}}) {
    SCOPED_TRACE(block_size_name(size));
    if (supports(kLinear)) {
      judge_picture(size, "-fast", kLinear, folder_);
    }
    judge_picture(size, "-fast", kHdr, folder_);
  }
}

}  // namespace
}  // namespace tessera::astc
