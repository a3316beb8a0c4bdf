// Tests targets and limits: what is chosen, that it holds, and what cannot be.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>

#include "codec/advice.h"
#include "codec/goal_rules.h"
#include "codec/goal_search.h"
#include "codec/option_makers.h"
#include "codec/registry.h"
#include "codec/sampled_picture.h"
#include "containers/texture_file.h"
#include "image/convert.h"
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
  const std::vector<BlockSize> sizes = open_block_sizes(plan_, false);
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
  named.settings.preset = parse_preset(file.report.chosen->preset).value();
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

TEST_F(Goals, EstimatesOfTheLargestErrorAreTakenAsRough) {
  EncodeGoals goals;
  goals.max_error = 3.0 / 255;
  const auto reached = [&](double levels, double margin) {
    Badness badness;
    badness.max_error = levels / 255;
    return reaches(badness, goals, margin);
  };
  EXPECT_TRUE(reached(3, 0));
  EXPECT_FALSE(reached(3.1, 0));
  EXPECT_TRUE(reached(3.4, 0.04));
  EXPECT_FALSE(reached(3.6, 0.04));
  EXPECT_TRUE(reached(4.5, -0.3));
  EXPECT_FALSE(reached(5, -0.3));
}

// What a sample tells of --rdo is off by more than other estimates.
TEST_F(Goals, RepeatedBlocksHideNoSize) {
  picture_ = make_synthetic_image(SyntheticKind::kPhoto, 320, 256, 3).value();
  plan_.settings.options = {{"rdo", "20"}};
  ASSERT_GE(psnr_of({8, 6}, Preset::kThorough), 36.05);
  plan_.goals.psnr = 36;
  EXPECT_GE(encode().value().report.chosen->block.texel_count(), 48u);
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
  EXPECT_EQ(encode().value().report.chosen->preset, "fast");
  plan_.settings.quality = 12.5F;
  EXPECT_EQ(encode().value().report.chosen->preset, "quality 12.5");
  plan_.settings.quality.reset();
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

TEST_F(Goals, OfHighDynamicRangeAreInMpsnr) {
  picture_ = convert_samples(picture_.view(), SampleType::kF16).value();
  for (const Profile profile : {Profile::kHdr, Profile::kHdra}) {
    plan_.settings.profile = profile;
    plan_.goals = {};
    plan_.goals.psnr = 38;
    const auto file = encode();
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_GE(file->report.metrics->hdr->mpsnr, 38);
    EXPECT_NE(file->report.chosen->reason.find("38 dB mPSNR"), std::string::npos);
    EXPECT_GT(file->report.chosen->block.texel_count(), 16u);
    plan_.goals.ssim = 0.9;
    EXPECT_EQ(encode().error().code, ErrorCode::kUnsupported);
    plan_.goals.ssim.reset();
    plan_.goals.max_error = 0.1;
    EXPECT_EQ(encode().error().code, ErrorCode::kUnsupported);
  }
}

// A ball in soft colours.
Image ball(uint32_t side) {
  ImageInfo info;
  info.width = info.height = info.depth = side;
  info.channels = 3;
  Image image = Image::create(info).value();
  for (uint32_t z = 0; z < side; ++z) {
    for (uint32_t y = 0; y < side; ++y) {
      uint8_t* texel = image.row<uint8_t>(y, z);
      for (uint32_t x = 0; x < side; ++x, texel += 3) {
        const auto from_middle = [&](uint32_t v) { return 2 * int(v) - int(side); };
        const int far = from_middle(x) * from_middle(x) + from_middle(y) * from_middle(y) +
                        from_middle(z) * from_middle(z);
        const bool inside = far < int(side * side);
        texel[0] =
            static_cast<uint8_t>(inside ? 220 - far * 100 / int(side * side) : int(3 * x + z));
        texel[1] = static_cast<uint8_t>(inside ? 90 + x + y : 200 - 2 * z);
        texel[2] = static_cast<uint8_t>(inside ? 40 : 4 * y);
      }
    }
  }
  return image;
}

TEST_F(Goals, OfVolumesChooseBlocksOf3D) {
  picture_ = ball(28);
  ASSERT_EQ(open_block_sizes(plan_, true).size(), 10u);
  unsigned texels = UINT32_MAX;
  for (const double target : {24.0, 32.0, 38.0}) {
    plan_.goals.psnr = target;
    const auto file = encode();
    ASSERT_TRUE(file) << file.error().message;
    const BlockSize block = file->report.chosen->block;
    EXPECT_TRUE(block.is_3d()) << block_size_name(block);
    EXPECT_GE(file->report.metrics->psnr_rgb, target);
    EXPECT_LE(block.texel_count(), texels);
    texels = block.texel_count();
  }
  EXPECT_LT(texels, 216u);
  plan_.goals = {};
  plan_.goals.bits_per_pixel = 2;
  EXPECT_EQ(encode().value().report.chosen->block, (BlockSize{4, 4, 4}));
}

TEST_F(Goals, AdviceKnowsVolumesAndTheWholeFile) {
  picture_ = ball(20);
  const auto encoder = plan_.codec->make_encoder(plan_.settings).value();
  const PreparedImage prepared = prepare_image(picture_.view(), plan_, *encoder).value();
  const auto advice = advise({prepared.image.view()}, plan_, *backend_, {});
  ASSERT_TRUE(advice) << advice.error().message;
  ASSERT_EQ(advice->rows.size(), 10u);
  for (const AdviceRow& row : advice->rows) {
    EncodePlan plan = plan_;
    plan.settings.block = row.block;
    EXPECT_EQ(row.bytes, encode_picture(picture_.view(), plan, *backend_, {}).value().bytes.size());
  }
}

// With the number of --rdo of a size, errors of all levels are as small as with one that is named.
TEST_F(Goals, ASizeChoosesOneNumberForAllLevels) {
  plan_.container = ContainerType::kKtx2;
  plan_.mips = true;
  plan_.settings.block = BlockSize{6, 6};
  plan_.settings.preset = Preset::kFast;
  plan_.settings.options = {{"rdo-size", "90"}};
  const EncodedFile sized = encode().value();
  ASSERT_TRUE(sized.report.rate);
  EXPECT_TRUE(sized.report.rate->is_reached);
  EXPECT_NEAR(sized.report.rate->left, 0.9, 0.05);
  plan_.settings.options = {{"rdo", number_text(double{sized.report.rate->number})}};
  const EncodedFile named = encode().value();
  EXPECT_FALSE(named.report.rate);
  const auto levels = [](const EncodedFile& file) {
    const Texture texture = read_texture(file.bytes, "file").value();
    return texture.levels;
  };
  EXPECT_EQ(levels(sized), levels(named));
}

TEST_F(Goals, ASizeThatCannotBeReachedIsTold) {
  for (const char* format : {"astc", "bc1"}) {
    plan_.codec = find_codec(format).value();
    plan_.container = plan_.codec->row().default_container;
    plan_.settings.preset = Preset::kFast;
    plan_.settings.options = {};
    const double plain = encode().value().report.metrics->psnr_rgb;
    plan_.settings.options = {{"rdo-size", "10"}};
    const EncodeReport report = encode().value().report;
    EXPECT_FALSE(report.rate->is_reached) << format;
    EXPECT_GT(report.rate->left, 0.11) << format;
    EXPECT_GT(report.metrics->psnr_rgb, plain - 9) << format;
  }
}

// Counts the runs that it passes on.
class CountingBackend : public Backend {
 public:
  explicit CountingBackend(std::atomic<bool>* cancelled) : cancelled_(cancelled) {}
  std::string_view name() const override { return backend_->name(); }
  unsigned thread_count() const override { return backend_->thread_count(); }
  Status run(const WorkRange& work, const RangeTask& task, const RunControl& control) override {
    *cancelled_ = ++runs_ == 3;
    return backend_->run(work, task, control);
  }
  unsigned runs() const { return runs_; }

 private:
  std::unique_ptr<Backend> backend_ = make_serial_backend();
  std::atomic<bool>* cancelled_;
  unsigned runs_ = 0;
};

TEST_F(Goals, ChoosingForASizeEndsWhereItIsCancelled) {
  for (const char* format : {"astc", "bc1"}) {
    plan_.codec = find_codec(format).value();
    plan_.container = plan_.codec->row().default_container;
    plan_.settings.options = {{"rdo-size", "80"}};
    std::atomic<bool> cancelled = false;
    CountingBackend backend(&cancelled);
    const auto file = encode_picture(picture_.view(), plan_, backend, {{}, &cancelled, {}});
    ASSERT_FALSE(file) << format;
    EXPECT_EQ(file.error().code, ErrorCode::kInterrupted) << format;
    EXPECT_EQ(backend.runs(), 3u) << format;
  }
}

TEST_F(Goals, AdviceGoesDownWithTheBits) {
  const auto encoder = plan_.codec->make_encoder(plan_.settings).value();
  const PreparedImage prepared = prepare_image(picture_.view(), plan_, *encoder).value();
  const auto advice = advise({prepared.image.view()}, plan_, *backend_, {});
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

TEST(SampledPicture, OfAVolumeIsMadeOfBoxes) {
  const Image volume = ball(64);
  const Image sample = sample_picture(volume.view(), {4, 4, 3}, 64).value();
  EXPECT_EQ(sample.width(), 8 * 24u);
  EXPECT_EQ(sample.info().depth, 6u);
  // Each column of a box is one of the volume's, at slices that begin with a block.
  const uint8_t* const lower = sample.row<uint8_t>(0, 0);
  const uint8_t* const upper = sample.row<uint8_t>(0, 5);
  bool is_found = false;
  for (uint32_t z = 0; z + 6 <= 64; z += 3) {
    for (uint32_t y = 0; y + 24 <= 64; y += 4) {
      for (uint32_t x = 0; x + 24 <= 64; x += 4) {
        is_found =
            is_found || (std::equal(lower, lower + 72, volume.row<uint8_t>(y, z) + x * 3) &&
                         std::equal(upper, upper + 72, volume.row<uint8_t>(y, z + 5) + x * 3));
      }
    }
  }
  EXPECT_TRUE(is_found);
}

}  // namespace
}  // namespace tessera
