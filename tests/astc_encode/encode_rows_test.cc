// Tests the ASTC encoder: the same bytes on every instruction set and slicing, legal blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "astc/decode/decode_image.h"
#include "encoding.h"
#include "every_size.h"
#include "spmd/isa.h"

namespace tessera::astc {
namespace {

constexpr SyntheticKind kKinds[] = {SyntheticKind::kPhoto, SyntheticKind::kInterface,
                                    SyntheticKind::kSprite, SyntheticKind::kNormalMap,
                                    SyntheticKind::kNoise};

class EverySize : public BlockSizeTest {};

INSTANTIATE_TEST_SUITE_P(Sizes, EverySize, testing::Range(0u, kBlockSizeCount2d),
                         [](const auto& i) { return block_size_name(kBlockSizes[i.param]); });

// Texels drawn from few extreme values, with flat channels and flat blocks among them.
Image extreme_picture(uint32_t width, uint32_t height, uint32_t seed) {
  std::mt19937 random(seed);
  constexpr uint32_t kValues[] = {0, 1, 127, 128, 254, 255};
  return drawn_rgba(width, height, [&](uint32_t x, uint32_t y) {
    const auto draw = [&] { return kValues[random() % 6]; };
    switch ((x / 13 + y / 11) % 7) {
      case 0:
        return rgba(draw(), draw(), draw(), 255);
      case 1: {
        const uint32_t grey = draw();
        return rgba(grey, grey, grey, 255);
      }
      case 2: {
        const uint32_t grey = draw();
        return rgba(grey, grey, grey, draw());
      }
      case 3:
        return rgba(7, 200, 90, 255);
      case 4:
        return rgba(draw(), draw(), draw(), 254 + static_cast<uint32_t>(random() % 2));
      case 5:
        return rgba(draw(), draw() / 8, 90, 252 + static_cast<uint32_t>(random() % 4));
      default:
        return rgba(draw(), 200, draw(), draw());
    }
  });
}

TEST_P(EverySize, EveryInstructionSetWritesTheSameBytes) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    const Image image =
        seed < 5 ? synthetic_rgba(kKinds[seed], 150, 61, seed) : extreme_picture(150, 61, seed);
    ASSERT_TRUE(restrict_isa(""));
    const Bytes expected = encode(image.view(), size());
    for (const std::string& isa : available_isas()) {
      ASSERT_TRUE(restrict_isa(isa));
      ASSERT_EQ(active_isa(), isa);
      ASSERT_EQ(encode(image.view(), size()), expected) << isa << ", picture " << seed;
    }
  }
}

// Every stage and family, on few blocks: other presets take long without vectors.
TEST_P(EverySize, EveryInstructionSetWritesTheSameBytesWithEveryPreset) {
  const uint32_t width = 5u * size().width, height = 2u * size().height + 1u;
  for (const Preset preset : {Preset::kFast, Preset::kMedium, Preset::kExhaustive}) {
    EncodeSettings settings = preset_settings(preset, size());
    settings.fits = std::min<uint16_t>(settings.fits, 12);
    settings.partition_fits = static_cast<uint8_t>(settings.fits / 2);
    for (uint32_t seed = 0; seed < 3; ++seed) {
      const Image image = seed < 2 ? synthetic_rgba(kKinds[2 * seed], width, height, seed)
                                   : extreme_picture(width, height, seed);
      ASSERT_TRUE(restrict_isa(""));
      const Bytes expected = encode(image.view(), size(), settings);
      expect_legal(expected);
      for (const std::string& isa : available_isas()) {
        ASSERT_TRUE(restrict_isa(isa));
        ASSERT_EQ(encode(image.view(), size(), settings), expected)
            << isa << ", preset " << preset_name(preset) << ", picture " << seed;
      }
    }
  }
}

TEST_P(EverySize, RowByRowIsTheSameAsAtOnce) {
  expect_same_row_by_row(synthetic_rgba(SyntheticKind::kSprite, 333, 47, 5), {}, "no preset");
}

// Only the last row has blocks that reach over the edge, and they must not tell in the others.
TEST_P(EverySize, RowByRowIsTheSameAsAtOnceWithPresets) {
  for (const SyntheticKind kind : {SyntheticKind::kPhoto, SyntheticKind::kInterface}) {
    const Image image = synthetic_rgba(kind, 10u * size().width, 3u * size().height + 2, 9);
    for (const Preset preset : {Preset::kFast, Preset::kMedium, Preset::kThorough}) {
      expect_same_row_by_row(image, preset_settings(preset, size()),
                             std::string(preset_name(preset)));
    }
  }
}

TEST_P(EverySize, ABlocksBytesDependOnItsTexelsOnly) {
  expect_same_block_by_block(extreme_picture(size().width * 23u, size().height * 2u, 3));
}

// Nor on neighbours with alpha, where its own is a step from opaque in places.
TEST_P(EverySize, ANearlyOpaqueBlocksBytesDependOnItsTexelsOnly) {
  std::mt19937 random(12);
  const Image image =
      drawn_rgba(size().width * 23u, size().height * 4u, [&](uint32_t x, uint32_t y) {
        const bool has_alpha = (x / size().width + y / size().height) % 3 == 0;
        const auto noise = static_cast<uint32_t>(random() % 3);
        const uint32_t step = random() % 4 == 0 ? 1 : 0;
        return rgba(noise, 140 + noise + x % 7, 200 + 2 * noise + y % 5,
                    has_alpha ? x % 200 : 255 - step);
      });
  expect_same_block_by_block(image);
  EncodeSettings settings = preset_settings(Preset::kFast, size());
  settings.hard_factor = settings.small_factor = 0;
  expect_same_block_by_block(image, settings);
}

// Nor on the families of its neighbours, which share its vectors.
TEST_P(EverySize, ABlocksBytesDependOnItsTexelsOnlyWithManyFits) {
  EncodeSettings settings = preset_settings(Preset::kThorough, size());
  settings.hard_factor = settings.small_factor = 0;  // which ask for the whole picture's error
  expect_same_block_by_block(extreme_picture(size().width * 23u, size().height * 2u, 4), settings);
}

TEST_P(EverySize, SmallPicturesOfAllShapesGiveLegalBlocks) {
  std::mt19937 random(9);
  for (uint32_t width = 1; width <= 40; ++width) {
    const uint32_t height = 1 + static_cast<uint32_t>(random() % 40);
    const Image image = extreme_picture(width, height, width);
    expect_legal(encode(image.view(), size()));
    if (width % 8 == 3) {
      expect_legal(encode(image.view(), size(), preset_settings(Preset::kMedium, size())));
    }
  }
}

TEST_P(EverySize, RandomTexelsGiveLegalBlocks) {
  std::mt19937 random(17);
  const Image image =
      drawn_rgba(300, 60, [&](uint32_t, uint32_t) { return static_cast<uint32_t>(random()); });
  const Bytes blocks = encode(image.view(), size());
  expect_legal(blocks);
  // Noise cannot be kept, but its mean can: better than a grey picture.
  EXPECT_LT(mean_squared_error(image.view(), blocks, size(), DecodeMode::kLdrFloat16),
            255.0 * 255.0 / 12);
}

TEST_P(EverySize, ConstantBlocksAreExact) {
  std::mt19937 random(5);
  std::vector<uint32_t> colors(1000);
  for (uint32_t& color : colors) {
    color = static_cast<uint32_t>(random());
  }
  const Image image = drawn_rgba(
      size().width * 40u, size().height * 25u,
      [&](uint32_t x, uint32_t y) { return colors[y / size().height * 40 + x / size().width]; });
  const Bytes blocks = encode(image.view(), size());
  for (size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(block_at(blocks, i, size()).kind, BlockKind::kVoidExtent);
  }
  for (const DecodeMode mode :
       {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb}) {
    EXPECT_EQ(mean_squared_error(image.view(), blocks, size(), mode), 0);
  }
}

TEST_P(EverySize, OneDifferentTexelIsNotConstant) {
  for (uint32_t at = 0; at < size().texel_count(); ++at) {
    const Image image = drawn_rgba(size().width, size().height, [&](uint32_t x, uint32_t y) {
      return y * size().width + x == at ? rgba(90, 60, 30, 255) : rgba(91, 60, 30, 255);
    });
    ASSERT_EQ(block_at(encode(image.view(), size()), 0, size()).kind, BlockKind::kWeighted);
  }
}

TEST_P(EverySize, TexelsBeyondTheEdgeDoNotMatter) {
  Image image = extreme_picture(37, 29, 8);
  ImageView inner = image.view();
  inner.info.width = 31;
  inner.info.height = 23;
  const Bytes expected = encode(inner, size());
  for (uint32_t y = 0; y < 29; ++y) {
    for (uint32_t x = y < 23 ? 31u : 0u; x < 37; ++x) {
      image.row<uint32_t>(y)[x] ^= 0xFFFFFFFFu;
    }
  }
  EXPECT_EQ(encode(inner, size()), expected);
}

TEST_P(EverySize, NothingIsWrittenBehindTheLastBlock) {
  const Image image = extreme_picture(61, 17, 2);
  const BlockCounts counts = block_counts(image.info(), size());
  Bytes blocks(size_t{counts.x} * counts.y * kBlockBytes + 64, 0xA5);
  EncodeScratch scratch;
  encode_rows(image.view(), size(), 0, 0, counts.y, {}, {}, scratch,
              std::span(blocks).first(blocks.size() - 64));
  EXPECT_TRUE(std::all_of(blocks.end() - 64, blocks.end(), [](uint8_t b) { return b == 0xA5; }));
}

TEST_P(EverySize, WhatAScratchServedBeforeLeavesNoTrace) {
  const Image before = extreme_picture(71, 43, 4);
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 48, 4);
  const BlockCounts counts = block_counts(image.info(), size());
  EncodeScratch scratch;
  for (const BlockSize other : {BlockSize{12, 12, 1}, BlockSize{4, 4, 1}}) {
    Bytes ignored(payload_bytes(before.info(), other).value());
    encode_rows(before.view(), other, 0, 0, block_counts(before.info(), other).y, {}, {}, scratch,
                ignored);
    Bytes blocks(payload_bytes(image.info(), size()).value());
    encode_rows(image.view(), size(), 0, 0, counts.y, {}, {}, scratch, blocks);
    ASSERT_EQ(blocks, encode(image.view(), size()));
  }
}

TEST_P(EverySize, QualityFallsWithTheBitRateButNotBelowExpectation) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 240, 240, 1);
  const Bytes blocks = encode(image.view(), size());
  expect_legal(blocks);
  const double quality =
      psnr(mean_squared_error(image.view(), blocks, size(), DecodeMode::kLdrFloat16));
  const double bits_per_texel = 128.0 / size().texel_count();
  EXPECT_GT(quality, 24 + 2 * bits_per_texel) << block_size_name(size());
}

TEST_P(EverySize, GradientsWithAlphaAreKept) {
  const Image image = drawn_rgba(
      120, 60, [](uint32_t x, uint32_t y) { return rgba(2 * x, 255 - 2 * x, 40 + x / 2, 4 * y); });
  const Bytes blocks = encode(image.view(), size());
  for (const DecodeMode mode :
       {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb}) {
    EXPECT_GT(psnr(mean_squared_error(image.view(), blocks, size(), mode)), 39.5);
  }
}

TEST_P(EverySize, GreyStaysGrey) {
  std::mt19937 random(23);
  const Image image = drawn_rgba(240, 60, [&](uint32_t x, uint32_t) {
    const auto grey = std::min<uint32_t>(255, x + static_cast<uint32_t>(random() % 16));
    return rgba(grey, grey, grey, x < 120 ? 255 : 255 - x);
  });
  const Bytes blocks = encode(image.view(), size());
  const Image decoded = decode_image(blocks, image.info(), size(), DecodeMode::kLdrFloat16).value();
  for (uint32_t y = 0; y < 60; ++y) {
    for (uint32_t x = 0; x < 240; ++x) {
      const uint8_t* texel = decoded.row<uint8_t>(y) + 4 * x;
      ASSERT_TRUE(texel[0] == texel[1] && texel[1] == texel[2]) << x << "," << y;
    }
  }
}

TEST_P(EverySize, OpaqueStaysOpaque) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 100, 50, 2);
  const Image decoded =
      decode_image(encode(image.view(), size()), image.info(), size(), DecodeMode::kLdrFloat16)
          .value();
  for (uint32_t y = 0; y < 50; ++y) {
    for (uint32_t x = 0; x < 100; ++x) {
      ASSERT_EQ(decoded.row<uint8_t>(y)[4 * x + 3], 255);
    }
  }
}

TEST_P(EverySize, TwoPlanesHelpIndependentChannels) {
  std::mt19937 random(31);
  const Image image = drawn_rgba(120, 60, [&](uint32_t x, uint32_t y) {
    return rgba((x * 9) % 256, (x * 9) % 256, (y * 11) % 256, 255);
  });
  EncodeSettings one_plane;
  one_plane.dual_plane = false;
  const double with = mean_squared_error(image.view(), encode(image.view(), size()), size(),
                                         DecodeMode::kLdrFloat16);
  const double without = mean_squared_error(image.view(), encode(image.view(), size(), one_plane),
                                            size(), DecodeMode::kLdrFloat16);
  EXPECT_LT(with, 0.8 * without);
}

TEST(EncodeRows, SlicesAreIndependent) {
  ImageInfo info;
  info.width = 20;
  info.height = 12;
  info.layers = 3;
  Image image = Image::create(info).value();
  for (uint32_t slice = 0; slice < 3; ++slice) {
    const Image picture = extreme_picture(20, 12, 50 + slice);
    for (uint32_t y = 0; y < 12; ++y) {
      std::copy_n(picture.row<uint8_t>(y), 80, image.row<uint8_t>(y, slice));
    }
  }
  EncodeScratch scratch;
  for (uint32_t slice = 0; slice < 3; ++slice) {
    Bytes blocks(5 * 3 * kBlockBytes);
    encode_rows(image.view(), {4, 4, 1}, slice, 0, 3, {}, {}, scratch, blocks);
    EXPECT_EQ(blocks, encode(extreme_picture(20, 12, 50 + slice).view(), {4, 4, 1}));
  }
}

}  // namespace
}  // namespace tessera::astc
