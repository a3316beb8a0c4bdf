// Tests the paper's search, its three kernels and its coder.
#include "fractal/paper_search.h"

#include "fractal/isometry.h"
#include "fractal/paper_coder.h"
#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;

struct Searched {
  Plane<uint8_t> image;
  Plane<uint16_t> half;
  std::vector<BlockPosition> ranges;
  std::vector<BlockPosition> domains;
  uint32_t side = 4;

  Searched(Plane<uint8_t> picture, uint32_t block_side, uint32_t domain_stride)
      : image(std::move(picture)), half(sums_of_four(image)), side(block_side) {
    for (uint32_t y = 0; y + side <= image.height; y += side) {
      for (uint32_t x = 0; x + side <= image.width; x += side) {
        ranges.push_back({x, y});
      }
    }
    for (uint32_t y = 0; y + side <= half.height; y += domain_stride) {
      for (uint32_t x = 0; x + side <= half.width; x += domain_stride) {
        domains.push_back({x, y});
      }
    }
  }
  SearchTask task(RotationSet rotations = RotationSet::kAll) const {
    return {&image, &half, side, ranges, domains, rotations};
  }
};

using Matches = std::vector<BlockMatch>;

Matches by_simd(const SearchTask& task) {
  Matches matches(task.ranges.size());
  search_simd(task, pack_domains(task), task.ranges, matches);
  return matches;
}
Matches by_scalar(const SearchTask& task) {
  Matches matches(task.ranges.size());
  search_scalar(task, matches);
  return matches;
}
Matches by_baseline(const SearchTask& task) {
  Matches matches(task.ranges.size());
  search_baseline(task, matches);
  return matches;
}

void expect_same(const Matches& one, const Matches& two) {
  ASSERT_EQ(one.size(), two.size());
  for (size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].domain, two[i].domain) << "range " << i;
    ASSERT_EQ(one[i].rotation, two[i].rotation) << "range " << i;
    ASSERT_EQ(one[i].scale, two[i].scale) << "range " << i;
    ASSERT_EQ(one[i].error, two[i].error) << "range " << i;
  }
}

// The error of one pairing straight from the pixels: s by least squares, clamped, o by the means.
double plain_error(const Searched& blocks, const BlockPosition& range, const BlockPosition& domain,
                   uint32_t rotation) {
  const Traversal way = traversal(rotation, blocks.side, blocks.half.width);
  const uint16_t* start = blocks.half.row(domain.y) + domain.x + way.base;
  std::vector<double> a;
  std::vector<double> b;
  double mean_a = 0;
  double mean_b = 0;
  for (ptrdiff_t y = 0; y < blocks.side; ++y) {
    for (ptrdiff_t x = 0; x < blocks.side; ++x) {
      a.push_back(start[x * way.step_x + y * way.step_y] / 4.0);
      b.push_back(
          blocks.image.at(range.x + static_cast<uint32_t>(x), range.y + static_cast<uint32_t>(y)));
      mean_a += a.back();
      mean_b += b.back();
    }
  }
  const auto count = static_cast<double>(a.size());
  mean_a /= count;
  mean_b /= count;
  double covariance = 0;
  double variance = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    covariance += (a[i] - mean_a) * (b[i] - mean_b);
    variance += (a[i] - mean_a) * (a[i] - mean_a);
  }
  const double s = variance > 0 ? std::clamp(covariance / variance, 0.0, kPaperMaxScale) : 0.0;
  double error = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double rest = b[i] - mean_b - s * (a[i] - mean_a);
    error += rest * rest;
  }
  return error / count;
}

void expect_best(const Searched& blocks, const Matches& matches) {
  for (size_t i = 0; i < matches.size(); ++i) {
    double least = HUGE_VAL;
    for (const BlockPosition& domain : blocks.domains) {
      for (uint32_t rotation = 0; rotation < 4; ++rotation) {
        least = std::min(least, plain_error(blocks, blocks.ranges[i], domain, rotation));
      }
    }
    ASSERT_NEAR(matches[i].error, least, 1e-6 * (1 + least)) << "range " << i;
    ASSERT_NEAR(plain_error(blocks, blocks.ranges[i], blocks.domains[matches[i].domain],
                            matches[i].rotation),
                least, 1e-6 * (1 + least))
        << "range " << i;
  }
}

TEST(PaperSearch, BaselineFindsTheLeastError) {
  for (const uint32_t side : {4u, 8u}) {
    const Searched blocks(photo_plane(64, 64), side, side);
    expect_best(blocks, by_baseline(blocks.task()));
  }
}

class PaperKernels : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, PaperKernels, testing::ValuesIn(isas_to_test()),
                         [](const auto& isa) { return isa.param; });

TEST_P(PaperKernels, AllThreeAgree) {
  for (const uint32_t side : {4u, 8u, 16u}) {
    const Searched blocks(photo_plane(128, 128, side), side, side);
    for (const RotationSet rotations : {RotationSet::kAll, RotationSet::kHalfTurns}) {
      const Matches simd = by_simd(blocks.task(rotations));
      expect_same(simd, by_scalar(blocks.task(rotations)));
      expect_same(simd, by_baseline(blocks.task(rotations)));
    }
  }
}

TEST_P(PaperKernels, OverlappingDomainsAgree) {
  const Searched blocks(photo_plane(64, 64, 9), 4, 1);
  expect_same(by_simd(blocks.task()), by_scalar(blocks.task()));
}

// A repeating picture: many domains and rotations tie, the first must win.
TEST_P(PaperKernels, TiesGoToTheLowestDomainAndRotation) {
  Plane<uint8_t> picture(64, 64);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      picture.at(x, y) = static_cast<uint8_t>(((x / 8 + y / 8) % 2) * 200 + (x % 8 < 4 ? 20 : 0));
    }
  }
  const Searched blocks(picture, 8, 8);
  const Matches simd = by_simd(blocks.task());
  expect_same(simd, by_baseline(blocks.task()));
  for (size_t i = 0; i < simd.size(); ++i) {
    for (uint32_t d = 0; d <= simd[i].domain; ++d) {
      for (uint32_t rotation = 0; rotation < 4; ++rotation) {
        if (d == simd[i].domain && rotation >= simd[i].rotation) {
          break;
        }
        EXPECT_GT(plain_error(blocks, blocks.ranges[i], blocks.domains[d], rotation),
                  simd[i].error - 1e-9);
      }
    }
  }
}

TEST_P(PaperKernels, ExtremePicturesAgree) {
  Random random(5);
  Plane<uint8_t> picture(64, 64);
  for (uint8_t& pixel : picture.samples) {
    pixel = (random() & 1) != 0 ? 255 : 0;
  }
  const Searched noise(picture, 4, 4);
  expect_same(by_simd(noise.task()), by_scalar(noise.task()));
  const Searched flat(Plane<uint8_t>(32, 32, 77), 4, 4);
  const Matches matches = by_simd(flat.task());
  for (const BlockMatch& match : matches) {
    EXPECT_EQ(match.domain, 0u);
    EXPECT_EQ(match.rotation, 0u);
    EXPECT_EQ(match.scale, 0.0);
    EXPECT_EQ(match.error, 0.0);
  }
}

// More than 64x64 samples per block: sums of parts in 64 bits.
TEST_P(PaperKernels, LargeBlocksAgree) {
  Plane<uint8_t> picture = photo_plane(512, 512, 3);
  for (uint32_t y = 0; y < 256; ++y) {
    for (uint32_t x = 0; x < 512; ++x) {
      picture.at(x, y) = x < 256 ? 255 : 0;  // as large as sums get
    }
  }
  const Searched blocks(picture, 128, 128);
  expect_same(by_simd(blocks.task()), by_scalar(blocks.task()));
}

// Where s would exceed its limit, another domain may be better than the one with the highest
// correlation.
TEST(PaperSearch, ClampedScalesAreScoredAsClamped) {
  Plane<uint8_t> picture(64, 64, 100);
  for (uint32_t y = 0; y < 64; ++y) {
    for (uint32_t x = 0; x < 64; ++x) {
      const int weak = static_cast<int>((x / 2) % 2) * 8;  // fits exactly, s = 10
      const int strong = static_cast<int>((x / 2) % 2) * 80 + (y % 4 == 0 ? 20 : 0);
      picture.at(x, y) = static_cast<uint8_t>(60 + (x < 32 ? weak : strong));
    }
  }
  const Searched blocks(picture, 4, 4);
  const Matches matches = by_simd(blocks.task());
  expect_best(blocks, matches);
  for (const BlockMatch& match : matches) {
    EXPECT_LE(match.scale, kPaperMaxScale);
    EXPECT_GE(match.scale, 0.0);
  }
}

TEST(PaperCoder, SplitsByTheThreshold) {
  const Plane<uint8_t> image = photo_plane(128, 128);
  PaperSettings settings;
  settings.depth = 5;
  settings.epsilon = 60;
  const auto encoding = encode_paper(image, settings, run_serially);
  ASSERT_TRUE(encoding);
  uint64_t covered = 0;
  bool several = false;
  for (const PaperTransform& transform : encoding->transforms) {
    covered += uint64_t{transform.side} * transform.side;
    if (transform.side > 4) {
      EXPECT_LE(transform.match.error, 60.0);
      several = true;
    }
  }
  EXPECT_EQ(covered, 128u * 128u);
  EXPECT_TRUE(several);
}

TEST(PaperCoder, StreamsRoundTrip) {
  const Plane<uint8_t> image = photo_plane(128, 128);
  PaperSettings settings;
  settings.depth = 5;
  settings.epsilon = 40;
  const auto encoding = encode_paper(image, settings, run_serially).value();
  const Bytes stream = write_paper_stream(encoding, 128, 5);
  const auto list = read_paper_stream(stream, 128, 5, "test");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->leaves.size(), encoding.transforms.size());
  for (const PaperTransform& transform : encoding.transforms) {
    const auto leaf = std::find_if(list->leaves.begin(), list->leaves.end(), [&](const Leaf& one) {
      return one.x == transform.range.x && one.y == transform.range.y;
    });
    ASSERT_NE(leaf, list->leaves.end());
    EXPECT_EQ(leaf->side(), transform.side);
    EXPECT_EQ(leaf->mean, static_cast<int>(transform.mean) * kSampleUnit);
    EXPECT_NEAR(leaf->scale / 32.0, transform.match.scale, 1.0 / 64 + 1e-9);
    if (leaf->kind == LeafKind::kFractal) {
      EXPECT_EQ(leaf->domain_x, transform.domain_at.x);
      EXPECT_EQ(leaf->domain_y, transform.domain_at.y);
      EXPECT_EQ(leaf->isometry, transform.match.rotation);
    }
  }
}

TEST(PaperCoder, RefusesWhatItCannotDo) {
  PaperSettings settings;
  EXPECT_EQ(check_paper_settings(100, 100, settings).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(check_paper_settings(128, 64, settings).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(check_paper_settings(128, 128, settings).error().code, ErrorCode::kUsage);  // depth 7
  settings.depth = 5;
  EXPECT_TRUE(check_paper_settings(128, 128, settings));
  settings.epsilon = -1;
  EXPECT_EQ(check_paper_settings(128, 128, settings).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tessera
