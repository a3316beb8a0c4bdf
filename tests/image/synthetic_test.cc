// Tests that pictures made by code are the same everywhere and are what they claim.
#include "image/synthetic.h"

#include <algorithm>
#include <map>
#include <set>

#include "image_helpers.h"

namespace tessera {
namespace {

constexpr SyntheticKind kAllKinds[] = {SyntheticKind::kPhoto,  SyntheticKind::kInterface,
                                       SyntheticKind::kSprite, SyntheticKind::kNormalMap,
                                       SyntheticKind::kNoise,  SyntheticKind::kConstant};

Image make(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed = 1) {
  return make_synthetic_image(kind, width, height, seed).value();
}

// FNV-1a over the pixels.
uint64_t hash_of(const Image& image) {
  uint64_t hash = 0xCBF29CE484222325u;
  for (uint32_t y = 0; y < image.height(); ++y) {
    const auto* row = image.row<uint8_t>(y);
    for (size_t i = 0; i < image.width() * image.info().pixel_bytes(); ++i) {
      hash = (hash ^ row[i]) * 0x100000001B3u;
    }
  }
  return hash;
}

// The pictures must be the same on every machine and compiler, because sizes and qualities measured
// with them are written down.
TEST(Synthetic, PixelsAreTheSameEverywhere) {
  const std::map<SyntheticKind, uint64_t> expected = {
      {SyntheticKind::kPhoto, 0x0F9393B9A59D559Fu},
      {SyntheticKind::kInterface, 0x977477E1DC666546u},
      {SyntheticKind::kSprite, 0x18D0B46F40264494u},
      {SyntheticKind::kNormalMap, 0xF81143EADECD803Du},
      {SyntheticKind::kNoise, 0xC29C51F352B68BD3u},
      {SyntheticKind::kConstant, 0x2F2185624731BCBDu},
  };
  for (const SyntheticKind kind : kAllKinds) {
    EXPECT_EQ(hash_of(make(kind, 211, 157, 3)), expected.at(kind))
        << synthetic_kind_name(kind) << std::hex << " 0x" << hash_of(make(kind, 211, 157, 3));
  }
}

TEST(Synthetic, TheSeedChangesThePicture) {
  for (const SyntheticKind kind : kAllKinds) {
    EXPECT_EQ(hash_of(make(kind, 60, 50, 7)), hash_of(make(kind, 60, 50, 7)));
    EXPECT_NE(hash_of(make(kind, 60, 50, 7)), hash_of(make(kind, 60, 50, 8)));
  }
}

TEST(Synthetic, HasTheDescribedLayout) {
  for (const SyntheticKind kind : kAllKinds) {
    const Image image = make(kind, 30, 20);
    const bool rgba = kind == SyntheticKind::kSprite || kind == SyntheticKind::kNoise;
    ImageInfo info = make_info(30, 20, rgba ? 4 : 3);
    info.color_space = kind == SyntheticKind::kNormalMap ? ColorSpace::kLinear : ColorSpace::kSrgb;
    EXPECT_EQ(image.info(), info) << synthetic_kind_name(kind);
  }
}

TEST(Synthetic, EverySizeWorks) {
  struct Size {
    uint32_t width, height;
  };
  for (const SyntheticKind kind : kAllKinds) {
    for (const Size size : {Size{1, 1}, {2, 3}, {1, 200}, {3000, 1}, {4, 4}, {97, 13}, {17, 400}}) {
      for (const uint32_t seed : {0u, 1u, 0xFFFFFFFFu}) {
        const auto image = make_synthetic_image(kind, size.width, size.height, seed);
        ASSERT_TRUE(image.ok());
        EXPECT_EQ(image->width(), size.width);
        EXPECT_EQ(image->height(), size.height);
      }
    }
  }
}

TEST(Synthetic, RefusesEmptyAndAbsurdSizes) {
  for (const SyntheticKind kind : kAllKinds) {
    EXPECT_FALSE(make_synthetic_image(kind, 0, 10).ok());
    EXPECT_FALSE(make_synthetic_image(kind, 10, 0).ok());
    EXPECT_FALSE(make_synthetic_image(kind, 0xFFFFFFFF, 0xFFFFFFFF).ok());
  }
}

TEST(Synthetic, NamesRoundTrip) {
  std::set<std::string_view> names;
  for (const SyntheticKind kind : kAllKinds) {
    EXPECT_EQ(parse_synthetic_kind(synthetic_kind_name(kind)), kind);
    names.insert(synthetic_kind_name(kind));
  }
  EXPECT_EQ(names.size(), std::size(kAllKinds));
}

TEST(Synthetic, UnknownNamesAreRefused) {
  for (const std::string_view name : {"", "Photo", "photo ", "phot", "unknown"}) {
    EXPECT_FALSE(parse_synthetic_kind(name).has_value()) << name;
  }
}

struct ChannelStatistics {
  double neighbour_correlation;  // of a sample and the one to its right
  double mean_step;              // between them, in 1/255
};

ChannelStatistics statistics_of(const Image& image, uint32_t channel) {
  double count = 0, sum = 0, squares = 0, products = 0, steps = 0;
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (uint32_t x = 0; x + 1 < image.width(); ++x) {
      const double a = get(image.view(), x, y, channel);
      const double b = get(image.view(), x + 1, y, channel);
      count += 1;
      sum += a;
      squares += a * a;
      products += a * b;
      steps += std::abs(a - b);
    }
  }
  const double mean = sum / count;
  return {(products / count - mean * mean) / (squares / count - mean * mean),
          steps / count * 255.0};
}

TEST(Synthetic, PhotosHaveTheStatisticsOfPhotos) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const Image photo = make(SyntheticKind::kPhoto, 384, 256, seed);
    for (uint32_t channel = 0; channel < 3; ++channel) {
      const ChannelStatistics statistics = statistics_of(photo, channel);
      EXPECT_GT(statistics.neighbour_correlation, 0.9);
      EXPECT_LT(statistics.neighbour_correlation, 0.999);
      EXPECT_GT(statistics.mean_step, 2.0);  // grain and texture
      EXPECT_LT(statistics.mean_step, 15.0);
    }
    std::set<uint32_t> colors;
    for (uint32_t y = 0; y < photo.height(); ++y) {
      for (uint32_t x = 0; x < photo.width(); ++x) {
        const uint8_t* p = photo.row<uint8_t>(y) + 3 * x;
        colors.insert(uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2]);
      }
    }
    EXPECT_GT(colors.size(), 20000u);
  }
}

TEST(Synthetic, InterfacesAreFlatWithFewColours) {
  const Image picture = make(SyntheticKind::kInterface, 640, 400);
  std::set<uint32_t> colors;
  uint32_t equal_neighbours = 0;
  uint32_t hard_edges = 0;
  for (uint32_t y = 0; y < picture.height(); ++y) {
    const uint8_t* row = picture.row<uint8_t>(y);
    for (uint32_t x = 0; x + 1 < picture.width(); ++x) {
      const uint8_t* p = row + 3 * x;
      colors.insert(uint32_t{p[0]} << 16 | uint32_t{p[1]} << 8 | p[2]);
      equal_neighbours += std::memcmp(p, p + 3, 3) == 0 ? 1 : 0;
      hard_edges += std::abs(p[1] - p[4]) > 100 ? 1 : 0;
    }
  }
  const double pixels = 639.0 * 400.0;
  EXPECT_LT(colors.size(), 700u);
  EXPECT_GT(equal_neighbours / pixels, 0.7);
  EXPECT_GT(hard_edges / pixels, 0.02);
}

TEST(Synthetic, SpritesHaveHardAndSoftEdgesAndHiddenColours) {
  const Image sheet = make(SyntheticKind::kSprite, 768, 192);
  uint32_t clear = 0;
  uint32_t solid = 0;
  uint32_t between = 0;
  uint32_t hidden_colors = 0;
  uint32_t jumps = 0;  // from solid to clear in one step
  for (uint32_t y = 0; y < sheet.height(); ++y) {
    const uint8_t* row = sheet.row<uint8_t>(y);
    for (uint32_t x = 0; x < sheet.width(); ++x) {
      const uint8_t* p = row + 4 * x;
      clear += p[3] == 0 ? 1 : 0;
      solid += p[3] == 255 ? 1 : 0;
      between += p[3] != 0 && p[3] != 255 ? 1 : 0;
      hidden_colors += p[3] == 0 && (p[0] | p[1] | p[2]) != 0 ? 1 : 0;
      jumps += x > 0 && p[3] == 0 && row[4 * x - 1] == 255 ? 1 : 0;
    }
  }
  EXPECT_GT(clear, 10000u);
  EXPECT_GT(solid, 10000u);
  EXPECT_GT(between, 10000u);
  EXPECT_GT(hidden_colors, 5000u);
  EXPECT_GT(jumps, 100u);
}

TEST(Synthetic, NormalMapsHoldUnitVectorsThatPointOutwards) {
  const Image map = make(SyntheticKind::kNormalMap, 300, 200);
  double tilted = 0;
  for (uint32_t y = 0; y < map.height(); ++y) {
    for (uint32_t x = 0; x < map.width(); ++x) {
      const double nx = get(map.view(), x, y, 0) * 2 - 1;
      const double ny = get(map.view(), x, y, 1) * 2 - 1;
      const double nz = get(map.view(), x, y, 2) * 2 - 1;
      ASSERT_NEAR(std::sqrt(nx * nx + ny * ny + nz * nz), 1.0, 0.008);
      ASSERT_GT(nz, 0.0);
      tilted += nz < 0.95 ? 1 : 0;
    }
  }
  EXPECT_GT(tilted / (300 * 200), 0.1);
}

TEST(Synthetic, NoiseIsWhite) {
  const Image noise = make(SyntheticKind::kNoise, 256, 256);
  for (uint32_t channel = 0; channel < 4; ++channel) {
    double sum = 0;
    std::set<uint8_t> values;
    for (uint32_t y = 0; y < 256; ++y) {
      for (uint32_t x = 0; x < 256; ++x) {
        sum += noise.row<uint8_t>(y)[4 * x + channel];
        values.insert(noise.row<uint8_t>(y)[4 * x + channel]);
      }
    }
    EXPECT_NEAR(sum / 65536, 127.5, 1.5);
    EXPECT_EQ(values.size(), 256u);
    EXPECT_NEAR(statistics_of(noise, channel).neighbour_correlation, 0.0, 0.02);
  }
}

TEST(Synthetic, ConstantsAreConstant) {
  const Image image = make(SyntheticKind::kConstant, 33, 9, 5);
  for (uint32_t y = 0; y < 9; ++y) {
    for (uint32_t x = 0; x < 33; ++x) {
      ASSERT_EQ(std::memcmp(image.row<uint8_t>(y) + 3 * x, image.row<uint8_t>(0), 3), 0);
    }
  }
}

}  // namespace
}  // namespace tessera
