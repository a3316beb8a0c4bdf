// Encoding through the C interface: files in memory, blocks, tiles, threads, control.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "api_testing.h"

namespace tessera_testing {
namespace {

std::string why_no_encoder(const tessera_encode_options& options, tessera_status status) {
  tessera_encoder* encoder = nullptr;
  tessera_error error = {};
  EXPECT_EQ(tessera_encoder_create(&options, &encoder, &error), status) << error.message;
  EXPECT_EQ(encoder, nullptr);
  return error.message;
}

TEST(EncoderTest, TellsWhatItWillDo) {
  tessera_encode_options options = options_of("astc", nullptr);
  options.block = "8x5";
  const Encoder encoder = make_encoder(options);
  tessera_encoder_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(tessera_encoder_describe(encoder.get(), &info, nullptr), TESSERA_OK);
  EXPECT_STREQ(info.format, "astc");
  EXPECT_STREQ(info.preset, "medium");
  EXPECT_STREQ(info.method, "");
  EXPECT_STREQ(info.profile, "ldr");
  EXPECT_STREQ(info.container, "astc");
  EXPECT_EQ(info.block_width, 8U);
  EXPECT_EQ(info.block_height, 5U);
  EXPECT_EQ(info.block_depth, 1U);
  EXPECT_EQ(info.block_bytes, 16U);
  EXPECT_STREQ(info.swizzle, "rgba");
  EXPECT_EQ(info.normal_map, 0);
}

TEST(EncoderTest, TellsWhatAUseMakesOfChannels) {
  tessera_encode_options options = options_of("astc", nullptr);
  for (const auto& [use, swizzle, is_normal] :
       {std::tuple("mask", "rrr1", 0), std::tuple("color", "rgba", 0),
        std::tuple("normal", "rgba", 1)}) {
    options.use = use;
    const Encoder encoder = make_encoder(options);
    tessera_encoder_info info = {};
    info.struct_size = sizeof info;
    ASSERT_EQ(tessera_encoder_describe(encoder.get(), &info, nullptr), TESSERA_OK);
    EXPECT_STREQ(info.swizzle, swizzle) << use;
    EXPECT_EQ(info.normal_map, is_normal) << use;
  }
}

TEST(EncoderTest, AContainerSaysItsUsualFormat) {
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  options.container = "dds";
  const Encoder encoder = make_encoder(options);
  tessera_encoder_info info = {};
  info.struct_size = sizeof info;
  ASSERT_EQ(tessera_encoder_describe(encoder.get(), &info, nullptr), TESSERA_OK);
  EXPECT_STREQ(info.format, "bc1");
}

TEST(EncoderTest, WrongOptionsAreRefusedWithASentence) {
  EXPECT_NE(why_no_encoder(options_of("jpeg"), TESSERA_ERROR_USAGE).find("'jpeg' is not a format"),
            std::string::npos);
  EXPECT_NE(why_no_encoder(options_of("astc", "quick"), TESSERA_ERROR_USAGE).find("not a preset"),
            std::string::npos);
  EXPECT_NE(why_no_encoder(TESSERA_ENCODE_OPTIONS_INIT, TESSERA_ERROR_USAGE).find("format"),
            std::string::npos);
  tessera_encode_options options = options_of("bc1");
  options.block = "6x6";
  why_no_encoder(options, TESSERA_ERROR_USAGE);
  options = options_of("bc1");
  options.container = "astc";
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_UNSUPPORTED), "");
  options = options_of("bc1");
  options.swizzle = "xyzw";
  why_no_encoder(options, TESSERA_ERROR_USAGE);
  options = options_of("bc1");
  options.option_count = 1;
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("options are NULL"),
            std::string::npos);
  options = options_of("bc1");
  options.struct_size = 0;
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("struct_size"), std::string::npos);
}

std::string advice_of(const tessera_encode_options& options, const tessera_image& image) {
  const Encoder encoder = make_encoder(options);
  tessera_buffer* json = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_advise(encoder.get(), nullptr, &image, nullptr, &json, &error), TESSERA_OK)
      << error.message;
  const std::vector<uint8_t> text = bytes_of(Buffer(json).get());
  return {text.begin(), text.end()};
}

TEST(EncoderTest, AdviceIsAboutTheFileThatWouldBeMade) {
  const Picture picture = make_sample(40, 40);
  tessera_encode_options options = options_of("astc", "realtime");
  options.container = "ktx2";
  const std::string of_open_profile = advice_of(options, image_of(picture));
  options.profile = "srgb";
  EXPECT_EQ(of_open_profile, advice_of(options, image_of(picture)));
  options.profile = "ldr";
  EXPECT_NE(of_open_profile, advice_of(options, image_of(picture)));
}

TEST(EncoderTest, OptionsByNameAreChecked) {
  tessera_encode_options options = options_of("bc1");
  tessera_option list[] = {{"bpp", "0.5"}};
  options.options = list;
  options.option_count = 1;
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("bpp"), std::string::npos);
  list[0] = {"passes", "many"};
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("passes"), std::string::npos);
  list[0] = {"nonsense", "1"};
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("nonsense"), std::string::npos);
  list[0] = {"zstd", "1"};  // of .ktx2 files only
  EXPECT_NE(why_no_encoder(options, TESSERA_ERROR_USAGE).find("zstd"), std::string::npos);
  list[0] = {"passes", "3"};
  EXPECT_NE(make_encoder(options), nullptr);
}

TEST(EncoderTest, AnOlderStructHasNoOptionsByName) {
  tessera_option list[] = {{"nonsense", "1"}};
  tessera_encode_options options = options_of("bc1");
  options.options = list;
  options.option_count = 1;
  options.struct_size = offsetof(tessera_encode_options, options);
  EXPECT_NE(make_encoder(options), nullptr);
}

TEST(EncodeTest, ABufferIsADdsFile) {
  const Picture picture = make_sample(64, 32);
  const auto file = encode(make_encoder(options_of("bc1")), nullptr, image_of(picture));
  ASSERT_EQ(file.size(), 128U + 64 * 32 / 2);
  EXPECT_EQ(std::memcmp(file.data(), "DDS ", 4), 0);
}

TEST(EncodeTest, TheReportHasMetricsWhereAskedFor) {
  const Picture picture = make_sample(64, 32);
  const tessera_image image = image_of(picture);
  tessera_encode_options options = options_of("astc");
  options.metrics = 1;
  options.container = "ktx2";
  options.mips = 1;
  const Encoder encoder = make_encoder(options);
  tessera_buffer* file = nullptr;
  tessera_encode_report report = TESSERA_ENCODE_REPORT_INIT;
  ASSERT_EQ(tessera_encode(encoder.get(), nullptr, &image, nullptr, &file, &report, nullptr),
            TESSERA_OK);
  EXPECT_EQ(report.width, 64U);
  EXPECT_EQ(report.height, 32U);
  EXPECT_EQ(report.levels, 7U);
  EXPECT_EQ(report.file_bytes, tessera_buffer_size(file));
  EXPECT_EQ(report.has_metrics, 1);
  EXPECT_GT(report.metrics.psnr_rgb, 25);
  EXPECT_LT(report.metrics.psnr_rgb, 70);
  EXPECT_EQ(report.has_angular_error, 0);
  tessera_buffer_destroy(file);
}

TEST(EncodeTest, BlocksAreThoseOfTheFile) {
  const Picture picture = make_sample(50, 30);
  const tessera_image image = image_of(picture);
  tessera_encode_options options = options_of("astc");
  options.block = "6x6";
  const Encoder encoder = make_encoder(options);
  size_t bytes = 0;
  ASSERT_EQ(tessera_payload_size(encoder.get(), &image, &bytes, nullptr), TESSERA_OK);
  ASSERT_EQ(bytes, size_t{9} * 5 * 16);
  std::vector<uint8_t> blocks(bytes);
  ASSERT_EQ(tessera_encode_blocks(encoder.get(), nullptr, &image, nullptr, blocks.data(),
                                  blocks.size(), nullptr),
            TESSERA_OK);
  const auto file = encode(encoder, nullptr, image);
  ASSERT_EQ(file.size(), 16 + bytes);
  EXPECT_EQ(std::memcmp(file.data() + 16, blocks.data(), bytes), 0);
  tessera_error error;
  EXPECT_EQ(tessera_encode_blocks(encoder.get(), nullptr, &image, nullptr, blocks.data(), bytes - 1,
                                  &error),
            TESSERA_ERROR_USAGE);
  EXPECT_NE(std::string(error.message).find("720 bytes"), std::string::npos);
}

TEST(EncodeTest, FractalImagesHaveNoBlocks) {
  const Picture picture = make_sample(32, 32);
  const tessera_image image = image_of(picture);
  const Encoder encoder = make_encoder(options_of("fractal", nullptr));
  size_t bytes = 0;
  EXPECT_EQ(tessera_payload_size(encoder.get(), &image, &bytes, nullptr),
            TESSERA_ERROR_UNSUPPORTED);
  const auto file = encode(encoder, nullptr, image);
  ASSERT_GT(file.size(), 20U);
  EXPECT_EQ(std::memcmp(file.data(), "TSF1", 4), 0);
}

TEST(EncodeTest, EverySampleTypeGivesTheSameBlocks) {
  constexpr uint32_t kSide = 12;
  std::vector<uint8_t> bytes(kSide * kSide * 4);
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<uint8_t>(i * 37);
  }
  std::vector<uint16_t> words(bytes.size());
  std::vector<float> floats(bytes.size());
  for (size_t i = 0; i < bytes.size(); ++i) {
    words[i] = static_cast<uint16_t>(bytes[i] * 257);
    floats[i] = static_cast<float>(bytes[i]) / 255.0F;
  }
  tessera_image image = TESSERA_IMAGE_INIT;
  image.width = kSide;
  image.height = kSide;
  image.pixels = bytes.data();
  const Encoder encoder = make_encoder(options_of("astc"));
  const auto expected = encode(encoder, nullptr, image);
  image.pixels = words.data();
  image.sample = TESSERA_SAMPLE_U16;
  EXPECT_EQ(encode(encoder, nullptr, image), expected);
  image.pixels = floats.data();
  image.sample = TESSERA_SAMPLE_F32;
  EXPECT_EQ(encode(encoder, nullptr, image), expected);
}

TEST(EncodeTest, ManyThreadsShareAnEncoderAndHaveTheirOwn) {
  const Picture picture = make_sample(96, 64);
  const tessera_image image = image_of(picture);
  const Encoder shared = make_encoder(options_of("astc"));
  const Context context = make_context(TESSERA_CONTEXT_OPTIONS_INIT);
  const auto expected_astc = encode(shared, nullptr, image);
  const auto expected_bc1 = encode(make_encoder(options_of("bc1")), nullptr, image);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      EXPECT_EQ(encode(shared, i % 2 == 0 ? context.get() : nullptr, image), expected_astc);
      const Encoder own = make_encoder(options_of("bc1"));
      EXPECT_EQ(encode(own, context.get(), image), expected_bc1);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(EncodeTest, TheCallersThreadsGiveTheSameBytes) {
  struct Pool {
    std::atomic<size_t> calls = 0;
  } pool;
  tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
  options.threads = 3;
  options.parallel_user = &pool;
  options.parallel_run = [](void* user, size_t count, void (*call)(void*, size_t), void* state) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < count; i = next++) {
        call(state, i);
        ++static_cast<Pool*>(user)->calls;
      }
    };
    std::thread first(work);
    std::thread second(work);
    work();
    first.join();
    second.join();
  };
  const Context context = make_context(options);
  EXPECT_STREQ(tessera_context_backend(context.get()), "runner");
  EXPECT_EQ(tessera_context_threads(context.get()), 3U);
  const Picture picture = make_sample(512, 512);
  const Encoder encoder = make_encoder(options_of("bc1"));
  EXPECT_EQ(encode(encoder, context.get(), image_of(picture)),
            encode(encoder, nullptr, image_of(picture)));
  EXPECT_GT(pool.calls, 1U);
}

TEST(ContextTest, WrongContextsAreRefused) {
  const auto refuse = [](const tessera_context_options& options, tessera_status status) {
    tessera_context* context = nullptr;
    tessera_error error = {};
    EXPECT_EQ(tessera_context_create(&options, &context, &error), status) << error.message;
    EXPECT_EQ(context, nullptr);
  };
  tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
  options.backend = "abacus";
  refuse(options, TESSERA_ERROR_USAGE);
  options.backend = "cuda";
  options.device = 4711;
  refuse(options, TESSERA_ERROR_UNSUPPORTED);
  options.backend = "cpu";
  options.device = 1;
  refuse(options, TESSERA_ERROR_USAGE);
  options = TESSERA_CONTEXT_OPTIONS_INIT;
  options.threads = 5000;
  refuse(options, TESSERA_ERROR_USAGE);
  options = TESSERA_CONTEXT_OPTIONS_INIT;
  const tessera_allocator half = {nullptr, [](void*, void*, size_t) {}, nullptr};
  options.allocator = &half;
  refuse(options, TESSERA_ERROR_USAGE);
}

TEST(ContextTest, SerialHasOneThread) {
  tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
  options.backend = "serial";
  const Context context = make_context(options);
  EXPECT_STREQ(tessera_context_backend(context.get()), "serial");
  EXPECT_EQ(tessera_context_threads(context.get()), 1U);
  EXPECT_EQ(tessera_context_rank(context.get()), 0U);
}

TEST(ControlTest, ProgressRisesToOne) {
  struct Seen {
    double last = 0;
    size_t calls = 0;
  } seen;
  tessera_control control = TESSERA_CONTROL_INIT;
  control.user = &seen;
  control.progress = [](void* user, double fraction) {
    auto* const own = static_cast<Seen*>(user);
    EXPECT_GE(fraction, own->last);
    EXPECT_LE(fraction, 1.0 + 1e-9);
    own->last = fraction;
    ++own->calls;
  };
  const Picture picture = make_sample(512, 512);
  const tessera_image image = image_of(picture);
  tessera_encode_options options = options_of("bc1");
  options.mips = 1;
  const Encoder encoder = make_encoder(options);
  tessera_buffer* file = nullptr;
  ASSERT_EQ(tessera_encode(encoder.get(), nullptr, &image, &control, &file, nullptr, nullptr),
            TESSERA_OK);
  tessera_buffer_destroy(file);
  EXPECT_GT(seen.calls, 4U);
  EXPECT_NEAR(seen.last, 1.0, 1e-9);
}

TEST(ControlTest, AStopFromProgressEndsTheWork) {
  const Stop stop(tessera_stop_create());
  tessera_control control = TESSERA_CONTROL_INIT;
  control.stop = stop.get();
  control.user = stop.get();
  control.progress = [](void* user, double) {
    tessera_stop_request(static_cast<tessera_stop*>(user));
  };
  const Picture picture = make_sample(512, 512);
  const tessera_image image = image_of(picture);
  const Encoder encoder = make_encoder(options_of("bc1"));
  tessera_buffer* file = nullptr;
  tessera_error error;
  EXPECT_EQ(tessera_encode(encoder.get(), nullptr, &image, &control, &file, nullptr, &error),
            TESSERA_ERROR_INTERRUPTED);
  EXPECT_EQ(file, nullptr);
  EXPECT_STREQ(error.message, "interrupted");
}

class TileTest : public testing::TestWithParam<const char*> {};

TEST_P(TileTest, ATileIsEncodedAsAPictureOfItsOwn) {
  const Picture picture = make_sample(64, 48, "sprite");
  tessera_image image = image_of(picture);
  ASSERT_EQ(image.channels, 4U);
  tessera_encode_options options = options_of(GetParam());
  options.block = "4x4";
  tessera_tile_encoder* made = nullptr;
  tessera_error error;
  ASSERT_EQ(tessera_tile_encoder_create(&options, 2, &made, &error), TESSERA_OK) << error.message;
  const TileEncoder encoder(made);
  const size_t bytes = tessera_tile_size(encoder.get(), 16, 16);
  tessera_encoder_info info = {};
  info.struct_size = sizeof info;
  const Encoder whole = make_encoder(options);
  ASSERT_EQ(tessera_encoder_describe(whole.get(), &info, nullptr), TESSERA_OK);
  ASSERT_EQ(bytes, size_t{16} * info.block_bytes);
  const auto* const corner = static_cast<const uint8_t*>(image.pixels) + 32 * image.row_stride + 64;
  std::vector<uint8_t> tile(bytes);
  ASSERT_EQ(tessera_encode_tile(encoder.get(), corner, image.row_stride, 16, 16, tile.data(),
                                tile.size(), &error),
            TESSERA_OK)
      << error.message;
  image.pixels = corner;
  image.width = image.height = 16;
  std::vector<uint8_t> blocks(bytes);
  ASSERT_EQ(tessera_encode_blocks(whole.get(), nullptr, &image, nullptr, blocks.data(),
                                  blocks.size(), nullptr),
            TESSERA_OK);
  EXPECT_EQ(tile, blocks);
}

// Sanitizers see whether a row is read as if it began at a multiple of four bytes.
TEST_P(TileTest, RowsMayBeginAtAnyByte) {
  constexpr uint32_t kWidth = 21;  // the last block of a row reaches over the edge
  constexpr uint32_t kHeight = 11;
  tessera_encode_options options = options_of(GetParam());
  tessera_tile_encoder* made = nullptr;
  ASSERT_EQ(tessera_tile_encoder_create(&options, 1, &made, nullptr), TESSERA_OK);
  const TileEncoder encoder(made);
  std::vector<std::vector<uint8_t>> results;
  for (const unsigned gap : {0u, 1u, 2u, 3u, 7u}) {
    const size_t stride = kWidth * 4 + gap;
    std::vector<uint8_t> pixels(gap + stride * kHeight);
    for (size_t y = 0; y < kHeight; ++y) {
      for (size_t x = 0; x < kWidth * 4; ++x) {
        pixels[gap + y * stride + x] = static_cast<uint8_t>(x * 7 + y * 29);
      }
    }
    results.emplace_back(tessera_tile_size(encoder.get(), kWidth, kHeight));
    ASSERT_EQ(tessera_encode_tile(encoder.get(), pixels.data() + gap, stride, kWidth, kHeight,
                                  results.back().data(), results.back().size(), nullptr),
              TESSERA_OK);
    EXPECT_EQ(results.back(), results.front()) << gap;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, TileTest, testing::Values("astc", "bc1"));

TEST(TileTest, WrongTilesAreRefused) {
  const tessera_encode_options options = options_of("astc");
  tessera_tile_encoder* made = nullptr;
  EXPECT_EQ(tessera_tile_encoder_create(&options, 0, &made, nullptr), TESSERA_ERROR_USAGE);
  const tessera_encode_options fractal = options_of("fractal", nullptr);
  EXPECT_EQ(tessera_tile_encoder_create(&fractal, 1, &made, nullptr), TESSERA_ERROR_UNSUPPORTED);
  ASSERT_EQ(tessera_tile_encoder_create(&options, 1, &made, nullptr), TESSERA_OK);
  const TileEncoder encoder(made);
  const std::vector<uint8_t> pixels(16 * 16 * 4);
  std::vector<uint8_t> out(tessera_tile_size(made, 16, 16));
  EXPECT_EQ(tessera_tile_size(made, 0, 16), 0U);
  EXPECT_EQ(tessera_encode_tile(made, pixels.data(), 64, 0, 16, out.data(), 0, nullptr),
            TESSERA_ERROR_USAGE);
  EXPECT_EQ(tessera_encode_tile(made, pixels.data(), 63, 16, 16, out.data(), out.size(), nullptr),
            TESSERA_ERROR_USAGE);
  EXPECT_EQ(
      tessera_encode_tile(made, pixels.data(), 64, 16, 16, out.data(), out.size() + 1, nullptr),
      TESSERA_ERROR_USAGE);
  EXPECT_EQ(tessera_encode_tile(made, nullptr, 64, 16, 16, out.data(), out.size(), nullptr),
            TESSERA_ERROR_USAGE);
}

}  // namespace
}  // namespace tessera_testing
