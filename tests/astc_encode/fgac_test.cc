// Tests the method fgac: its blocks, their quality, and that they do not depend on the order in
// which a device's lanes run.
#include "astc/fgac/fgac_encode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "../backward_warp.h"
#include "astc/fgac/fgac_block-inl.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

constexpr BlockSize kSize = {4, 4, 1};

Bytes encoded(const Image& image, const FgacSettings& settings = {}) {
  const auto across = divide_round_up(image.info().width, 4);
  const auto down = static_cast<uint32_t>(divide_round_up(image.info().height, 4));
  Bytes bytes(across * down * kBlockBytes);
  encode_fgac_rows(image.view(), 0, 0, down, settings, bytes);
  return bytes;
}

double quality(const Image& image, const FgacSettings& settings = {}) {
  return psnr(
      mean_squared_error(image.view(), encoded(image, settings), kSize, DecodeMode::kLdrUnorm8));
}

struct FgacWarp : BackwardWarp {
  static PerLane<float> sum(const PerLane<float>& values) {
    return of_halves(values, [](float a, float b) { return a + b; });
  }
  static PerLane<float> least(const PerLane<float>& values) {
    return of_halves(values, [](float a, float b) { return std::min(a, b); });
  }
  static PerLane<float> most(const PerLane<float>& values) {
    return of_halves(values, [](float a, float b) { return std::max(a, b); });
  }

  // A butterfly is a tree: of lanes eight apart first, of neighbours last.
  template <class Combine>
  static PerLane<float> of_halves(const PerLane<float>& values, const Combine& combine) {
    PerLane<float> result;
    for (unsigned half = 0; half < kLanes; half += 16) {
      std::vector<float> tree(values.begin() + half, values.begin() + half + 16);
      for (size_t count = 8; count > 0; count /= 2) {
        for (size_t i = 0; i < count; ++i) {
          tree[i] = combine(tree[i], tree[i + count]);
        }
      }
      std::fill_n(result.begin() + half, 16, tree[0]);
    }
    return result;
  }
};

Bytes encoded_backwards(const Image& image) {
  const ImageView view = image.view();
  const auto across = static_cast<uint32_t>(divide_round_up(view.info.width, 4));
  const auto down = static_cast<uint32_t>(divide_round_up(view.info.height, 4));
  const Picture picture = {
      view.row<uint32_t>(0), view.row_stride / 4, view.info.width, view.info.height, across, false};
  std::vector<Block128> blocks(size_t{across} * down);
  const EncodeFgac work = {picture, &fgac_tables(), {}, blocks.data()};
  for (uint32_t i = across * down; i-- > 0;) {
    std::vector<float> shared(kFgacSharedFloats, 1e9f);
    FgacWarp warp = {{shared.data()}};
    work(i, warp);
  }
  Bytes bytes(blocks.size() * kBlockBytes);
  for (size_t i = 0; i < blocks.size(); ++i) {
    store_block(blocks[i], bytes.data() + i * kBlockBytes);
  }
  return bytes;
}

TEST(Fgac, OrderOfLanesDoesNotMatter) {
  for (const SyntheticKind kind :
       {SyntheticKind::kPhoto, SyntheticKind::kSprite, SyntheticKind::kNoise}) {
    const Image image = synthetic_rgba(kind, 70, 45, 3);
    EXPECT_EQ(encoded_backwards(image), encoded(image));
  }
}

TEST(Fgac, BlocksHaveOnePartitionAndOneOfSixModes) {
  std::set<EndpointMode> modes;
  std::vector<Image> images;
  for (const SyntheticKind kind : {SyntheticKind::kPhoto, SyntheticKind::kSprite,
                                   SyntheticKind::kInterface, SyntheticKind::kNoise}) {
    images.push_back(synthetic_rgba(kind, 128, 128, 1));
  }
  images.push_back(drawn_rgba(64, 64, [](uint32_t x, uint32_t y) {  // grey, partly transparent
    const uint32_t v = (x * 3 + y * 5) & 0xFF;
    return rgba(v, v, v, y < 32 ? 255 : (x * 7) & 0xFF);
  }));
  images.push_back(drawn_rgba(64, 64, [](uint32_t x, uint32_t y) {  // shades of one colour
    const uint32_t v = 40 + ((x * 2 + y) & 0x7F);
    return rgba(v, v / 2, v / 4, y < 32 ? 255 : 128 + (x & 0x7F));
  }));
  for (const Image& image : images) {
    const Bytes bytes = encoded(image);
    for (size_t i = 0; i < bytes.size() / kBlockBytes; ++i) {
      const SymbolicBlock block = block_at(bytes, i, kSize);
      ASSERT_NE(block.kind, BlockKind::kError) << i;
      if (block.kind == BlockKind::kWeighted) {
        ASSERT_EQ(block.partition_count, 1);
        ASSERT_EQ(block.mode.grid, (GridSize{4, 4, 1}));
        modes.insert(block.endpoint_modes[0]);
      }
    }
  }
  EXPECT_EQ(modes, (std::set{EndpointMode::kLuminance, EndpointMode::kLuminanceAlpha,
                             EndpointMode::kRgbScale, EndpointMode::kRgb,
                             EndpointMode::kRgbScaleAlpha, EndpointMode::kRgba}));
}

TEST(Fgac, BlocksOfOneColourAreExact) {
  const Image image = drawn_rgba(7, 5, [](uint32_t, uint32_t) { return rgba(1, 200, 33, 77); });
  EXPECT_EQ(mean_squared_error(image.view(), encoded(image), kSize, DecodeMode::kLdrUnorm8), 0);
}

// A plain gradient is a line: only rounding is lost. Each of its ideas is worth something.
TEST(Fgac, QualityIsWhatItShouldBe) {
  const Image gradient =
      drawn_rgba(64, 64, [](uint32_t x, uint32_t y) { return rgba(x * 2, x + y, 255 - y, 255); });
  EXPECT_GT(quality(gradient), 42);
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, 256, 256, 1);
  const double all = quality(photo);
  EXPECT_GT(all, quality(photo, {1, true, true}));
  EXPECT_GT(all, quality(photo, {4, true, false}));
  EXPECT_GT(quality(photo, {4, false, true}), 30);
}

}  // namespace
}  // namespace tessera::astc
