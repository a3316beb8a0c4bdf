// Decoding, inspecting and describing through the C interface.
#include <cstring>

#include "api_testing.h"

namespace tessera_testing {
namespace {

std::vector<uint8_t> encoded_sample(const tessera_encode_options& options, uint32_t width,
                                    uint32_t height) {
  const Picture picture = make_sample(width, height);
  return encode(make_encoder(options), nullptr, image_of(picture));
}

std::string described(const std::vector<uint8_t>& file, bool statistics, const char* block) {
  tessera_buffer* json = nullptr;
  tessera_error error;
  EXPECT_EQ(
      tessera_describe(file.data(), file.size(), "a.x", statistics ? 1 : 0, block, &json, &error),
      TESSERA_OK)
      << error.message;
  const Buffer owner(json);
  const char* const text = reinterpret_cast<const char*>(tessera_buffer_data(json));
  EXPECT_EQ(std::strlen(text), tessera_buffer_size(json));  // a zero byte follows
  return text;
}

TEST(DecodeTest, APictureComesBack) {
  tessera_encode_options options = options_of("astc");
  options.container = "ktx2";
  options.mips = 1;
  options.profile = "srgb";
  const auto file = encoded_sample(options, 40, 24);
  tessera_decode_options decode = TESSERA_DECODE_OPTIONS_INIT;
  decode.level = 1;
  decode.sample = TESSERA_SAMPLE_F32;
  tessera_picture* picture = nullptr;
  tessera_file_info info = {};
  info.struct_size = sizeof info;
  tessera_error error;
  ASSERT_EQ(tessera_decode(nullptr, file.data(), file.size(), nullptr, &decode, nullptr, &picture,
                           &info, &error),
            TESSERA_OK)
      << error.message;
  const tessera_image image = image_of(Picture(picture));
  EXPECT_EQ(image.width, 20U);
  EXPECT_EQ(image.height, 12U);
  EXPECT_EQ(image.sample, TESSERA_SAMPLE_F32);
  EXPECT_STREQ(info.kind, "texture");
  EXPECT_STREQ(info.type, "ktx2");
  EXPECT_STREQ(info.format, "astc");
  EXPECT_EQ(info.srgb, 1);
  EXPECT_EQ(info.width, 40U);
  EXPECT_EQ(info.levels, 6U);
}

TEST(DecodeTest, TranscodingNeedsAnEncoderThatWasMadeForIt) {
  const auto file = encoded_sample(options_of("bc1"), 20, 10);
  tessera_encode_options options = options_of("astc");
  tessera_buffer* made = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_transcode(make_encoder(options).get(), nullptr, file.data(), file.size(),
                              nullptr, nullptr, &made, nullptr, &error),
            TESSERA_ERROR_USAGE);
  EXPECT_NE(std::string(error.message).find("transcode"), std::string::npos);
  options.transcode = 1;
  ASSERT_EQ(tessera_transcode(make_encoder(options).get(), nullptr, file.data(), file.size(),
                              nullptr, nullptr, &made, nullptr, &error),
            TESSERA_OK)
      << error.message;
  const Buffer owner(made);
  EXPECT_EQ(tessera_transcode(make_encoder(options).get(), nullptr, file.data(), 9, "cut.dds",
                              nullptr, &made, nullptr, &error),
            TESSERA_ERROR_INVALID);
  EXPECT_NE(std::string(error.message).find("cut.dds"), std::string::npos);
  tessera_encoder* encoder = nullptr;
  // A payload that is kept cannot be turned.
  tessera_encode_options kept = {};
  kept.struct_size = sizeof kept;
  kept.transcode = 1;
  kept.keep_payload = 1;
  kept.container = "ktx2";
  make_encoder(kept);
  const tessera_option flip = {"yflip", "true"};
  kept.options = &flip;
  kept.option_count = 1;
  EXPECT_EQ(tessera_encoder_create(&kept, &encoder, &error), TESSERA_ERROR_USAGE);
  options.transcode = 0;
  options.source_profile = "srgb";
  EXPECT_EQ(tessera_encoder_create(&options, &encoder, &error), TESSERA_ERROR_USAGE);
}

TEST(DecodeTest, RawBlocksGoIntoTheCallersRows) {
  tessera_encode_options options = options_of("bc1");
  const auto file = encoded_sample(options, 20, 10);
  tessera_picture* picture = nullptr;
  ASSERT_EQ(tessera_decode(nullptr, file.data(), file.size(), nullptr, nullptr, nullptr, &picture,
                           nullptr, nullptr),
            TESSERA_OK);
  const Picture owner(picture);
  const tessera_image expected = image_of(owner);
  tessera_image layout = TESSERA_IMAGE_INIT;
  layout.width = 20;
  layout.height = 10;
  layout.channels = 3;
  layout.row_stride = 64;
  std::vector<uint8_t> pixels(10 * 64, 0xEE);
  const size_t block_bytes = 5 * 3 * 8;
  tessera_error error;
  ASSERT_EQ(tessera_decode_blocks(nullptr, "bc1", nullptr, file.data() + 128, block_bytes, nullptr,
                                  nullptr, &layout, pixels.data(), &error),
            TESSERA_OK)
      << error.message;
  for (uint32_t y = 0; y < 10; ++y) {
    EXPECT_EQ(
        std::memcmp(&pixels[y * 64],
                    static_cast<const uint8_t*>(expected.pixels) + y * expected.row_stride, 60),
        0);
    EXPECT_EQ(pixels[y * 64 + 60], 0xEE);  // the gap is not written to
  }
  EXPECT_EQ(tessera_decode_blocks(nullptr, "bc1", "6x6", file.data(), block_bytes, nullptr, nullptr,
                                  &layout, pixels.data(), nullptr),
            TESSERA_ERROR_USAGE);
  EXPECT_EQ(tessera_decode_blocks(nullptr, "bc1", nullptr, file.data(), block_bytes - 1, nullptr,
                                  nullptr, &layout, pixels.data(), nullptr),
            TESSERA_ERROR_USAGE);
  EXPECT_EQ(tessera_decode_blocks(nullptr, "fractal", nullptr, file.data(), block_bytes, nullptr,
                                  nullptr, &layout, pixels.data(), nullptr),
            TESSERA_ERROR_UNSUPPORTED);
}

TEST(DecodeTest, WrongBytesAreRefusedWithTheirName) {
  const auto file = encoded_sample(options_of("bc1"), 20, 10);
  tessera_picture* picture = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_decode(nullptr, file.data(), file.size() - 1, "short.dds", nullptr, nullptr,
                           &picture, nullptr, &error),
            TESSERA_ERROR_INVALID);
  EXPECT_NE(std::string(error.message).find("short.dds"), std::string::npos) << error.message;
  EXPECT_NE(
      tessera_decode(nullptr, "nonsense", 8, nullptr, nullptr, nullptr, &picture, nullptr, &error),
      TESSERA_OK);
  EXPECT_NE(std::string(error.message).find("the data"), std::string::npos) << error.message;
  tessera_decode_options options = TESSERA_DECODE_OPTIONS_INIT;
  options.level = 1;
  EXPECT_EQ(tessera_decode(nullptr, file.data(), file.size(), nullptr, &options, nullptr, &picture,
                           nullptr, &error),
            TESSERA_ERROR_USAGE);
  options.level = 0;
  options.profile = "vivid";
  EXPECT_EQ(tessera_decode(nullptr, file.data(), file.size(), nullptr, &options, nullptr, &picture,
                           nullptr, &error),
            TESSERA_ERROR_USAGE);
  EXPECT_EQ(picture, nullptr);
}

TEST(InspectTest, EveryKindOfFileIsTold) {
  tessera_file_info info = {};
  info.struct_size = sizeof info;
  const auto dds = encoded_sample(options_of("bc1"), 20, 10);
  ASSERT_EQ(tessera_inspect(dds.data(), dds.size(), nullptr, &info, nullptr), TESSERA_OK);
  EXPECT_STREQ(info.kind, "texture");
  EXPECT_STREQ(info.format, "bc1");
  EXPECT_EQ(info.block_width, 4U);
  const auto tsf = encoded_sample(options_of("fractal", nullptr), 32, 32);
  ASSERT_EQ(tessera_inspect(tsf.data(), tsf.size(), nullptr, &info, nullptr), TESSERA_OK);
  EXPECT_STREQ(info.kind, "fractal");
  EXPECT_STREQ(info.type, "tsf");
  EXPECT_EQ(info.channels, 3U);
  EXPECT_EQ(info.width, 32U);
  const char ppm[] = "P5\n2 1\n255\nab";
  ASSERT_EQ(tessera_inspect(ppm, sizeof ppm - 1, nullptr, &info, nullptr), TESSERA_OK);
  EXPECT_STREQ(info.kind, "picture");
  EXPECT_EQ(info.width, 2U);
  EXPECT_EQ(info.channels, 1U);
}

TEST(DescribeTest, TexturesBlocksAndOneBlock) {
  tessera_encode_options options = options_of("astc");
  options.block = "8x8";
  const auto file = encoded_sample(options, 24, 16);
  const std::string text = described(file, true, "2,1");
  EXPECT_EQ(text.find("{\n  \"file\": \"a.x\",\n  \"bytes\": 112,\n  \"kind\": \"texture\",\n"
                      "  \"type\": \"astc\",\n  \"format\": \"astc\",\n  \"block\": \"8x8\","),
            0U)
      << text;
  EXPECT_NE(text.find("\"blocks\": {\n    \"blocks\": 6,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"block_at\": {\n    \"x\": 2,\n    \"y\": 1,\n    \"z\": 0,"),
            std::string::npos)
      << text;
  tessera_buffer* json = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_describe(file.data(), file.size(), "a.x", 0, "3,0", &json, &error),
            TESSERA_ERROR_USAGE);
  EXPECT_STREQ(error.message, "a.x has 3x2x1 blocks, so there is none at 3,0");
}

TEST(DescribeTest, FractalImagesHaveLeaves) {
  const auto file = encoded_sample(options_of("fractal", nullptr), 32, 32);
  const std::string text = described(file, false, nullptr);
  EXPECT_NE(text.find("\"coder\": \"tessera\""), std::string::npos) << text;
  EXPECT_NE(text.find("\"leaves\": {\n    \"flat\": {"), std::string::npos) << text;
  tessera_buffer* json = nullptr;
  EXPECT_EQ(tessera_describe(file.data(), file.size(), nullptr, 1, nullptr, &json, nullptr),
            TESSERA_ERROR_USAGE);
}

TEST(DescribeTest, TheBuild) {
  tessera_buffer* json = nullptr;
  ASSERT_EQ(tessera_describe_build(&json, nullptr), TESSERA_OK);
  const Buffer owner(json);
  const std::string text = reinterpret_cast<const char*>(tessera_buffer_data(json));
  EXPECT_NE(text.find(std::string("\"version\": \"") + tessera_version() + "\""),
            std::string::npos);
  for (const char* name : {"\"bc1\"", "\"astc\"", "\"fractal\"", "\"ktx2\"", "\"serial\""}) {
    EXPECT_NE(text.find(name), std::string::npos) << name;
  }
}

TEST(OptionListTest, EveryOptionIsKnownToAFormat) {
  for (const int decoding : {0, 1}) {
    tessera_option_info info = {};
    info.struct_size = sizeof info;
    size_t count = 0;
    while (tessera_option_at(decoding, count, &info, nullptr) == TESSERA_OK) {
      EXPECT_STRNE(info.key, "");
      EXPECT_STRNE(info.formats, "") << info.key;
      EXPECT_STRNE(info.help, "") << info.key;
      EXPECT_EQ(info.kind == TESSERA_OPTION_CHOICE, info.choices[0] != '\0') << info.key;
      EXPECT_LE(info.least, info.most) << info.key;
      ++count;
    }
    EXPECT_GT(count, 2U);
    tessera_error error;
    EXPECT_EQ(tessera_option_at(decoding, count, &info, &error), TESSERA_ERROR_USAGE);
  }
}

}  // namespace
}  // namespace tessera_testing
