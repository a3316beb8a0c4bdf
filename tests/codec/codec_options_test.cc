// Options of codecs: the published lists, key/value strings, and what is refused.
#include <gtest/gtest.h>

#include <set>

#include "bc/bc1_options.h"
#include "codec/registry.h"

namespace tessera {
namespace {

const Codec& codec(const char* name) {
  return *find_codec(name).value();
}

CodecSettings with_options(OptionList options, const char* method = "") {
  CodecSettings settings;
  settings.method = method;
  settings.options = std::move(options);
  return settings;
}

Error refusal(const char* name, const CodecSettings& settings) {
  const auto encoder = codec(name).make_encoder(settings);
  EXPECT_FALSE(encoder) << name;
  return encoder ? failed_error("not refused") : encoder.error();
}

void expect_refused(const char* name, const CodecSettings& settings,
                    std::initializer_list<const char*> words, ErrorCode code = ErrorCode::kUsage) {
  const Error error = refusal(name, settings);
  EXPECT_EQ(error.code, code) << error.message;
  for (const char* word : words) {
    EXPECT_NE(error.message.find(word), std::string::npos) << word << ": " << error.message;
  }
}

bc1::Settings bc1_settings(const char* method, const OptionList& list) {
  return make_bc1_settings(Preset::kFast, method, read_bc1_options(list).value()).value();
}

TEST(OptionDescriptors, AreComplete) {
  for (const Codec* each : all_codecs()) {
    std::set<std::string_view> keys;
    for (const OptionDescriptor& option : each->encode_options()) {
      EXPECT_TRUE(keys.insert(option.key).second) << option.key;
      EXPECT_FALSE(option.help.empty()) << option.key;
      EXPECT_FALSE(option.help.ends_with('.')) << option.key;
      EXPECT_EQ(option.kind == OptionKind::kFlag, option.value_name.empty()) << option.key;
      EXPECT_EQ(option.kind == OptionKind::kChoice, !option.choices.empty()) << option.key;
      if (option.kind == OptionKind::kWhole || option.kind == OptionKind::kNumber) {
        EXPECT_LT(option.least, option.most) << option.key;
      }
    }
  }
}

// Every value at the ends of its range is taken, and the next ones are refused by name.
TEST(OptionDescriptors, RangesAreThoseOfTheCodecs) {
  for (const Codec* each : all_codecs()) {
    for (const OptionDescriptor& option : each->encode_options()) {
      const std::string key(option.key);
      if (option.kind == OptionKind::kWhole) {
        for (const double value : {option.least - 1, option.most + 1, option.least + 0.5}) {
          const OptionList list = {{key, std::to_string(value)}};
          EXPECT_FALSE(OptionReader(list, each->encode_options()).check()) << key << value;
        }
        for (const double value : {option.least, option.most}) {
          const OptionList list = {{key, std::to_string(static_cast<int>(value))}};
          const OptionReader reader(list, each->encode_options());
          EXPECT_TRUE(reader.check()) << key << value;
          EXPECT_EQ(reader.whole(key), static_cast<uint32_t>(value));
        }
      }
      for (size_t i = 0; i < option.choices.size(); ++i) {
        const OptionList list = {{key, std::string(option.choices[i])}};
        EXPECT_TRUE(OptionReader(list, each->encode_options()).check());
        EXPECT_EQ(OptionReader(list, each->encode_options()).choice(key), i);
      }
    }
  }
}

TEST(OptionReader, FlagsAreOnOrOff) {
  const auto flag = [](const char* value) {
    const OptionList list = {{"grey", value}};
    const OptionReader reader(list, codec("fractal").encode_options());
    return reader.check() ? std::optional(reader.flag("grey")) : std::nullopt;
  };
  EXPECT_EQ(flag(""), true);
  EXPECT_EQ(flag("1"), true);
  EXPECT_EQ(flag("true"), true);
  EXPECT_EQ(flag("0"), false);
  EXPECT_EQ(flag("false"), false);
  EXPECT_EQ(flag("maybe"), std::nullopt);
}

TEST(OptionReader, TheLastValueCounts) {
  const OptionList list = {{"depth", "3"}, {"depth", "5"}};
  EXPECT_EQ(OptionReader(list, codec("fractal").encode_options()).whole("depth"), 5u);
}

TEST(OptionReader, TextThatIsNoNumberIsRefused) {
  for (const char* text : {"", " 1", "1 ", "x", "1x", "nan", "0x10", "1,5"}) {
    const OptionList list = {{"passes", text}};
    EXPECT_FALSE(OptionReader(list, codec("bc1").encode_options()).check()) << text;
  }
}

TEST(CodecOptions, AnotherFormatsOptionIsRefusedByNamingItsFormats) {
  expect_refused("bc1", with_options({{"bpp", "1"}}), {"--bpp", "fractal (.tsf)", "not of bc1"});
  expect_refused("astc", with_options({{"three-colors", ""}}), {"--three-colors", "bc1", "astc"});
  expect_refused("fractal", with_options({{"decode-mode", "unorm8"}}), {"--decode-mode", "astc"});
  expect_refused("astc", with_options({{"nonsense", "1"}}), {"--nonsense", "any format"});
  CodecSettings settings;
  settings.quality = 5.0F;
  expect_refused("bc1", settings, {"--quality", "astc (.astc) and fractal (.tsf)"});
  settings = {};
  settings.normal_map = true;
  expect_refused("bc1", settings, {"--normal", "astc"});
  settings = {};
  settings.channel_weights = "1,1,1";
  expect_refused("fractal", settings, {"--channel-weights", "bc1", "astc"});
}

TEST(CodecOptions, DecodeOptionsOfAnyFormat) {
  EXPECT_TRUE(check_decode_options_of_any({{"decoder", "amd"}, {"scale", "2"}}));
  EXPECT_FALSE(check_decode_options_of_any({{"decoder", "intel"}}));
  EXPECT_FALSE(check_decode_options_of_any({{"scale", "3"}}));
  EXPECT_FALSE(check_decode_options_of_any({{"passes", "3"}}));  // of encoding
}

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
  const bc1::Settings settings = bc1_settings("lspiro", {{"lspiro-steps", "2"},
                                                         {"lspiro-iterations", "5"},
                                                         {"lspiro-radius", "3"},
                                                         {"punch-through", ""},
                                                         {"alpha-threshold", "200"},
                                                         {"three-colors", ""},
                                                         {"decoder", "amd"}});
  EXPECT_EQ(settings.lspiro_steps, 2u);
  EXPECT_EQ(settings.lspiro_iterations, 5u);
  EXPECT_EQ(settings.lspiro_radius, 3u);
  EXPECT_TRUE(settings.punch_through);
  EXPECT_EQ(settings.alpha_threshold, 200u);
  EXPECT_TRUE(settings.three_colors);
  EXPECT_EQ(settings.rounding, bc1::Rounding::kAmd);
  EXPECT_EQ(bc1_settings("", {{"punch-through", ""}}).alpha_threshold, 128u);
}

TEST(Bc1Options, WeightsAreThreeWholeNumbers) {
  Bc1Options options;
  options.weights = "3,6,0";
  EXPECT_EQ(make_bc1_settings(Preset::kFast, "", options)->weights,
            (std::array<uint32_t, 3>{3, 6, 0}));
  for (const char* weights : {"1,2", "1,2,3,4", "a,b,c", "1,,3", "1,2,17", "0,0,0", "-1,2,3",
                              "1 2 3", "1,2,3,", ",1,2"}) {
    CodecSettings settings;
    settings.channel_weights = weights;
    expect_refused("bc1", settings, {weights});
  }
}

TEST(Bc1Options, NumbersOutOfRangeAreRefused) {
  expect_refused("bc1", with_options({{"lspiro-steps", "4"}}, "lspiro"), {"--lspiro-steps", "4"});
  expect_refused("bc1", with_options({{"lspiro-radius", "0"}}, "lspiro"), {"--lspiro-radius"});
  expect_refused("bc1", with_options({{"starts", "21"}}, "starts"), {"1 to 20", "21"});
  expect_refused("bc1", with_options({{"passes", "65"}}), {"--passes", "0 to 64", "65"});
  expect_refused("bc1", with_options({{"punch-through", ""}, {"alpha-threshold", "256"}}),
                 {"--alpha-threshold", "256"});
}

TEST(Bc1Options, OptionsThatDoNotGoTogetherAreRefused) {
  expect_refused("bc1", with_options({{"lspiro-steps", "2"}}, "range"), {"lspiro"});
  expect_refused("bc1", with_options({{"starts", "3"}}, "cluster"), {"starts"});
  expect_refused("bc1", with_options({{"cluster-keep", "3"}}), {"cluster"});
  expect_refused("bc1", with_options({{"alpha-threshold", "3"}}), {"--punch-through"});
  expect_refused("bc1", with_options({{"decoder", "intel"}}), {"intel", "nvidia"});
  expect_refused("bc1", with_options({}, "magic"), {"magic", "cluster"}, ErrorCode::kUnsupported);
}

TEST(FractalOptions, OptionsThatDoNotGoTogetherAreRefused) {
  expect_refused("fractal", with_options({{"pure", ""}, {"dct-only", ""}}), {"--pure"});
  expect_refused("fractal", with_options({{"epsilon", "5"}}), {"--search"});
  expect_refused("fractal", with_options({{"search", "simd"}, {"pure", ""}}), {"--search"});
  expect_refused("fractal", with_options({{"search", "magic"}}), {"magic", "simd"});
  expect_refused("fractal", with_options({{"bpp", "0"}}), {"--bpp", "above 0"});
  CodecSettings settings = with_options({{"bpp", "1"}});
  settings.quality = 5.0F;
  expect_refused("fractal", settings, {"--quality", "--bpp"});
  settings = {};
  settings.quality = 0.5F;
  expect_refused("fractal", settings, {"1 to 100"});
  settings = {};
  settings.block = BlockSize{4, 4, 1};
  expect_refused("fractal", settings, {"blocks", "4x4"});
  settings = {};
  settings.profile = Profile::kSrgb;
  expect_refused("fractal", settings, {"srgb"}, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
