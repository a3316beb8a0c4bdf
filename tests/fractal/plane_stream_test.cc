// Tests the bit coder, the stream of a plane and the model of its rate.
#include "fractal/plane_stream.h"

#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;

TEST(BitCoder, RoundTripsBitsAndNumbers) {
  Bytes bytes;
  const auto run = [&](auto&& handle) {
    Random random(3);
    std::array<AdaptiveBit, 4> states;
    for (int i = 0; i < 50000; ++i) {
      const size_t k = random() % 4;
      const bool bit = random() % 100 < k * 33;
      const uint32_t count = random() % 70000 + 1;
      const uint32_t value = random() % count;
      handle(states[k], bit, count, value);
    }
  };
  BitWriter writer(bytes);
  run([&](AdaptiveBit& state, bool bit, uint32_t count, uint32_t value) {
    writer.bit(state, bit);
    writer.uniform(count, value);
  });
  writer.finish();
  BitReader reader(bytes);
  size_t wrong = 0;
  run([&](AdaptiveBit& state, bool bit, uint32_t count, uint32_t value) {
    bool read_bit = false;
    uint32_t read_value = 0;
    reader.bit(state, read_bit);
    reader.uniform(count, read_value);
    wrong += read_bit != bit || read_value != value ? 1 : 0;
  });
  EXPECT_EQ(wrong, 0u);
  EXPECT_FALSE(reader.overrun());
}

TEST(BitCoder, LikelyBitsCostLittle) {
  Bytes bytes;
  BitWriter writer(bytes);
  AdaptiveBit state;
  for (int i = 0; i < 80000; ++i) {
    bool bit = false;
    writer.bit(state, bit);
  }
  writer.finish();
  EXPECT_LT(bytes.size(), 100u);
}

TEST(BitCoder, ReadingPastTheEndIsNoticed) {
  BitReader reader(ByteSpan{});
  AdaptiveBit state;
  bool bit = false;
  uint32_t value = 0;
  for (int i = 0; i < 20; ++i) {
    reader.bit(state, bit);
    reader.uniform(256, value);
  }
  EXPECT_TRUE(reader.overrun());
}

// Leaves at random, as an encoder might choose them.
class RandomLeaves {
 public:
  RandomLeaves(const PlaneShape& shape, uint32_t seed) : shape_(shape), random_(seed) {
    list.width = shape.padded_width();
    list.height = shape.padded_height();
    list.dct_step = shape.dct_step;
    for (uint32_t y = 0; y < list.height; y += kRootSide) {
      for (uint32_t x = 0; x < list.width; x += kRootSide) {
        block(x, y, kMaxLog2Side);
      }
    }
  }
  LeafList list;

 private:
  void block(uint32_t x, uint32_t y, uint32_t log2_side) {
    const bool outside = x >= shape_.width || y >= shape_.height;
    if (!outside && log2_side > kMinLog2Side && random_() % 2 == 0) {
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t half = 1u << (log2_side - 1);
        block(x + (i & 1) * half, y + (i >> 1) * half, log2_side - 1);
      }
      return;
    }
    Leaf leaf;
    leaf.x = static_cast<uint16_t>(x);
    leaf.y = static_cast<uint16_t>(y);
    leaf.log2_side = static_cast<uint8_t>(log2_side);
    leaf.mean = static_cast<int16_t>(random_() % (kMaxSample + 1));
    if (!outside) {
      add_detail(leaf);
    }
    list.leaves.push_back(leaf);
  }

  void add_detail(Leaf& leaf) {
    const DomainField field = domain_field(list.width / 2, list.height / 2, leaf.side());
    const uint32_t kind = random_() % 3;
    if (kind == 1 && field.usable()) {
      leaf.kind = LeafKind::kFractal;
      const int steps = static_cast<int>(random_() % kScaleSteps) + 1;
      leaf.scale = static_cast<int8_t>((random_() % 2 == 0 ? steps : -steps) * kScaleStep);
      leaf.isometry = static_cast<uint8_t>(random_() % 8);
      // Even places exist in every class.
      leaf.domain_x =
          static_cast<uint16_t>(random_() % (static_cast<uint32_t>(field.max_x) / 2 + 1) * 2);
      leaf.domain_y =
          static_cast<uint16_t>(random_() % (static_cast<uint32_t>(field.max_y) / 2 + 1) * 2);
    } else if (kind == 2 && shape_.hybrid) {
      leaf.kind = LeafKind::kDct;
      leaf.level_count = static_cast<uint16_t>(random_() % max_levels(leaf.log2_side) + 1);
      leaf.first_level = static_cast<uint32_t>(list.levels.size());
      for (uint32_t i = 0; i < leaf.level_count; ++i) {
        list.levels.push_back(static_cast<int16_t>(static_cast<int>(random_() % 9) - 4));
      }
      list.levels.back() = random_() % 2 == 0 ? int16_t{300} : int16_t{-1};
    }
  }

  PlaneShape shape_;
  Random random_;
};

void expect_round_trip(const PlaneShape& shape, uint32_t seed) {
  LeafList list = RandomLeaves(shape, seed).list;
  Bytes bytes;
  BitWriter writer(bytes);
  PlaneModel model;
  write_plane(writer, shape, model, list);
  writer.finish();
  BitReader reader(bytes);
  const LeafList read = read_plane(reader, shape);
  EXPECT_FALSE(reader.overrun());
  ASSERT_EQ(read.leaves.size(), list.leaves.size());
  for (size_t i = 0; i < list.leaves.size(); ++i) {
    const Leaf& a = list.leaves[i];
    const Leaf& b = read.leaves[i];
    ASSERT_TRUE(a.x == b.x && a.y == b.y && a.log2_side == b.log2_side && a.kind == b.kind &&
                a.mean == b.mean)
        << i;
    if (a.kind == LeafKind::kFractal) {
      ASSERT_TRUE(a.scale == b.scale && a.isometry == b.isometry && a.domain_x == b.domain_x &&
                  a.domain_y == b.domain_y)
          << i;
    }
    if (a.kind == LeafKind::kDct) {
      ASSERT_EQ(a.level_count, b.level_count);
      for (uint32_t k = 0; k < a.level_count; ++k) {
        ASSERT_EQ(list.levels[a.first_level + k], read.levels[b.first_level + k]) << i;
      }
    }
  }
}

TEST(PlaneStream, RoundTrips) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    expect_round_trip({200, 150, 500, true}, seed);
    expect_round_trip({200, 150, 500, false}, seed);
    expect_round_trip({33, 7, 64, true}, seed);
    expect_round_trip({1, 1, 64, false}, seed);
  }
}

TEST(PlaneStream, MeansAreNearWhatWasAsked) {
  const PlaneShape shape = {64, 64, 320, true};
  LeafList list = RandomLeaves(shape, 9).list;
  const LeafList wanted = list;
  count_plane(shape, list);
  for (size_t i = 0; i < list.leaves.size(); ++i) {
    EXPECT_LE(std::abs(list.leaves[i].mean - wanted.leaves[i].mean),
              mean_step(320, list.leaves[i].log2_side) / 2 + 1);
  }
}

TEST(PlaneStream, AnyBitsGiveLeavesInsideThePlane) {
  Random random(17);
  for (int trial = 0; trial < 60; ++trial) {
    Bytes bytes(random() % 400);
    for (uint8_t& byte : bytes) {
      byte = static_cast<uint8_t>(random());
    }
    const PlaneShape shape = {random() % 130 + 1, random() % 130 + 1, 100, trial % 2 == 0};
    BitReader reader(bytes);
    const LeafList list = read_plane(reader, shape);
    uint64_t area = 0;
    for (const Leaf& leaf : list.leaves) {
      area += uint64_t{leaf.side()} * leaf.side();
      ASSERT_LE(leaf.x + leaf.side(), list.width);
      ASSERT_LE(leaf.y + leaf.side(), list.height);
      ASSERT_TRUE(leaf.mean >= 0 && leaf.mean <= kMaxSample);
      if (leaf.kind == LeafKind::kFractal) {
        ASSERT_LE(leaf.domain_x + leaf.side(), list.width / 2);
        ASSERT_LE(leaf.domain_y + leaf.side(), list.height / 2);
      }
      if (leaf.kind == LeafKind::kDct) {
        ASSERT_TRUE(shape.hybrid);
        ASSERT_LE(leaf.first_level + leaf.level_count, list.levels.size());
        ASSERT_LE(leaf.level_count, max_levels(leaf.log2_side));
      }
    }
    EXPECT_EQ(area, uint64_t{list.width} * list.height);
  }
}

TEST(RateModel, LogarithmsAreRight) {
  for (const uint64_t value : {1ull, 2ull, 3ull, 1000ull, 4096ull, 70000ull, 1234567ull}) {
    EXPECT_NEAR(exact_log2(value), std::log2(static_cast<double>(value)), 1e-3) << value;
  }
}

TEST(RateModel, LearnsWhatIsCommon) {
  RateModel rates;
  EXPECT_EQ(rates.bits(0, true), 1.0);
  std::vector<RateModel::Counts> counts(RateModel::bit_count());
  counts[0] = {10, 1000};
  rates.learn(counts);
  EXPECT_GT(rates.bits(0, true), 6.0);
  EXPECT_LT(rates.bits(0, false), 0.05);
}

}  // namespace
}  // namespace tessera
