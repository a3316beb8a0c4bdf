// Tests the search for domains against a plain one.
#include "fractal/domain_search.h"

#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;

class DomainSearch : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, DomainSearch, testing::ValuesIn(isas_to_test()),
                         [](const auto& isa) { return isa.param; });

struct Pairing {
  double covariance = 0;
  double variance = 0;
  double gain() const { return variance > 0 ? covariance * covariance / variance : 0; }
};

Pairing plain_pairing(const Plane<uint8_t>& image, const Plane<uint16_t>& half, uint32_t x,
                      uint32_t y, uint32_t side, const DomainPlace& place, uint32_t isometry) {
  const Traversal way = traversal(isometry, side, half.width);
  const uint16_t* domain = half.row(static_cast<uint32_t>(place.y)) + place.x + way.base;
  double a = 0;
  double b = 0;
  double aa = 0;
  double ab = 0;
  for (ptrdiff_t j = 0; j < side; ++j) {
    for (ptrdiff_t i = 0; i < side; ++i) {
      const double one = domain[i * way.step_x + j * way.step_y] / 4.0;
      const double two = image.at(x + static_cast<uint32_t>(i), y + static_cast<uint32_t>(j));
      a += one;
      b += two;
      aa += one * one;
      ab += one * two;
    }
  }
  const double count = static_cast<double>(side) * side;
  return {ab - a * b / count, aa - a * a / count};
}

// The best of each class over all places and isometries.
std::array<double, kRingCount> plain_best(const Plane<uint8_t>& image, const Plane<uint16_t>& half,
                                          uint32_t x, uint32_t y, uint32_t side) {
  std::array<double, kRingCount> best{};
  const DomainField field = domain_field(half.width, half.height, side);
  const DomainPlace home = home_place(x, y, side, field);
  for (DomainPlace place; place.y <= field.max_y; ++place.y) {
    for (place.x = 0; place.x <= field.max_x; ++place.x) {
      const uint32_t ring = ring_of(place, home);
      if (place.x % ring_stride(ring) != 0 || place.y % ring_stride(ring) != 0) {
        continue;
      }
      for (uint32_t isometry = 0; isometry < kIsometryCount; ++isometry) {
        const Pairing pairing = plain_pairing(image, half, x, y, side, place, isometry);
        if (pairing.variance > 0.25 * side * side) {
          best[ring] = std::max(best[ring], pairing.gain());
        }
      }
    }
  }
  return best;
}

TEST_P(DomainSearch, FindsTheBestOfEachClass) {
  const Plane<uint8_t> image = photo_plane(160, 64, 4);
  const Plane<uint16_t> half = sums_of_four(image);
  for (const uint32_t log2_side : {2u, 3u}) {
    const uint32_t side = 1u << log2_side;
    const SizeSearch search = prepare_search(half, log2_side);
    std::vector<BlockCandidates> found(image.width / side);
    const uint32_t row = 3;
    search_block_row(image, half, search, row, found);
    for (size_t i = 0; i < found.size(); i += 7) {
      const auto x = static_cast<uint32_t>(i) * side;
      const auto best = plain_best(image, half, x, row * side, side);
      for (uint32_t ring = 0; ring < kRingCount; ++ring) {
        const DomainCandidate& one = found[i][ring];
        const double gain =
            one.variance > 0 ? double{one.covariance} * one.covariance / one.variance : 0;
        // The search compares blocks whose means were rounded.
        EXPECT_NEAR(gain, best[ring], 0.01 * best[ring] + 1) << "block " << i << " ring " << ring;
        const Pairing pairing =
            plain_pairing(image, half, x, row * side, side, {one.x, one.y}, one.isometry);
        if (one.variance > 0) {
          EXPECT_NEAR(one.covariance, pairing.covariance,
                      1e-3 * (1 + std::abs(pairing.covariance)));
          EXPECT_NEAR(one.variance, pairing.variance, 1e-3 * (1 + pairing.variance));
        }
      }
    }
  }
}

TEST_P(DomainSearch, IsTheSameOnEveryIsa) {
  const Plane<uint8_t> image = photo_plane(192, 160, 2);
  const Plane<uint16_t> half = sums_of_four(image);
  for (uint32_t log2_side = kMinLog2Side; log2_side <= kMaxLog2Side; ++log2_side) {
    const SizeSearch search = prepare_search(half, log2_side);
    std::vector<BlockCandidates> here(image.width >> log2_side);
    std::vector<BlockCandidates> plain(here.size());
    search_block_row(image, half, search, 1, here);
    ASSERT_TRUE(restrict_isa(available_isas().back()));
    search_block_row(image, half, search, 1, plain);
    ASSERT_TRUE(restrict_isa(GetParam() == "best" ? "" : GetParam()));
    for (size_t i = 0; i < here.size(); ++i) {
      for (uint32_t ring = 0; ring < kRingCount; ++ring) {
        EXPECT_EQ(here[i][ring].x, plain[i][ring].x);
        EXPECT_EQ(here[i][ring].y, plain[i][ring].y);
        EXPECT_EQ(here[i][ring].isometry, plain[i][ring].isometry);
        EXPECT_EQ(here[i][ring].covariance, plain[i][ring].covariance);
      }
    }
  }
}

TEST(DomainSearchLimits, PlanesTooSmallForADomainHaveNone) {
  const Plane<uint8_t> image = photo_plane(32, 32);
  const Plane<uint16_t> half = sums_of_four(image);
  const SizeSearch search = prepare_search(half, 5);
  EXPECT_FALSE(search.field.usable());
  std::vector<BlockCandidates> found(1);
  search_block_row(image, half, search, 0, found);
  for (const DomainCandidate& candidate : found[0]) {
    EXPECT_EQ(candidate.covariance, 0.0f);
  }
}

TEST(DomainSearchLimits, FlatPicturesOfferNoDomains) {
  const Plane<uint8_t> image(64, 64, 90);
  const Plane<uint16_t> half = sums_of_four(image);
  std::vector<BlockCandidates> found(16);
  search_block_row(image, half, prepare_search(half, 2), 2, found);
  for (const BlockCandidates& block : found) {
    for (const DomainCandidate& candidate : block) {
      EXPECT_EQ(candidate.covariance, 0.0f);
    }
  }
}

TEST(DistanceRings, EveryPlaceHasOneNumber) {
  for (const DomainField field : {DomainField{40, 30}, DomainField{0, 0}, DomainField{200, 3}}) {
    const DomainPlace home = home_place(50, 20, 8, field);
    size_t places = 0;
    for (uint32_t number = 0; number < kRingCount; ++number) {
      const Ring ring(number, home, field);
      for (uint32_t i = 0; i < ring.count(); ++i) {
        const DomainPlace place = ring.place_of(i);
        ASSERT_EQ(ring.index_of(place), i);
        ASSERT_EQ(ring_of(place, home), number);
        ASSERT_TRUE(place.x >= 0 && place.y >= 0 && place.x <= field.max_x &&
                    place.y <= field.max_y);
        ++places;
      }
    }
    size_t expected = 0;
    for (DomainPlace place; place.y <= field.max_y; ++place.y) {
      for (place.x = 0; place.x <= field.max_x; ++place.x) {
        const int32_t stride = ring_stride(ring_of(place, home));
        expected += place.x % stride == 0 && place.y % stride == 0 ? 1 : 0;
      }
    }
    EXPECT_EQ(places, expected);
  }
}

}  // namespace
}  // namespace tessera
