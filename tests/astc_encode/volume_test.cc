// Tests the ASTC encoder on volumes: the same bytes on every instruction set and slicing, legal
// blocks, edges, and the quality that 3D blocks are known to reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string>

#include "astc/decode/decode_image.h"
#include "encoding.h"
#include "every_size.h"
#include "spmd/isa.h"

namespace tessera::astc {
namespace {

// Soft clouds of colour, some of them half transparent, with a hard ball and a grey corner.
Image cloud_volume(uint32_t width, uint32_t height, uint32_t depth) {
  return drawn_volume(width, height, depth, [](uint32_t x, uint32_t y, uint32_t z) {
    const int dx = static_cast<int>(x) - 9, dy = static_cast<int>(y) - 8,
              dz = static_cast<int>(z) - 7;
    const int distance = dx * dx + dy * dy + dz * dz;
    const uint32_t soft = 40 + 7 * x + 5 * y + 3 * z + (x * y + 2 * z * x) % 23;
    if (distance < 20) {
      return rgba(230, 60 + z, 30, 255);
    }
    if (x < 6 && y < 6) {
      return rgba(soft % 200, soft % 200, soft % 200, 255);
    }
    return rgba(soft % 256, (250 - 4 * x - 3 * z) % 256, 90 + 2 * y,
                x > 15 ? 255 - 8 * z % 200 : 255);
  });
}

// Texels of few extreme values.
Image extreme_volume(uint32_t width, uint32_t height, uint32_t depth, uint32_t seed) {
  std::mt19937 random(seed);
  constexpr std::array<uint32_t, 5> kValues = {0, 1, 128, 254, 255};
  return drawn_volume(width, height, depth, [&](uint32_t x, uint32_t y, uint32_t z) {
    const auto draw = [&] { return kValues[random() % kValues.size()]; };
    const uint32_t grey = draw();
    switch ((x / 7 + y / 8 + z / 5) % 3) {
      case 0:
        return rgba(draw(), draw(), draw(), 255);
      case 1:
        return rgba(grey, grey, grey, draw());
      default:
        return rgba(draw(), 77, draw(), draw());
    }
  });
}

class EveryVolumeSize : public BlockSizeTest {};

INSTANTIATE_TEST_SUITE_P(Sizes, EveryVolumeSize, testing::Range(kBlockSizeCount2d, kBlockSizeCount),
                         [](const auto& i) { return block_size_name(kBlockSizes[i.param]); });

TEST_P(EveryVolumeSize, EveryInstructionSetWritesTheSameBytesWithEveryPreset) {
  const uint32_t width = 4 * size().width + 1, height = 2 * size().height + 1;
  const uint32_t depth = size().depth + 2;
  for (const Preset preset :
       {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kExhaustive}) {
    EncodeSettings settings = preset_settings(preset, size());
    settings.fits = std::min<uint16_t>(settings.fits, 12);
    settings.refined = std::min(settings.refined, settings.fits);
    settings.partition_fits = static_cast<uint8_t>(settings.fits / 2);
    for (const bool is_extreme : {false, true}) {
      const Image volume =
          is_extreme ? extreme_volume(width, height, depth, 3) : cloud_volume(width, height, depth);
      ASSERT_TRUE(restrict_isa(""));
      const Bytes expected = encode(volume.view(), size(), settings);
      expect_legal(expected);
      for (const std::string& isa : available_isas()) {
        ASSERT_TRUE(restrict_isa(isa));
        ASSERT_EQ(encode(volume.view(), size(), settings), expected)
            << isa << ", " << preset_name(preset) << (is_extreme ? ", extreme" : "");
      }
    }
  }
}

TEST_P(EveryVolumeSize, RowByRowIsTheSameAsAtOnce) {
  const Image volume =
      cloud_volume(5 * size().width - 1, 3 * size().height - 2, 2 * size().depth + 1);
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium}) {
    expect_same_row_by_row(volume, preset_settings(preset, size()),
                           std::string(preset_name(preset)));
  }
}

TEST_P(EveryVolumeSize, ABlocksBytesDependOnItsTexelsOnly) {
  expect_same_block_by_block(
      extreme_volume(3 * size().width, 2 * size().height, 2 * size().depth, 8));
}

TEST_P(EveryVolumeSize, VolumesOfAllShapesGiveLegalBlocks) {
  std::mt19937 random(4);
  for (uint32_t width = 1; width <= 14; ++width) {
    const uint32_t height = 1 + static_cast<uint32_t>(random() % 13);
    const uint32_t depth = 1 + static_cast<uint32_t>(random() % 13);
    const Image volume = extreme_volume(width, height, depth, width);
    expect_legal(encode(volume.view(), size()));
    if (width % 5 == 2) {
      expect_legal(encode(volume.view(), size(), preset_settings(Preset::kMedium, size())));
    }
  }
}

TEST_P(EveryVolumeSize, ConstantBlocksAreExactAndOneOtherTexelIsNoConstant) {
  std::mt19937 random(5);
  std::array<uint32_t, 60> colors;
  std::generate(colors.begin(), colors.end(), [&] { return static_cast<uint32_t>(random()); });
  const Image volume = drawn_volume(
      5 * size().width, 4 * size().height, 3 * size().depth,
      [&](uint32_t x, uint32_t y, uint32_t z) {
        return colors[(z / size().depth * 4 + y / size().height) * 5 + x / size().width];
      });
  const Bytes blocks = encode(volume.view(), size());
  for (size_t i = 0; i < colors.size(); ++i) {
    ASSERT_EQ(block_at(blocks, i, size()).kind, BlockKind::kVoidExtent);
  }
  EXPECT_EQ(mean_squared_error(volume.view(), blocks, size(), DecodeMode::kLdrFloat16), 0);
  for (uint32_t at = 0; at < size().texel_count(); ++at) {
    const Image almost = drawn_volume(
        size().width, size().height, size().depth, [&](uint32_t x, uint32_t y, uint32_t z) {
          const uint32_t texel = (z * size().height + y) * size().width + x;
          return texel == at ? rgba(90, 60, 30, 255) : rgba(91, 60, 30, 255);
        });
    ASSERT_EQ(block_at(encode(almost.view(), size()), 0, size()).kind, BlockKind::kWeighted);
  }
}

TEST_P(EveryVolumeSize, TexelsBeyondTheEdgesDoNotMatter) {
  Image volume = extreme_volume(17, 16, 15, 8);
  ImageView inner = volume.view();
  inner.info.width = 13;
  inner.info.height = 11;
  inner.info.depth = 10;
  const EncodeSettings settings = preset_settings(Preset::kFast, size());
  const Bytes expected = encode(inner, size(), settings);
  for (uint32_t z = 0; z < 15; ++z) {
    for (uint32_t y = 0; y < 16; ++y) {
      for (uint32_t x = z < 10 && y < 11 ? 13 : 0; x < 17; ++x) {
        volume.row<uint32_t>(y, z)[x] ^= 0xFFFFFFFFu;
      }
    }
  }
  EXPECT_EQ(encode(inner, size(), settings), expected);
}

TEST_P(EveryVolumeSize, BlocksThatRepeatAreTheSame) {
  const Image volume = drawn_volume(
      6 * size().width, 2 * size().height, 2 * size().depth,
      [&](uint32_t x, uint32_t y, uint32_t z) {
        const uint32_t u = x % size().width, v = y % size().height, w = z % size().depth;
        return rgba(20 + 30 * u, 200 - 20 * v, 60 + 25 * w + u * v, 255);
      });
  const Bytes blocks = encode(volume.view(), size(), preset_settings(Preset::kFast, size()));
  for (size_t i = kBlockBytes; i < blocks.size(); ++i) {
    ASSERT_EQ(blocks[i], blocks[i - kBlockBytes]) << "byte " << i;
  }
}

TEST_P(EveryVolumeSize, SlowerPresetsAreNotWorse) {
  const Image volume = cloud_volume(5 * size().width + 2, 4 * size().height, 3 * size().depth);
  double before = 1e9;
  for (const Preset preset :
       {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough}) {
    const double error = mean_squared_error(
        volume.view(), encode(volume.view(), size(), preset_settings(preset, size())), size(),
        DecodeMode::kLdrFloat16);
    // A tenth of a decibel is what the error of so few blocks may fall behind.
    EXPECT_LE(error, before * 1.025) << preset_name(preset);
    before = error;
  }
}

TEST_P(EveryVolumeSize, GradientsAreKept) {
  const Image volume = drawn_volume(24, 20, 18, [](uint32_t x, uint32_t y, uint32_t z) {
    return rgba(9 * x + z, 40 + 9 * y, 10 + 12 * z, 255 - 3 * x);
  });
  for (const DecodeMode mode : {DecodeMode::kLdrFloat16, DecodeMode::kSrgb}) {
    EncodeSettings settings = preset_settings(Preset::kMedium, size());
    settings.decode_mode = mode;
    EXPECT_GT(psnr(mean_squared_error(volume.view(), encode(volume.view(), size(), settings),
                                      size(), mode)),
              27.0);
  }
}

// FNV-1a.
uint64_t hash_of(const Bytes& bytes) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const uint8_t byte : bytes) {
    hash = (hash ^ byte) * 0x100000001B3;
  }
  return hash;
}

// The bytes of every block size and preset, which change only when a change is meant to change
// them. A failure prints the new row.
struct GoldenHashes {
  BlockSize size;
  std::array<uint64_t, 4> of_presets;
};
constexpr std::array kGoldenPresets = {Preset::kRealtime, Preset::kFast, Preset::kMedium,
                                       Preset::kThorough};
constexpr std::array<GoldenHashes, 10> kGolden = {{
    {{3, 3, 3}, {0xA628884D9B5C3FFA, 0x9A31C7C620E1B947, 0x5A611285B04786C9, 0x5940913C7B4C7299}},
    {{4, 3, 3}, {0x97D63B402A6CB8C6, 0xFEB0A57F787AB7CD, 0x53D72C3438BEAF3E, 0x80B4FC92E53EC141}},
    {{4, 4, 3}, {0xBB8250952418E408, 0x9D1872B1613EC755, 0x57147BEAD8363A25, 0x7886B93652CBAE76}},
    {{4, 4, 4}, {0x00667005A47105A4, 0xF3DD953348B02F79, 0x0DDC66346BBA5D29, 0xA9AFDCB64A9A703B}},
    {{5, 4, 4}, {0xCCB21CF042562148, 0x9CDAFF62910FE5B8, 0x8B4B956CB1BE0254, 0x5AB6EEF1D9E67994}},
    {{5, 5, 4}, {0x52B1D5F3677B1AFB, 0xA966D4E2AEFA0E6E, 0xACE8B4129525AD12, 0x504DED39D275831E}},
    {{5, 5, 5}, {0x38AB80155E00D3B5, 0xC942DBE64B259BDE, 0x3D8FECC68D3E5F0A, 0xF3717F8ECDFCDCF1}},
    {{6, 5, 5}, {0x41D5B3618DB487DB, 0xABFAB02E37EA712C, 0x473DD2A0E4DC52FA, 0x12D0C9CBF60A45B9}},
    {{6, 6, 5}, {0xDF61D2C15D6EF9E3, 0x882B3558A984845E, 0x8BBF1019130051AF, 0xD481F746AC94E787}},
    {{6, 6, 6}, {0xF404A98D557CC188, 0x72BC2A64F33748E8, 0xDB11EBFD6FF4D177, 0x6379839548E4DC51}},
}};

TEST(VolumeBytes, AreTheGoldenOnes) {
  const Image volume = cloud_volume(23, 21, 19);
  for (const GoldenHashes& golden : kGolden) {
    std::string row = "{{" + std::to_string(golden.size.width) + ", " +
                      std::to_string(golden.size.height) + ", " +
                      std::to_string(golden.size.depth) + "}, {";
    bool is_same = true;
    for (size_t i = 0; i < kGoldenPresets.size(); ++i) {
      const uint64_t hash = hash_of(
          encode(volume.view(), golden.size, preset_settings(kGoldenPresets[i], golden.size)));
      is_same = is_same && hash == golden.of_presets[i];
      char text[32];
      std::snprintf(text, sizeof text, "0x%016llX", static_cast<unsigned long long>(hash));
      row += (i == 0 ? "" : ", ") + std::string(text);
    }
    EXPECT_TRUE(is_same) << row << "}},";
  }
}

}  // namespace
}  // namespace tessera::astc
