// Tests targets and limits: what is chosen, that it holds, and what cannot be.
#include <gtest/gtest.h>

#include <algorithm>

#include "codec/advice.h"
#include "codec/goal_rules.h"
#include "codec/goal_search.h"
#include "codec/option_makers.h"
#include "codec/registry.h"
#include "codec/sampled_picture.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

class Goals : public testing::Test {
 protected:
  void SetUp() override {
    plan_.codec = find_codec("astc").value();
    plan_.container = ContainerType::kAstc;
    plan_.metrics = true;
    picture_ = make_synthetic_image(SyntheticKind::kPhoto, 192, 160, 5).value();
  }

  Result<EncodedFile> encode() { return encode_picture(picture_.view(), plan_, *backend_, {}); }

  // What one block size and preset come to.
  double psnr_of(BlockSize block, Preset preset) {
    EncodePlan plan = plan_;
    plan.goals = {};
    plan.metrics = true;
    plan.settings.block = block;
    plan.settings.preset = preset;
    return encode_picture(picture_.view(), plan, *backend_, {}).value().report.metrics->psnr_rgb;
  }

  EncodePlan plan_;
  Image picture_;
  std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
};

TEST_F(Goals, TheLargestBlocksThatReachATarget) {
  const std::vector<BlockSize> sizes = open_block_sizes(plan_);
  ASSERT_EQ(sizes.size(), 14u);
  for (const double target : {28.0, 33.0, 38.0}) {
    plan_.goals.psnr = target;
    const auto file = encode();
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_TRUE(file->report.chosen);
    EXPECT_GE(file->report.metrics->psnr_rgb, target);
    const auto chosen = std::find(sizes.begin(), sizes.end(), file->report.chosen->block);
    ASSERT_NE(chosen, sizes.end());
    // Two sizes up, no preset that is tried reaches it.
    for (auto larger = chosen + 1; larger != sizes.end(); ++larger) {
      if (larger - chosen >= 2) {
        EXPECT_LT(psnr_of(*larger, Preset::kThorough), target) << block_size_name(*larger);
      }
    }
    EXPECT_NE(file->report.chosen->reason.find("reaches"), std::string::npos);
  }
}

TEST_F(Goals, WhatIsChosenIsWhatTheSettingsMake) {
  plan_.goals.psnr = 36;
  const EncodedFile file = encode().value();
  EncodePlan named = plan_;
  named.goals = {};
  named.settings.block = file.report.chosen->block;
  named.settings.preset = file.report.chosen->preset;
  const EncodedFile again = encode_picture(picture_.view(), named, *backend_, {}).value();
  EXPECT_EQ(file.bytes, again.bytes);
  const auto serial = make_cpu_backend(1);
  EXPECT_EQ(encode_picture(picture_.view(), plan_, *serial, {}).value().bytes, file.bytes);
}

TEST_F(Goals, ProgressNeverFalls) {
  const auto serial = make_cpu_backend(1);  // progress comes from one thread
  for (const double target : {28.0, 33.0, 38.0}) {
    plan_.goals.psnr = target;
    double latest = 0;
    bool goes_up = true;
    RunControl control;
    control.progress = [&](double fraction) {
      goes_up = goes_up && fraction >= latest && fraction <= 1;
      latest = fraction;
    };
    ASSERT_TRUE(encode_picture(picture_.view(), plan_, *serial, control));
    EXPECT_TRUE(goes_up);
    EXPECT_GT(latest, 0);
  }
}

TEST_F(Goals, OtherMeasures) {
  plan_.goals.ssim = 0.97;
  EXPECT_GE(encode().value().report.metrics->ssim, 0.97);
  plan_.goals = {};
  plan_.goals.max_error = 40.0 / 255;
  EXPECT_LE(encode().value().report.metrics->max_error, 40.0 / 255);
  plan_.goals.psnr = 37;  // both
  const EncodeReport report = encode().value().report;
  EXPECT_LE(report.metrics->max_error, 40.0 / 255);
  EXPECT_GE(report.metrics->psnr_rgb, 37);
}

Result<EncodeGoals> goals_of(const std::string& limits) {
  static constexpr std::array kOptions = {
      option::text("target-psnr", "", ""), option::text("target-ssim", "", ""),
      option::text("max-error", "", ""), option::text("max-bpp", "", ""),
      option::text("max-bytes", "", "")};
  const OptionList list = {{"max-error", limits}};
  return read_goals(OptionReader(list, kOptions));
}

TEST_F(Goals, LimitsOfChannels) {
  EncodeGoals goals = goals_of("8,4,8,2").value();
  EXPECT_DOUBLE_EQ(*goals.max_error, 8.0 / 255);
  EXPECT_EQ(goals.error_counts, (std::array<double, 4>{1, 2, 1, 4}));
  EXPECT_EQ(goals_text(goals), "--max-error 8,4,8,2");
  // Alpha is free, and green exact.
  EXPECT_EQ(goals_text(goals_of("8,0,8").value()), "--max-error 8,0,8,255");
  goals = goals_of("6,6,6,6").value();
  EXPECT_FALSE(goals.has_channel_limits());
  EXPECT_EQ(goals_text(goals), "--max-error 6");
  for (const char* text : {"", ",", "1,2", "1,2,3,4,5", "256", "-1", "1,2,3,", "1;2;3"}) {
    EXPECT_FALSE(goals_of(text)) << text;
  }
}

TEST_F(Goals, ANamedPresetOrBlockStays) {
  plan_.goals.psnr = 34;
  plan_.goals.preset_is_open = false;
  plan_.settings.preset = Preset::kFast;
  EXPECT_EQ(encode().value().report.chosen->preset, Preset::kFast);
  plan_.goals.preset_is_open = true;
  plan_.goals.block_is_open = false;
  plan_.settings.block = BlockSize{5, 4};
  EXPECT_EQ(encode().value().report.chosen->block, (BlockSize{5, 4}));
}

TEST_F(Goals, LimitsHoldWithMipLevels) {
  plan_.container = ContainerType::kKtx2;
  plan_.mips = true;
  for (const uint64_t bytes : {40000u, 20000u, 7000u}) {
    plan_.goals.bytes = bytes;
    const auto file = encode();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_LE(file->bytes.size(), bytes);
    EXPECT_GT(file->bytes.size(), bytes / 2);
    EXPECT_EQ(file->report.level_count, 8u);
  }
}

TEST_F(Goals, BitsPerPixelAreThoseOfTheBlocks) {
  plan_.goals.bits_per_pixel = 8;
  EXPECT_EQ(encode().value().report.chosen->block, (BlockSize{4, 4}));
  plan_.goals.bits_per_pixel = 3.56;
  EXPECT_EQ(encode().value().report.chosen->block, (BlockSize{6, 6}));
}

TEST_F(Goals, WhatCannotBeIsOneSentence) {
  picture_ = make_synthetic_image(SyntheticKind::kNoise, 64, 48, 5).value();
  plan_.goals.psnr = 90;
  const auto target = encode();
  ASSERT_FALSE(target);
  EXPECT_EQ(target.error().code, ErrorCode::kFailed);
  EXPECT_NE(target.error().message.find("cannot be reached"), std::string::npos);
  plan_.goals = {};
  plan_.goals.bytes = 100;
  const auto limit = encode();
  ASSERT_FALSE(limit);
  EXPECT_EQ(limit.error().code, ErrorCode::kFailed);
  EXPECT_NE(limit.error().message.find("12x12"), std::string::npos);
  plan_.goals = {};
  plan_.goals.bits_per_pixel = 0.5;
  EXPECT_EQ(encode().error().code, ErrorCode::kFailed);
}

TEST_F(Goals, PlansWithoutAChoiceAreRefused) {
  plan_.goals.psnr = 30;
  plan_.goals.block_is_open = plan_.goals.preset_is_open = false;
  EXPECT_EQ(check_encode_plan(plan_).error().code, ErrorCode::kUsage);
  plan_.goals.block_is_open = plan_.goals.preset_is_open = true;
  plan_.codec = find_codec("bc1").value();
  plan_.container = ContainerType::kDds;
  EXPECT_EQ(check_encode_plan(plan_).error().code, ErrorCode::kUsage);
}

TEST_F(Goals, AreNotForHighDynamicRange) {
  plan_.goals.psnr = 30;
  for (const Profile profile : {Profile::kHdr, Profile::kHdra}) {
    plan_.settings.profile = profile;
    EXPECT_EQ(check_encode_plan(plan_).error().code, ErrorCode::kUnsupported)
        << profile_name(profile);
  }
}

TEST_F(Goals, AdviceGoesDownWithTheBits) {
  const auto encoder = plan_.codec->make_encoder(plan_.settings).value();
  const PreparedImage prepared = prepare_image(picture_.view(), plan_, *encoder).value();
  const auto advice = advise(prepared.image.view(), plan_, *backend_, {});
  ASSERT_TRUE(advice) << advice.error().message;
  ASSERT_EQ(advice->rows.size(), 14u);
  EXPECT_GT(advice->rows.front().badness.psnr(), advice->rows.back().badness.psnr() + 5);
  for (const AdviceRow& row : advice->rows) {
    EXPECT_NEAR(row.badness.psnr(), psnr_of(row.block, Preset::kMedium), 1.0);
  }
  EXPECT_NE(advice->reason.find(block_size_name(advice->rows[advice->recommended].block)),
            std::string::npos);
}

TEST(SampledPicture, IsMadeOfTheLargeOne) {
  const Image picture = make_synthetic_image(SyntheticKind::kPhoto, 640, 480, 1).value();
  const Image sample = sample_picture(picture.view(), {5, 5}, 20).value();
  EXPECT_EQ(sample.width(), 8 * 25u);
  EXPECT_EQ(sample.height(), 3 * 25u);
  const Image same = sample_picture(picture.view(), {5, 5}, 20).value();
  for (uint32_t y = 0; y < sample.height(); ++y) {
    ASSERT_TRUE(std::equal(sample.row<uint8_t>(y), sample.row<uint8_t>(y) + size_t{200} * 3,
                           same.row<uint8_t>(y)));
  }
  EXPECT_TRUE(sample_picture(picture.view(), {12, 12}, 400).value().empty());
}

}  // namespace
}  // namespace tessera
