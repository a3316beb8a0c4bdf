// Tests the list of formats and what it refuses.
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
  EXPECT_EQ(&codec_of(TextureFormat::kBc1), *codec);
}

TEST(Registry, UnknownNamesAreUsageErrors) {
  for (const char* name : {"", "bc7", "BC1", "bc1 "}) {
    EXPECT_EQ(find_codec(name).error().code, ErrorCode::kUsage) << name;
  }
}

TEST(Registry, EveryRowOfTheTableHasItsCodec) {
  ASSERT_EQ(all_codecs().size(), format_table().size());
  for (const FormatRow& row : format_table()) {
    EXPECT_EQ(&codec_of(row.format).row(), &row);
    EXPECT_EQ(find_codec(row.name).value(), &codec_of(row.format));
  }
}

TEST(Registry, AstcHasEveryPreset) {
  const Codec* codec = find_codec("astc").value();
  CodecSettings settings;
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough,
                              Preset::kExhaustive}) {
    settings.preset = preset;
    EXPECT_TRUE(codec->make_encoder(settings));
  }
}

TEST(Registry, WrongAstcSettingsAreRefused) {
  const Codec* codec = find_codec("astc").value();
  const auto error_of = [&](const CodecSettings& settings) {
    return codec->make_encoder(settings).error().code;
  };
  CodecSettings settings;
  settings.preset = Preset::kRealtime;
  settings.block = BlockSize{7, 4, 1};
  EXPECT_EQ(error_of(settings), ErrorCode::kUsage);
  settings.block = BlockSize{4, 4, 5};
  EXPECT_EQ(error_of(settings), ErrorCode::kUsage);
  settings.block = BlockSize{4, 4, 4};  // for volumes, which tiles are not
  EXPECT_TRUE(codec->make_encoder(settings));
  EXPECT_EQ(codec->make_tile_encoder(settings, 1).error().code, ErrorCode::kUsage);
  settings.block = BlockSize{4, 4, 1};
  settings.profile = Profile::kHdr;  // of floats, which tiles do not have
  EXPECT_TRUE(codec->make_encoder(settings));
  EXPECT_EQ(codec->make_tile_encoder(settings, 1).error().code, ErrorCode::kUnsupported);
  settings.profile = Profile::kLdr;
  settings.method = "bounds";
  EXPECT_EQ(error_of(settings), ErrorCode::kUnsupported);
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
  settings.block = BlockSize{6, 6, 1};
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUsage);
  settings = {};
  settings.profile = Profile::kHdr;
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUnsupported);
  settings = {};
  settings.method = "magic";
  EXPECT_EQ(encoder_error(settings), ErrorCode::kUnsupported);
}

// .ktx2 files may hold volumes of BC1: every slice must be decoded.
TEST(Registry, Bc1VolumesDecodeAllSlices) {
  TextureInfo info;
  info.width = info.height = 8;
  info.depth = 3;
  Bytes payload(level_bytes(info, 0).value(), uint8_t{0});
  const size_t slice_bytes = payload.size() / 3;
  for (size_t i = 0; i < slice_bytes; i += 8) {  // the last slice is white
    payload[2 * slice_bytes + i] = payload[2 * slice_bytes + i + 1] = 0xFF;
  }
  const auto backend = make_cpu_backend(1);
  const auto image = find_codec("bc1").value()->decode_level(info, 0, payload, {}, *backend, {});
  ASSERT_TRUE(image);
  EXPECT_EQ(image->info().depth, 3u);
  EXPECT_EQ(image->row<uint8_t>(5, 1)[0], 0);
  EXPECT_EQ(image->row<uint8_t>(5, 2)[0], 255);
}

TEST(Registry, TexturesThatNoMemoryHoldsAreRefused) {
  ImageView view;  // without pixels: none is read
  view.info.width = view.info.height = 1u << 24;
  const auto backend = make_serial_backend();
  for (const char* name : {"astc", "bc1"}) {
    CodecSettings settings;
    settings.preset = Preset::kRealtime;
    settings.block = BlockSize{4, 4, 1};
    const Codec& codec = *find_codec(name).value();
    view.info.layers = (1u << 19) / codec.row().block_bytes;  // 2^63 bytes of blocks
    const auto encoder = codec.make_encoder(settings);
    ASSERT_TRUE(encoder);
    const auto payload = (*encoder)->encode_payload(view, {}, *backend, {});
    ASSERT_FALSE(payload);
    EXPECT_EQ(payload.error().code, ErrorCode::kFailed);
  }
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
