// Tests the options of BC1 and which of them are refused.
#include "codec/bc1_options.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Bc1Options, PresetsAndMethodsAreTheirTables) {
  const auto preset = make_bc1_settings(Preset::kThorough, "", {});
  ASSERT_TRUE(preset);
  EXPECT_EQ(preset->start_count, bc1::preset_settings(Preset::kThorough).start_count);
  const auto method = make_bc1_settings(Preset::kThorough, "cluster", {});
  ASSERT_TRUE(method);
  EXPECT_EQ(method->method, bc1::Method::kCluster);
  EXPECT_FALSE(method->punch_through);
  EXPECT_FALSE(method->dark_transparent);
}

TEST(Bc1Options, WhatIsAskedForIsThere) {
  Bc1Options options;
  options.lspiro_steps = 2;
  options.lspiro_iterations = 5;
  options.lspiro_radius = 3;
  options.alpha_threshold = 200;
  options.three_colors = true;
  options.weights = "3,6,0";
  options.decoder = "amd";
  const auto settings = make_bc1_settings(Preset::kFast, "lspiro", options);
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->lspiro_steps, 2u);
  EXPECT_EQ(settings->lspiro_iterations, 5u);
  EXPECT_EQ(settings->lspiro_radius, 3u);
  EXPECT_TRUE(settings->punch_through);
  EXPECT_EQ(settings->alpha_threshold, 200u);
  EXPECT_TRUE(settings->three_colors);
  EXPECT_EQ(settings->weights, (std::array<uint32_t, 3>{3, 6, 0}));
  EXPECT_EQ(settings->rounding, bc1::Rounding::kAmd);
}

void expect_refused(const char* method, const Bc1Options& options, const char* word) {
  const auto settings = make_bc1_settings(Preset::kMedium, method, options);
  ASSERT_FALSE(settings) << word;
  EXPECT_EQ(settings.error().code, ErrorCode::kUsage);
  EXPECT_NE(settings.error().message.find(word), std::string::npos) << settings.error().message;
}

TEST(Bc1Options, WeightsThatAreNoneAreRefused) {
  for (const char* weights : {"1,2", "1,2,3,4", "a,b,c", "1,,3", "1,2,17", "0,0,0", "-1,2,3",
                              "1 2 3", "1,2,3,", ",1,2"}) {
    Bc1Options options;
    options.weights = weights;
    expect_refused("", options, weights);
  }
}

TEST(Bc1Options, NumbersOutOfRangeAreRefused) {
  const auto refuse = [](const char* method, std::optional<uint32_t> Bc1Options::*field,
                         uint32_t value) {
    Bc1Options options;
    options.*field = value;
    expect_refused(method, options, std::to_string(value).c_str());
  };
  refuse("lspiro", &Bc1Options::lspiro_steps, 0);
  refuse("lspiro", &Bc1Options::lspiro_steps, 4);
  refuse("lspiro", &Bc1Options::lspiro_iterations, 65);
  refuse("lspiro", &Bc1Options::lspiro_radius, 0);
  refuse("lspiro", &Bc1Options::lspiro_radius, 4);
  refuse("starts", &Bc1Options::starts, 0);
  refuse("starts", &Bc1Options::starts, 21);
  refuse("cluster", &Bc1Options::cluster_keep, 9);
  refuse("", &Bc1Options::passes, 65);
  refuse("", &Bc1Options::sweeps, 1000);
  refuse("", &Bc1Options::alpha_threshold, 0);
  refuse("", &Bc1Options::alpha_threshold, 256);
}

TEST(Bc1Options, OptionsOfOtherMethodsAreRefused) {
  Bc1Options options;
  options.lspiro_steps = 2;
  expect_refused("range", options, "lspiro");
  options = {};
  options.starts = 3;
  expect_refused("cluster", options, "starts");
  options = {};
  options.cluster_keep = 3;
  expect_refused("", options, "cluster");
}

TEST(Bc1Options, UnknownNamesAreRefused) {
  Bc1Options options;
  options.decoder = "intel";
  expect_refused("", options, "intel");
  const auto method = make_bc1_settings(Preset::kMedium, "magic", {});
  ASSERT_FALSE(method);
  EXPECT_EQ(method.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
