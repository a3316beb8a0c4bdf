// Tests how leaves become pixels, and the smoothing of block edges.
#include "fractal/reconstruct.h"

#include <cmath>

#include "fractal/dct.h"
#include "fractal/deblock.h"
#include "fractal/isometry.h"
#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;

LeafList some_leaves(uint32_t seed) {
  Random random(seed);
  LeafList list;
  list.width = 128;
  list.height = 96;
  list.dct_step = 160;
  for (uint32_t y = 0; y < list.height; y += 8) {
    for (uint32_t x = 0; x < list.width; x += 8) {
      Leaf leaf;
      leaf.x = static_cast<uint16_t>(x);
      leaf.y = static_cast<uint16_t>(y);
      leaf.log2_side = 3;
      leaf.mean = static_cast<int16_t>(random() % 4081);
      leaf.kind = static_cast<LeafKind>(random() % 3);
      if (leaf.kind == LeafKind::kFractal) {
        leaf.scale = static_cast<int8_t>(static_cast<int>(random() % 97) - 48);
        leaf.isometry = static_cast<uint8_t>(random() % 8);
        leaf.domain_x = static_cast<uint16_t>(random() % 57);
        leaf.domain_y = static_cast<uint16_t>(random() % 41);
      } else if (leaf.kind == LeafKind::kDct) {
        leaf.first_level = static_cast<uint32_t>(list.levels.size());
        leaf.level_count = static_cast<uint16_t>(random() % 63 + 1);
        for (int i = 0; i < leaf.level_count; ++i) {
          list.levels.push_back(static_cast<int16_t>(static_cast<int>(random() % 7) - 3));
        }
      }
      list.leaves.push_back(leaf);
    }
  }
  return list;
}

// A DCT leaf by the textbook, in pixel steps.
double plain_dct(const LeafList& list, const Leaf& leaf, uint32_t x, uint32_t y) {
  const double pi = std::acos(-1.0);
  const ScanOrder& scan = scan_order(leaf.log2_side);
  const double side = leaf.side();
  double value = leaf.mean / 16.0;
  for (uint32_t i = 0; i < leaf.level_count; ++i) {
    const uint32_t k = scan.column[i + 1];
    const uint32_t l = scan.row[i + 1];
    const double norm = std::sqrt((k == 0 ? 1 : 2) / side) * std::sqrt((l == 0 ? 1 : 2) / side);
    value += list.levels[leaf.first_level + i] * list.dct_step / 16.0 * norm *
             std::cos((2 * x + 1) * k * pi / (2 * side)) *
             std::cos((2 * y + 1) * l * pi / (2 * side));
  }
  return value;
}

class Reconstruct : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, Reconstruct, testing::ValuesIn(isas_to_test()),
                         [](const auto& isa) { return isa.param; });

TEST_P(Reconstruct, DctLeavesAreTheTextbooks) {
  LeafList list = some_leaves(1);
  const Plane<uint8_t> pixels = reconstruct(list, {1, 1});
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind != LeafKind::kDct) {
      continue;
    }
    for (uint32_t i = 0; i < 64; ++i) {
      const double expected = std::clamp(plain_dct(list, leaf, i % 8, i / 8), 0.0, 255.0);
      ASSERT_NEAR(pixels.at(leaf.x + i % 8, leaf.y + i / 8), expected, 0.75);
    }
  }
}

// Passes at half size and the full pass, pixel by pixel.
TEST_P(Reconstruct, FractalLeavesFollowTheFormula) {
  const LeafList list = some_leaves(2);
  const Plane<int16_t> before = reconstruct_half(list, 3);
  Plane<int16_t> expected = before;
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind != LeafKind::kFractal) {
      continue;
    }
    int small[4][4];
    int total = 0;
    for (uint32_t y = 0; y < 4; ++y) {
      for (uint32_t x = 0; x < 4; ++x) {
        const uint32_t u = leaf.domain_x + 2 * x;
        const uint32_t v = leaf.domain_y + 2 * y;
        small[y][x] = expected.at(u, v) + expected.at(u + 1, v) + expected.at(u, v + 1) +
                      expected.at(u + 1, v + 1);
        total += small[y][x];
      }
    }
    const int mean = (total + 8) >> 4;
    const Traversal way = traversal(leaf.isometry, 4, 4);
    for (ptrdiff_t y = 0; y < 4; ++y) {
      for (ptrdiff_t x = 0; x < 4; ++x) {
        const ptrdiff_t at = way.base + x * way.step_x + y * way.step_y;
        const int value = (leaf.mean * 128 + leaf.scale * (small[at / 4][at % 4] - mean) + 64) >> 7;
        expected.at(leaf.x / 2u + static_cast<uint32_t>(x),
                    leaf.y / 2u + static_cast<uint32_t>(y)) =
            static_cast<int16_t>(std::clamp(value, 0, 4080));
      }
    }
  }
  EXPECT_EQ(reconstruct_half(list, 4).samples, expected.samples);

  const Plane<uint8_t> pixels = reconstruct(list, {4, 1});
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind != LeafKind::kFractal) {
      continue;
    }
    int total = 0;
    for (uint32_t i = 0; i < 64; ++i) {
      total += expected.at(leaf.domain_x + i % 8, leaf.domain_y + i / 8);
    }
    const int mean = (total + 32) >> 6;
    const Traversal way = traversal(leaf.isometry, 8, 64);
    const int16_t* start = expected.row(leaf.domain_y) + leaf.domain_x + way.base;
    for (ptrdiff_t i = 0; i < 64; ++i) {
      const int sample = start[i % 8 * way.step_x + i / 8 * way.step_y];
      const int value =
          std::clamp((leaf.mean * 32 + leaf.scale * (sample - mean) + 16) >> 5, 0, 4080);
      ASSERT_EQ(
          pixels.at(leaf.x + static_cast<uint32_t>(i % 8), leaf.y + static_cast<uint32_t>(i / 8)),
          (value + 8) / 16);
    }
  }
}

TEST_P(Reconstruct, TwiceTheSizeIsTheSameOnEveryIsa) {
  const LeafList list = some_leaves(3);
  const Plane<uint8_t> here = reconstruct(list, {5, 2});
  EXPECT_EQ(here.width, 256u);
  ASSERT_TRUE(restrict_isa(available_isas().back()));
  const Plane<uint8_t> plain = reconstruct(list, {5, 2});
  EXPECT_EQ(here.samples, plain.samples);
}

TEST(ReconstructScale, DctLeavesDoubleSmoothly) {
  LeafList list = some_leaves(4);
  const Plane<uint8_t> once = reconstruct(list, {2, 1});
  const Plane<uint8_t> twice = reconstruct(list, {2, 2});
  double difference = 0;
  size_t count = 0;
  for (const Leaf& leaf : list.leaves) {
    if (leaf.kind == LeafKind::kFlat) {
      EXPECT_EQ(twice.at(leaf.x * 2u + 15, leaf.y * 2u + 15), once.at(leaf.x, leaf.y));
    }
    if (leaf.kind != LeafKind::kDct) {
      continue;
    }
    for (uint32_t i = 0; i < 64; ++i) {
      const uint32_t x = (leaf.x + i % 8) * 2;
      const uint32_t y = (leaf.y + i / 8) * 2;
      const int mean =
          (twice.at(x, y) + twice.at(x + 1, y) + twice.at(x, y + 1) + twice.at(x + 1, y + 1)) / 4;
      difference += std::abs(mean - once.at(x / 2, y / 2));
      ++count;
    }
  }
  EXPECT_LT(difference / static_cast<double>(count), 6.0);
}

TEST(Deblock, SmoothsSmallStepsOnly) {
  LeafList list;
  list.width = list.height = 32;
  list.dct_step = 20 * kSampleUnit;
  for (uint32_t x = 0; x < 32; x += 16) {
    for (uint32_t y = 0; y < 32; y += 16) {
      Leaf leaf;
      leaf.x = static_cast<uint16_t>(x);
      leaf.y = static_cast<uint16_t>(y);
      leaf.log2_side = 4;
      list.leaves.push_back(leaf);
    }
  }
  const auto picture = [&](uint8_t left, uint8_t right) {
    Plane<uint8_t> pixels(32, 32, left);
    for (uint32_t y = 0; y < 32; ++y) {
      std::fill(pixels.row(y) + 16, pixels.row(y) + 32, right);
    }
    return pixels;
  };
  Plane<uint8_t> small = picture(100, 106);
  deblock(list, 8, 1, small);
  EXPECT_GT(small.at(15, 5), 100);
  EXPECT_LT(small.at(16, 5), 106);
  EXPECT_EQ(small.at(13, 5), 100);
  Plane<uint8_t> edge = picture(20, 220);
  const Plane<uint8_t> before = edge;
  deblock(list, 8, 1, edge);
  EXPECT_EQ(edge.samples, before.samples);
  Plane<uint8_t> none = picture(100, 106);
  deblock(list, 0, 1, none);
  EXPECT_EQ(none.at(15, 5), 100);
}

}  // namespace
}  // namespace tessera
