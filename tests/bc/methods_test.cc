// Tests every BC1 method: bytes of the plain reference, order of quality, transparency.
#include <gtest/gtest.h>

#include <random>

#include "bc/bc1_decode.h"
#include "bc/bc1_encode.h"
#include "bc/bc1_rounding.h"
#include "bc/solid_table.h"
#include "bc1_scalar.h"
#include "image/convert.h"
#include "image/metrics.h"
#include "image/synthetic.h"
#include "spmd/isa.h"

namespace tessera {
namespace {

using bc1::Method;
using bc1::Settings;

Image synthetic_rgba(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed) {
  const Image image = make_synthetic_image(kind, width, height, seed).value();
  return convert_channels(image.view(), 4).value();
}

Image blank(uint32_t width, uint32_t height) {
  ImageInfo info;
  info.width = width;
  info.height = height;
  return Image::create(info).value();
}

// Few values, flat channels, some transparent texels: ties and corner cases.
Image extreme_image(uint32_t seed) {
  std::mt19937 random(seed);
  constexpr uint8_t kValues[] = {0, 1, 9, 127, 128, 254, 255};
  Image image = blank(64, 32);
  for (uint32_t y = 0; y < 32; ++y) {
    for (uint32_t x = 0; x < 64 * 4; ++x) {
      const uint32_t kind = (x / 16 + y / 4 * 16) % 5;
      image.row<uint8_t>(y)[x] = kind == 0   ? 77
                                 : kind == 1 ? kValues[x % 4]
                                             : kValues[random() % 7];
    }
  }
  return image;
}

Bytes encode(const Image& image, const Settings& settings) {
  const uint32_t rows = (image.height() + 3) / 4;
  Bytes blocks(size_t{(image.width() + 3) / 4} * rows * 8);
  bc1::encode_rows(image.view(), 0, 0, rows, settings, blocks);
  return blocks;
}

Image decode(const Bytes& blocks, const Image& like, bc1::Rounding rounding) {
  Image decoded = Image::create(like.info()).value();
  bc1::decode_rows(blocks, 0, (like.height() + 3) / 4, 0, decoded.mutable_view(), rounding);
  return decoded;
}

double psnr(const Image& image, const Settings& settings) {
  const Image decoded = decode(encode(image, settings), image, settings.rounding);
  return compute_metrics(image.view(), decoded.view()).value().psnr_rgb;
}

struct Case {
  std::string name;
  Settings settings;
};

Settings with(Method method, void (*change)(Settings&)) {
  Settings settings = bc1::method_settings(method);
  change(settings);
  return settings;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (size_t i = 0; i < bc1::kMethodNames.size(); ++i) {
    all.push_back(
        {std::string(bc1::kMethodNames[i]), bc1::method_settings(static_cast<Method>(i))});
  }
  for (size_t i = 0; i < kPresetNames.size(); ++i) {
    all.push_back({std::string(kPresetNames[i]), bc1::preset_settings(static_cast<Preset>(i))});
  }
  all.push_back({"lspiro_1", with(Method::kLspiro, [](Settings& s) { s.lspiro_steps = 1; })});
  all.push_back({"lspiro_2", with(Method::kLspiro, [](Settings& s) {
                   s.lspiro_steps = 2;
                   s.lspiro_iterations = 3;
                 })});
  const auto add_options = [&](const char* name, Method method) {
    Settings settings = bc1::method_settings(method);
    settings.three_colors = true;
    settings.punch_through = true;
    settings.alpha_threshold = 100;
    settings.dark_transparent = true;
    settings.weights = {3, 16, 1};
    settings.rounding = bc1::Rounding::kNvidia;
    settings.descent_sweeps = 1;
    settings.lspiro_steps = 2;
    all.push_back({name, settings});
  };
  add_options("bounds_options", Method::kBounds);
  add_options("farthest_options", Method::kFarthest);
  add_options("luma_options", Method::kLuma);
  add_options("range_options", Method::kRange);
  add_options("starts_options", Method::kStarts);
  add_options("cluster_options", Method::kCluster);
  add_options("lspiro_options", Method::kLspiro);
  all.push_back(
      {"amd", with(Method::kStarts, [](Settings& s) { s.rounding = bc1::Rounding::kAmd; })});
  all.push_back({"no_blue", with(Method::kStarts, [](Settings& s) { s.weights = {1, 2, 0}; })});
  all.push_back({"pair_moves", with(Method::kRange, [](Settings& s) {
                   s.descent_sweeps = 2;
                   s.pair_moves = true;
                 })});
  return all;
}

class EveryMethod : public testing::TestWithParam<Case> {
 protected:
  void TearDown() override { ASSERT_TRUE(restrict_isa("")); }
};

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(cases()),
                         [](const auto& c) { return c.param.name; });

TEST_P(EveryMethod, EveryIsaGivesTheBytesOfThePlainReference) {
  // Searching 729 neighbours is slow in plain code and in emulated vectors.
  const bool slow =
      GetParam().settings.method == Method::kLspiro && GetParam().settings.lspiro_steps == 3;
  std::vector<Image> images;
  images.push_back(extreme_image(1));
  if (!slow) {
    images.push_back(synthetic_rgba(SyntheticKind::kPhoto, 77, 19, 3));
    images.push_back(synthetic_rgba(SyntheticKind::kSprite, 66, 21, 4));
    images.push_back(synthetic_rgba(SyntheticKind::kNoise, 5, 3, 5));
  }
  for (const Image& image : images) {
    const uint32_t across = (image.width() + 3) / 4;
    Bytes expected;
    for (uint32_t i = 0; i < across * ((image.height() + 3) / 4); ++i) {
      const auto block = reference::encode_block(
          reference::block_rgba(image.view(), i % across, i / across), GetParam().settings);
      expected.insert(expected.end(), block.begin(), block.end());
    }
    for (const std::string& isa : available_isas()) {
      ASSERT_TRUE(restrict_isa(isa));
      const Bytes blocks = encode(image, GetParam().settings);
      for (size_t i = 0; i < blocks.size(); ++i) {
        ASSERT_EQ(blocks[i], expected[i]) << isa << ", " << image.width() << "x" << image.height()
                                          << ", block " << i / 8 << ", byte " << i % 8;
      }
    }
  }
}

TEST(Bc1Quality, PresetsAreInOrder) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 256, 256, 1);
  double before = 0;
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough,
                              Preset::kExhaustive}) {
    const double quality = psnr(image, bc1::preset_settings(preset));
    EXPECT_GT(quality, before) << preset_name(preset);
    before = quality;
  }
  EXPECT_GT(before, psnr(image, bc1::method_settings(Method::kBounds)) + 1.0);
}

TEST(Bc1Quality, EachLspiroStepHelps) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 128, 64, 2);
  double before = 0;
  for (uint32_t steps = 1; steps <= 3; ++steps) {
    Settings settings = bc1::method_settings(Method::kLspiro);
    settings.lspiro_steps = steps;
    const double quality = psnr(image, settings);
    EXPECT_GT(quality, before + 0.1) << steps;
    before = quality;
  }
}

TEST(Bc1Quality, ThreeColoursNeverHurtAndSometimesHelp) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 128, 128, 6);
  Settings settings = bc1::preset_settings(Preset::kThorough);
  const double four = psnr(image, settings);
  settings.three_colors = true;
  EXPECT_GT(psnr(image, settings), four);
}

TEST(Bc1Quality, AimingAtADecoderHelpsThere) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 256, 128, 7);
  for (const auto rounding : {bc1::Rounding::kNvidia, bc1::Rounding::kAmd}) {
    Settings settings = bc1::preset_settings(Preset::kThorough);
    const Bytes ideal = encode(image, settings);
    settings.rounding = rounding;
    const Image decoded = decode(ideal, image, rounding);
    const double not_aimed = compute_metrics(image.view(), decoded.view()).value().psnr_rgb;
    EXPECT_GT(psnr(image, settings), not_aimed);
  }
}

TEST(Bc1Quality, AHeavyChannelLosesLess) {
  const Image image = synthetic_rgba(SyntheticKind::kNoise, 64, 64, 8);
  const auto blue_error = [&](const Settings& settings) {
    const Image decoded = decode(encode(image, settings), image, settings.rounding);
    double sum = 0;
    for (uint32_t y = 0; y < 64; ++y) {
      for (uint32_t x = 0; x < 64; ++x) {
        const double d = image.row<uint8_t>(y)[4 * x + 2] - decoded.row<uint8_t>(y)[4 * x + 2];
        sum += d * d;
      }
    }
    return sum;
  };
  Settings settings = bc1::method_settings(Method::kStarts);
  const double even = blue_error(settings);
  settings.weights = {1, 1, 16};
  EXPECT_LT(blue_error(settings), 0.5 * even);
}

TEST(Bc1Solid, BlocksOfOneColourAreAsNearAsTheFormatAllows) {
  Image image = blank(4, 4);
  for (int value = 0; value < 256; ++value) {
    for (uint32_t y = 0; y < 4; ++y) {
      for (uint32_t x = 0; x < 16; ++x) {
        const int channel = static_cast<int>(x % 4);
        image.row<uint8_t>(y)[x] = static_cast<uint8_t>(channel == 0   ? value
                                                        : channel == 1 ? 255 - value
                                                                       : value / 2);
      }
    }
    for (const auto rounding :
         {bc1::Rounding::kIdeal, bc1::Rounding::kNvidia, bc1::Rounding::kAmd}) {
      Settings settings = bc1::method_settings(Method::kRange);
      settings.rounding = rounding;
      const Image decoded = decode(encode(image, settings), image, rounding);
      const auto& table = bc1::solid_table(rounding, 3);
      const int wanted[3] = {value, 255 - value, value / 2};
      int allowed = 0, actual = 0;
      for (size_t c = 0; c < 3; ++c) {
        const auto& channel = c == 1 ? table.six : table.five;
        allowed += channel[static_cast<size_t>(wanted[c])] >> 16;
        const int difference = decoded.row<uint8_t>(1)[4 + c] - wanted[c];
        actual += difference * difference;
      }
      EXPECT_LE(actual, allowed) << value;
      EXPECT_EQ(decoded.row<uint8_t>(1)[7], 255);
    }
  }
}

// No pair of ends in the whole lattice does better than the table.
TEST(Bc1Solid, TheTableIsOptimal) {
  for (const auto bits : {bc1::ChannelBits::kFive, bc1::ChannelBits::kSix}) {
    const int levels = bits == bc1::ChannelBits::kFive ? 31 : 63;
    const auto& table = bc1::solid_table(bc1::Rounding::kIdeal, 3);
    const auto& channel = bits == bc1::ChannelBits::kFive ? table.five : table.six;
    for (int value = 0; value < 256; ++value) {
      const int entry = channel[static_cast<size_t>(value)];
      const int decoded =
          bc1::decode_third(bc1::Rounding::kIdeal, bits, entry & 255, (entry >> 8) & 255);
      EXPECT_EQ((decoded - value) * (decoded - value), entry >> 16);
      for (int a = 0; a <= levels; ++a) {
        for (int b = 0; b <= levels; ++b) {
          const int d = bc1::decode_third(bc1::Rounding::kIdeal, bits, a, b) - value;
          ASSERT_GE(d * d, entry >> 16) << value << " " << a << " " << b;
        }
      }
    }
  }
}

Image with_alpha(uint32_t seed) {
  Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 64, seed);
  std::mt19937 random(seed);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      image.row<uint8_t>(y)[4 * x + 3] =
          (x / 8 + y / 8) % 3 == 0 ? static_cast<uint8_t>(random()) : 255;
    }
  }
  for (uint32_t y = 0; y < 4; ++y) {  // one block without any opaque texel
    for (uint32_t x = 0; x < 4; ++x) {
      image.row<uint8_t>(y)[4 * x + 3] = 0;
    }
  }
  return image;
}

TEST(Bc1PunchThrough, AlphaIsOnOneSideOfTheThreshold) {
  const Image image = with_alpha(1);
  for (size_t m = 0; m < bc1::kMethodNames.size(); ++m) {
    for (const uint32_t threshold : {1u, 128u, 255u}) {
      Settings settings = bc1::method_settings(static_cast<Method>(m));
      settings.lspiro_steps = 2;
      settings.punch_through = true;
      settings.alpha_threshold = threshold;
      const Image decoded = decode(encode(image, settings), image, settings.rounding);
      for (uint32_t y = 0; y < 64; ++y) {
        for (uint32_t x = 0; x < 64; ++x) {
          const bool opaque = image.row<uint8_t>(y)[4 * x + 3] >= threshold;
          ASSERT_EQ(decoded.row<uint8_t>(y)[4 * x + 3], opaque ? 255 : 0)
              << bc1::kMethodNames[m] << " " << x << "," << y;
        }
      }
    }
  }
}

TEST(Bc1PunchThrough, WithoutItNothingIsTransparent) {
  Settings settings = bc1::preset_settings(Preset::kExhaustive);
  for (const Image& image : {with_alpha(2), extreme_image(3)}) {
    const Image decoded = decode(encode(image, settings), image, settings.rounding);
    for (uint32_t y = 0; y < image.height(); ++y) {
      for (uint32_t x = 0; x < image.width(); ++x) {
        ASSERT_EQ(decoded.row<uint8_t>(y)[4 * x + 3], 255) << x << "," << y;
      }
    }
  }
}

TEST(Bc1Dark, TransparentBlackHelpsColoursAndOnlyTouchesDarkTexels) {
  Image image = blank(16, 16);
  std::mt19937 random(9);
  for (uint32_t y = 0; y < 16; ++y) {
    for (uint32_t x = 0; x < 16; ++x) {
      uint8_t* texel = image.row<uint8_t>(y) + 4 * x;
      const bool dark = (x + y) % 4 == 0;
      texel[0] = static_cast<uint8_t>(dark ? random() % 8 : 150 + random() % 100);
      texel[1] = static_cast<uint8_t>(dark ? random() % 8 : 200 - random() % 100);
      texel[2] = static_cast<uint8_t>(dark ? random() % 8 : 90);
      texel[3] = 255;
    }
  }
  Settings settings = bc1::method_settings(Method::kStarts);
  const double plain = psnr(image, settings);
  settings.dark_transparent = true;
  EXPECT_GT(psnr(image, settings), plain + 1.0);
  const Image decoded = decode(encode(image, settings), image, settings.rounding);
  int transparent = 0;
  for (uint32_t y = 0; y < 16; ++y) {
    for (uint32_t x = 0; x < 16; ++x) {
      if (decoded.row<uint8_t>(y)[4 * x + 3] == 0) {
        ++transparent;
        EXPECT_LT(image.row<uint8_t>(y)[4 * x], 16);
      }
    }
  }
  EXPECT_GT(transparent, 0);
}

}  // namespace
}  // namespace tessera
