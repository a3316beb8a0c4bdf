#include "codec/registry.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

ErrorCode encoder_error(const CodecSettings& settings) {
  const auto encoder = find_codec("bc1").value()->make_encoder(settings);
  EXPECT_FALSE(encoder);
  return encoder ? ErrorCode::kFailed : encoder.error().code;
}

TEST(Registry, KnowsBc1) {
  const auto codec = find_codec("bc1");
  ASSERT_TRUE(codec);
  EXPECT_EQ((*codec)->format(), TextureFormat::kBc1);
  EXPECT_EQ(find_codec(TextureFormat::kBc1).value(), *codec);
}

TEST(Registry, UnknownNamesAreUsageErrors) {
  for (const char* name : {"", "bc7", "BC1", "bc1 "}) {
    EXPECT_EQ(find_codec(name).error().code, ErrorCode::kUsage) << name;
  }
}

TEST(Registry, FormatsThatThisBuildLacksAreNotSupported) {
  EXPECT_EQ(find_codec("fractal").error().code, ErrorCode::kUnsupported);
}

TEST(Registry, AstcIsDecodedOnly) {
  const Codec* codec = find_codec("astc").value();
  EXPECT_FALSE(codec->can_encode());
  EXPECT_EQ(codec->make_encoder({}).error().code, ErrorCode::kUnsupported);
}

TEST(Registry, EveryPresetMakesABc1Encoder) {
  for (const std::string_view name : kPresetNames) {
    CodecSettings settings;
    settings.preset = parse_preset(name).value();
    EXPECT_TRUE(find_codec("bc1").value()->make_encoder(settings)) << name;
  }
}

TEST(Registry, WrongBc1SettingsAreRefused) {
  CodecSettings settings;
  settings.block = {6, 6, 1};
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUsage);
  settings = {};
  settings.profile = Profile::kHdr;
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUnsupported);
  settings = {};
  settings.method = "magic";
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUnsupported);
}

TEST(Registry, NamesRoundTrip) {
  for (const Profile profile : {Profile::kLdr, Profile::kSrgb, Profile::kHdr}) {
    EXPECT_EQ(parse_profile(profile_name(profile)), profile);
  }
  EXPECT_FALSE(parse_profile("LDR"));
  EXPECT_FALSE(parse_preset("slow"));
}

}  // namespace
}  // namespace tessera
