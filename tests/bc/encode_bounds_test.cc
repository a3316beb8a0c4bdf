// Tests the bounding-box encoder of BC1 on every instruction set.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "bc/bc1_decode.h"
#include "bc/bc1_encode.h"
#include "bc1_reference.h"
#include "image/convert.h"
#include "image/metrics.h"
#include "image/synthetic.h"
#include "spmd/isa.h"

namespace tessera {
namespace {

Image synthetic_rgba(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed) {
  const Image image = make_synthetic_image(kind, width, height, seed).value();
  return convert_channels(image.view(), 4).value();
}

Bytes encode(const Image& image, uint32_t first_row, uint32_t end_row) {
  Bytes blocks(size_t{(image.width() + 3) / 4} * (end_row - first_row) * 8);
  bc1::encode_rows(image.view(), 0, first_row, end_row, bc1::method_settings(bc1::Method::kBounds),
                   blocks);
  return blocks;
}

Bytes encode(const Image& image) {
  return encode(image, 0, (image.height() + 3) / 4);
}

// Runs the body once for every instruction set of this machine.
class OnEveryIsa : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { ASSERT_TRUE(restrict_isa(GetParam())); }
  void TearDown() override { ASSERT_TRUE(restrict_isa("")); }
};

INSTANTIATE_TEST_SUITE_P(Isas, OnEveryIsa, testing::ValuesIn(available_isas()),
                         [](const auto& isa) { return isa.param; });

TEST_P(OnEveryIsa, TheIsaThatRunsIsTheOneAskedFor) {
  EXPECT_EQ(active_isa(), GetParam());
}

TEST_P(OnEveryIsa, EveryBlockMatchesTheReference) {
  for (const auto kind : {SyntheticKind::kPhoto, SyntheticKind::kInterface, SyntheticKind::kSprite,
                          SyntheticKind::kNormalMap, SyntheticKind::kNoise}) {
    for (const auto& [width, height] :
         {std::pair<uint32_t, uint32_t>{128, 32}, {77, 19}, {1, 1}, {5, 3}, {65, 4}}) {
      const Image image = synthetic_rgba(kind, width, height, 3);
      const Bytes blocks = encode(image);
      const uint32_t across = (width + 3) / 4;
      for (size_t i = 0; i < blocks.size() / 8; ++i) {
        const auto texels = reference::block_texels(image.view(), static_cast<uint32_t>(i % across),
                                                    static_cast<uint32_t>(i / across));
        const auto expected = reference::encode_bounds(texels);
        ASSERT_TRUE(std::equal(expected.begin(), expected.end(),
                               blocks.begin() + static_cast<ptrdiff_t>(i * 8)))
            << synthetic_kind_name(kind) << " " << width << "x" << height << ", block " << i;
      }
    }
  }
}

TEST_P(OnEveryIsa, ExtremeBlocksMatchTheReference) {
  // Texels drawn from few extreme values: flat channels, full contrast, ties.
  std::mt19937 random(11);
  constexpr uint8_t kValues[] = {0, 1, 127, 128, 254, 255};
  ImageInfo info;
  info.width = 64;
  info.height = 64;
  Image image = Image::create(info).value();
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 256; ++x) {
      const auto flat = static_cast<uint32_t>(random() % 3);
      image.row<uint8_t>(y)[x] = x % 4 == flat ? 200 : kValues[random() % 6];
    }
  }
  const Bytes blocks = encode(image);
  for (size_t i = 0; i < blocks.size() / 8; ++i) {
    const auto expected = reference::encode_bounds(reference::block_texels(
        image.view(), static_cast<uint32_t>(i % 16), static_cast<uint32_t>(i / 16)));
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(),
                           blocks.begin() + static_cast<ptrdiff_t>(i * 8)))
        << i;
  }
}

TEST(EncodeBounds, SlicesGiveTheSameBytesAsTheWhole) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 93, 50, 5);
  const Bytes whole = encode(image);
  Bytes parts;
  for (const auto& [first, end] : {std::pair<uint32_t, uint32_t>{0, 1}, {1, 6}, {6, 13}}) {
    const Bytes part = encode(image, first, end);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  EXPECT_EQ(parts, whole);
}

TEST(EncodeBounds, AlphaAndRowPaddingDoNotMatter) {
  Image image = synthetic_rgba(SyntheticKind::kPhoto, 33, 17, 2);
  const Bytes opaque = encode(image);
  for (uint32_t y = 0; y < image.height(); ++y) {
    for (uint32_t x = 0; x < image.width(); ++x) {
      image.row<uint8_t>(y)[x * 4 + 3] = static_cast<uint8_t>(x * 7 + y);
    }
    std::fill(image.row<uint8_t>(y) + image.width() * 4, image.row<uint8_t>(y) + image.row_stride(),
              uint8_t{0xAB});
  }
  EXPECT_EQ(encode(image), opaque);
}

double decoded_psnr(const Image& image) {
  const Bytes blocks = encode(image);
  Image decoded = Image::create(image.info()).value();
  bc1::decode_rows(blocks, 0, (image.height() + 3) / 4, 0, decoded.mutable_view());
  return compute_metrics(image.view(), decoded.view()).value().psnr_rgb;
}

TEST(EncodeBounds, PhotographsKeepTheirQuality) {
  EXPECT_GT(decoded_psnr(synthetic_rgba(SyntheticKind::kPhoto, 768, 512, 1)), 37.0);
}

// Red rises where blue falls and green is flat: signs must not be taken against green.
TEST(EncodeBounds, AntiPhaseChannelsWithFlatGreen) {
  ImageInfo info;
  info.width = 64;
  info.height = 64;
  Image image = Image::create(info).value();
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      uint8_t* texel = image.row<uint8_t>(y) + x * 4;
      texel[0] = static_cast<uint8_t>(100 + 10 * (x % 4) + 5 * (y % 4));
      texel[1] = 90;
      texel[2] = static_cast<uint8_t>(200 - 10 * (x % 4) - 5 * (y % 4));
      texel[3] = 255;
    }
  }
  EXPECT_GT(decoded_psnr(image), 33.0);
}

TEST(EncodeBounds, SolidBlocksAreNearestColours) {
  ImageInfo info;
  info.width = 4;
  info.height = 4;
  Image image = Image::create(info).value();
  for (int value = 0; value < 256; ++value) {
    for (uint32_t y = 0; y < 4; ++y) {
      std::fill_n(image.row<uint8_t>(y), 16, static_cast<uint8_t>(value));
    }
    Bytes blocks = encode(image);
    Image decoded = Image::create(info).value();
    bc1::decode_rows(blocks, 0, 1, 0, decoded.mutable_view());
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_LE(std::abs(int{decoded.row<uint8_t>(2)[4 + c]} - value), 4) << value;
    }
    EXPECT_EQ(decoded.row<uint8_t>(2)[7], 255) << "never transparent";
  }
}

TEST(RestrictIsa, UnknownNamesAreRefused) {
  for (const char* name : {"AVX9", "avx", " AVX2", "AVX2 "}) {
    const Status status = restrict_isa(name);
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  }
}

TEST(RestrictIsa, AnyCaseIsAccepted) {
  const std::string best = available_isas().front();
  std::string lower = best;
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(c));
  }
  ASSERT_TRUE(restrict_isa(lower));
  EXPECT_EQ(active_isa(), best);
  ASSERT_TRUE(restrict_isa(""));
}

}  // namespace
}  // namespace tessera
