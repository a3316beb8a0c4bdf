// Tests the optimisation of BC1 for byte compressors: rate against error, and what must not change.
#include "bc/optimise_rate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/rate_rows.h"
#include "bc/bc1_encode.h"
#include "bc/bc1_format.h"
#include "bc/rate_model.h"
#include "image/convert.h"
#include "image/synthetic.h"
#include "spmd/isa.h"

namespace tessera {
namespace {

using bc1::Settings;
using Blocks = std::vector<uint8_t>;

class OptimiseRate : public testing::Test {
 protected:
  void SetUp() override { make(SyntheticKind::kPhoto, 210, 150); }

  void make(SyntheticKind kind, uint32_t width, uint32_t height) {
    image_ =
        convert_channels(make_synthetic_image(kind, width, height, 3).value().view(), 4).value();
    across_ = (width + 3) / 4;
    rows_ = (height + 3) / 4;
    base_.resize(size_t{across_} * rows_ * bc1::kBlockBytes);
    bc1::encode_rows(image_.view(), 0, 0, rows_, settings_, base_);
  }

  Blocks optimised(float lambda, double* bits = nullptr) const {
    Blocks blocks = base_;
    const double found = bc1::optimise_rate(image_.view(), 0, 0, rows_, settings_, lambda, blocks);
    if (bits != nullptr) {
      *bits = found;
    }
    return blocks;
  }

  // Squared error of all samples; a texel that is transparent and should not be counts as lost.
  double error(const Blocks& blocks) const {
    double sum = 0;
    for (uint32_t y = 0; y < image_.height(); ++y) {
      for (uint32_t x = 0; x < image_.width(); ++x) {
        const bc1::Block block =
            bc1::load_block(&blocks[(size_t{y / 4} * across_ + x / 4) * bc1::kBlockBytes]);
        const uint32_t selector = (block.selectors >> (2 * (y % 4 * 4 + x % 4))) & 3;
        const bc1::Rgba8 color = bc1::palette(block)[selector];
        const uint8_t* const texel = image_.row<uint8_t>(y) + size_t{x} * 4;
        const double r = texel[0] - color.r, g = texel[1] - color.g, b = texel[2] - color.b;
        sum += r * r + g * g + b * b + (color.a == 255 ? 0 : 1e9);
      }
    }
    return sum;
  }

  static size_t distinct_halves(const Blocks& blocks) {
    std::set<uint64_t> ends, selectors;
    for (size_t i = 0; i < blocks.size(); i += bc1::kBlockBytes) {
      const bc1::Block block = bc1::load_block(&blocks[i]);
      ends.insert(uint64_t{block.color0} << 16 | block.color1);
      selectors.insert(block.selectors);
    }
    return ends.size() + selectors.size();
  }

  Settings settings_ = bc1::preset_settings(Preset::kMedium);
  Image image_;
  Blocks base_;
  uint32_t across_ = 0;
  uint32_t rows_ = 0;
};

TEST_F(OptimiseRate, MoreLambdaIsLessRateAndMoreError) {
  double bits_before = 1e30, error_before = error(base_);
  size_t halves_before = distinct_halves(base_);
  for (const float lambda : {3.0F, 30.0F, 300.0F}) {
    double bits = 0;
    const Blocks blocks = optimised(lambda, &bits);
    EXPECT_LT(bits, bits_before) << lambda;
    EXPECT_GT(error(blocks), error_before * 0.98) << lambda;
    EXPECT_LT(distinct_halves(blocks), halves_before) << lambda;
    // No saved bit costs more than lambda, in the mean.
    EXPECT_LT(error(blocks) - error(base_), double{lambda} * 64 * across_ * rows_);
    bits_before = bits;
    error_before = error(blocks);
    halves_before = distinct_halves(blocks);
  }
}

TEST_F(OptimiseRate, AVerySmallLambdaDoesNotHurt) {
  EXPECT_LE(error(optimised(0.001F)), error(base_) * 1.001);
}

TEST_F(OptimiseRate, EveryInstructionSetGivesTheSameBytes) {
  const Blocks expected = optimised(25);
  for (const std::string& isa : available_isas()) {
    ASSERT_TRUE(restrict_isa(isa));
    EXPECT_EQ(optimised(25), expected) << isa;
  }
  ASSERT_TRUE(restrict_isa(""));
}

TEST_F(OptimiseRate, PartsDoNotDependOnEachOther) {
  make(SyntheticKind::kPhoto, 1040, 96);
  const uint32_t together = rows_optimised_together(across_);
  ASSERT_LT(together, rows_);
  const Blocks expected = optimised(25);
  Blocks blocks = base_;
  for (uint32_t first = 0; first < rows_; first += together) {
    const uint32_t end = std::min(first + together, rows_);
    const size_t row_bytes = across_ * bc1::kBlockBytes;
    bc1::optimise_rate(image_.view(), 0, first, end, settings_, 25,
                       std::span(blocks).subspan(first * row_bytes, (end - first) * row_bytes));
  }
  EXPECT_EQ(blocks, expected);
}

TEST_F(OptimiseRate, TransparentTexelsStayAndOthersDoNotBecomeSo) {
  settings_.punch_through = true;
  make(SyntheticKind::kSprite, 128, 128);
  const Blocks blocks = optimised(100);
  for (size_t i = 0; i < blocks.size(); i += bc1::kBlockBytes) {
    const bc1::Block before = bc1::load_block(&base_[i]), after = bc1::load_block(&blocks[i]);
    for (unsigned texel = 0; texel < bc1::kBlockTexels; ++texel) {
      const auto alpha = [&](const bc1::Block& block) {
        return bc1::palette(block)[(block.selectors >> (2 * texel)) & 3].a;
      };
      ASSERT_EQ(alpha(before), alpha(after)) << i;
    }
  }
}

TEST(RateModel, LogarithmsAreNearEnough) {
  for (float x = 1; x < 1e6F; x *= 1.37F) {
    EXPECT_NEAR(bc1::log2_of(x), std::log2(x), 0.012);
  }
}

TEST(RateModel, RepeatsAreCheaperThanLiterals) {
  bc1::RateModel model;
  model.count(0x04030201, 5);
  model.settle();
  EXPECT_LT(model.literals(0x04030201), model.literals(0x44332211));
  EXPECT_LT(model.match(1), model.match(100));
  const float before = model.match(100);
  model.note_match(100);
  EXPECT_LT(model.match(100), before);
  EXPECT_EQ(model.running(), 100u);
  for (const uint32_t distance : {1u, 2u, 3u}) {
    model.note_match(distance);
  }
  EXPECT_EQ(model.match(100), before);  // three others have come since
}

}  // namespace
}  // namespace tessera
