// Loops that several processes share, with the processes in one: results that travel are the same
// as results that do not, and impossible ones are refused.
#include "fractal/shared_loop.h"

#include <gtest/gtest.h>

#include "fractal/fractal_image.h"
#include "fractal/root_leaves.h"
#include "image/convert.h"
#include "image/synthetic.h"

namespace tessera::fractal {
namespace {

// Saves what was computed, spoils nothing, and loads it again in other parts.
class Loopback : public SharedLoop {
 public:
  explicit Loopback(size_t count) : count_(count) {}
  size_t processes() const override { return count_; }
  Status run(const SharedWork& work) override {
    ++loops;
    Bytes all;
    const size_t step = std::max<size_t>(1, work.count / 3);
    for (size_t begin = 0; begin < work.count; begin += step) {
      const size_t end = std::min(begin + step, work.count);
      TESSERA_RETURN_IF_ERROR(work.compute(begin, end));
      Bytes part;
      work.save(begin, end, part);
      TESSERA_RETURN_IF_ERROR(work.load(begin, end, part));
      EXPECT_FALSE(work.load(begin, end, ByteSpan(part).first(part.size() - 1)));
      part.push_back(0);
      EXPECT_FALSE(work.load(begin, end, part));
    }
    work.save(0, work.count, all);
    return work.load(0, work.count, all);
  }
  int loops = 0;

 private:
  size_t count_;
};

Image picture(uint32_t width, uint32_t height, uint32_t channels) {
  const auto image = make_synthetic_image(SyntheticKind::kPhoto, width, height, 3);
  return convert_channels(image->view(), channels).value();
}

void expect_same(const Image& image, EncodeSettings settings, size_t processes) {
  const Bytes alone = *encode_fractal(image.view(), settings, run_serially);
  Loopback loopback(processes);
  settings.shared = &loopback;
  const auto shared = encode_fractal(image.view(), settings, run_serially);
  ASSERT_TRUE(shared) << shared.error().message;
  EXPECT_EQ(*shared, alone);
  EXPECT_GT(loopback.loops, 0);
}

TEST(SharedLoop, OurCoderGivesTheSameBytes) {
  expect_same(picture(75, 66, 3), {}, 2);
  EncodeSettings pure;
  pure.choice = LeafChoice::kPure;
  expect_same(picture(64, 40, 1), pure, 5);
}

TEST(SharedLoop, WholeTilesGiveTheSameBytes) {
  EncodeSettings settings;
  settings.choice = LeafChoice::kDctOnly;  // quick
  settings.quality = 10;
  expect_same(picture(1030, 40, 1), settings, 1);
}

TEST(SharedLoop, ThePapersCoderGivesTheSameBytes) {
  EncodeSettings settings;
  settings.paper = PaperSettings();
  settings.paper->depth = 4;
  settings.paper->epsilon = 20;
  expect_same(picture(64, 64, 1), settings, 3);
}

TEST(SharedValues, ImpossibleOnesAreRefused) {
  std::vector<uint32_t> values = {1, 2, 3, 4};
  const SharedWork work =
      shared_values(std::span(values), 2, [](uint32_t value) { return value < 10; });
  EXPECT_TRUE(work.load(0, 1, Bytes{5, 0, 0, 0, 6, 0, 0, 0}));
  EXPECT_EQ(values, (std::vector<uint32_t>{5, 6, 3, 4}));
  EXPECT_FALSE(work.load(1, 2, Bytes{5, 0, 0, 0, 10, 0, 0, 0}));
  EXPECT_FALSE(work.load(1, 2, Bytes{5, 0, 0, 0}));
  EXPECT_FALSE(work.load(0, 2, Bytes(8)));
}

// A root block of four leaves: flat, fractal, DCT, flat.
RootLeaves some_root() {
  RootLeaves root;
  for (uint16_t i = 0; i < 4; ++i) {
    LeafChoiceResult result;
    result.leaf.x = static_cast<uint16_t>(32 + (i & 1) * 16);
    result.leaf.y = static_cast<uint16_t>(64 + (i >> 1) * 16);
    result.leaf.log2_side = 4;
    root.leaves.push_back(result);
  }
  root.leaves[1].leaf.kind = LeafKind::kFractal;
  root.leaves[1].leaf.domain_x = 48;
  root.leaves[1].leaf.isometry = 7;
  root.leaves[1].leaf.scale = -24;
  root.leaves[2].leaf.kind = LeafKind::kDct;
  root.leaves[2].leaf.level_count = 2;
  root.leaves[2].levels = {-3, 1};
  return root;
}

bool loads(const RootLeaves& root) {
  Bytes bytes;
  save_root(root, bytes);
  ByteReader reader(bytes);
  return load_root(reader, 32, 64, 64, 64).ok();
}

TEST(RootLeaves, ComeBack) {
  Bytes bytes;
  save_root(some_root(), bytes);
  ByteReader reader(bytes);
  const auto root = load_root(reader, 32, 64, 64, 64);
  ASSERT_TRUE(root);
  ASSERT_EQ(root->leaves.size(), 4u);
  EXPECT_EQ(root->leaves[1].leaf.scale, -24);
  EXPECT_EQ(root->leaves[2].levels, (std::vector<int16_t>{-3, 1}));
  for (size_t length = 0; length < bytes.size(); ++length) {
    ByteReader shorter(ByteSpan(bytes).first(length));
    EXPECT_FALSE(load_root(shorter, 32, 64, 64, 64)) << length;
  }
}

TEST(RootLeaves, ImpossibleOnesAreRefused) {
  ASSERT_TRUE(loads(some_root()));
  const auto refused = [](const auto& change) {
    RootLeaves root = some_root();
    change(root.leaves);
    return !loads(root);
  };
  EXPECT_TRUE(refused([](auto& leaves) { leaves[1].leaf.domain_x = 49; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[1].leaf.domain_y = 65535; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[1].leaf.isometry = 8; }));
  for (const int scale : {0, 4, -20, 56, -128}) {  // steps of 8 up to 48
    EXPECT_TRUE(refused([&](auto& leaves) { leaves[1].leaf.scale = static_cast<int8_t>(scale); }));
  }
  EXPECT_TRUE(refused([](auto& leaves) { leaves[0].leaf.mean = -1; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[3].leaf.mean = kMaxSample + 1; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[0].leaf.kind = static_cast<LeafKind>(3); }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[0].leaf.x = 0; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[3].leaf.log2_side = 5; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[3].leaf.log2_side = 1; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[0].leaf.level_count = 1; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves[2].leaf.level_count = 65; }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves.pop_back(); }));
  EXPECT_TRUE(refused([](auto& leaves) { leaves.push_back(leaves.back()); }));
  EXPECT_TRUE(refused([](auto& leaves) { std::swap(leaves[0], leaves[3]); }));
}

}  // namespace
}  // namespace tessera::fractal
