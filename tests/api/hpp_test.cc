// The C++ header over the C interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <tessera/tessera.hpp>

namespace {

tessera::Picture sample(uint32_t width = 64, uint32_t height = 48) {
  auto picture = tessera::make_sample("photo", width, height);
  EXPECT_TRUE(picture.ok());
  return std::move(*picture);
}

tessera::Encoder encoder_of(const tessera::EncodeOptions& options) {
  auto encoder = tessera::Encoder::create(options);
  EXPECT_TRUE(encoder.ok()) << encoder.error().message;
  return std::move(*encoder);
}

class FolderTest : public testing::Test {
 protected:
  FolderTest()
      : folder_(std::filesystem::path(testing::TempDir()) /
                testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST(HppTest, EncodesDecodesAndCompares) {
  const tessera::Picture photo = sample();
  tessera::EncodeReport report = TESSERA_ENCODE_REPORT_INIT;
  const auto file = encoder_of({.format = "astc", .block = "4x4", .metrics = true})
                        .encode(photo.image(), nullptr, {}, &report);
  ASSERT_TRUE(file.ok()) << file.error().message;
  tessera::FileInfo info = {};
  info.struct_size = sizeof info;
  const auto decoded = tessera::decode(file->span(), {}, nullptr, {}, &info);
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_STREQ(info.format, "astc");
  const auto metrics = tessera::compare(photo.image(), decoded->image());
  ASSERT_TRUE(metrics.ok());
  EXPECT_NEAR(metrics->psnr_rgb, report.metrics.psnr_rgb, 1e-9);
  EXPECT_EQ(tessera::inspect(file->span())->width, 64U);
  const auto json = tessera::describe(file->span(), true, "0,0", "it.astc");
  ASSERT_TRUE(json.ok());
  EXPECT_NE(json->text().find("\"file\": \"it.astc\""), std::string_view::npos);
}

TEST(HppTest, ErrorsHaveACodeAndASentence) {
  const auto encoder = tessera::Encoder::create({.format = "webp"});
  ASSERT_FALSE(encoder.ok());
  EXPECT_EQ(encoder.error().code, tessera::ErrorCode::kUsage);
  EXPECT_NE(encoder.error().message.find("webp"), std::string::npos);
  const auto picture = tessera::read("/no/such/file.png");
  ASSERT_FALSE(picture.ok());
  EXPECT_EQ(picture.error().code, tessera::ErrorCode::kIo);
}

TEST(HppTest, CallersThreadsProgressAndStop) {
  std::atomic<int> runs = 0;
  const auto context = tessera::Context::create(
      {.threads = 2, .parallel_run = [&](size_t count, const std::function<void(size_t)>& call) {
         ++runs;
         for (size_t i = 0; i < count; ++i) {
           call(i);
         }
       }});
  ASSERT_TRUE(context.ok());
  EXPECT_EQ(context->backend(), "runner");
  const tessera::Picture photo = sample(512, 256);
  const tessera::Encoder encoder = encoder_of({.format = "bc1"});
  tessera::Stop stop;
  double last = 0;
  tessera::Control control;
  control.stop = &stop;
  control.progress = [&](double fraction) { last = fraction; };
  ASSERT_TRUE(encoder.encode(photo.image(), &*context, control).ok());
  EXPECT_NEAR(last, 1, 1e-9);
  EXPECT_GT(runs, 0);
  stop.request();
  const auto stopped = encoder.encode(photo.image(), &*context, control);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, tessera::ErrorCode::kInterrupted);
}

TEST(HppTest, BlocksAndTilesOfTheSamePixels) {
  const auto picture = tessera::make_sample("sprite", 32, 16);
  const tessera::Image image = picture->image();
  const tessera::EncodeOptions options = {.format = "astc", .block = "4x4", .preset = "fast"};
  const tessera::Encoder encoder = encoder_of(options);
  std::vector<uint8_t> blocks(*encoder.payload_size(image));
  ASSERT_TRUE(encoder.encode_blocks(image, blocks).ok());
  auto tiles = tessera::TileEncoder::create(options);
  ASSERT_TRUE(tiles.ok());
  std::vector<uint8_t> tile(tiles->tile_size(32, 16));
  ASSERT_TRUE(
      tiles->encode(static_cast<const uint8_t*>(image.pixels), image.row_stride, 32, 16, tile)
          .ok());
  EXPECT_EQ(tile, blocks);
  std::vector<uint8_t> pixels(32 * 16 * 4);
  tessera::Image layout = image;
  layout.row_stride = 0;
  layout.slice_stride = 0;
  EXPECT_TRUE(tessera::decode_blocks("astc", "4x4", blocks, layout, pixels.data()).ok());
}

TEST(HppTest, OptionsAreListed) {
  const auto options = tessera::encode_option_list();
  const auto found = std::find_if(options.begin(), options.end(),
                                  [](const auto& option) { return option.key == "quality"; });
  ASSERT_NE(found, options.end());
  EXPECT_EQ(found->most, 100);
  EXPECT_FALSE(tessera::decode_option_list().empty());
}

TEST_F(FolderTest, FilesOfAList) {
  const tessera::Picture photo = sample();
  ASSERT_TRUE(tessera::write(path("a.png"), photo.image()).ok());
  ASSERT_TRUE(tessera::write(path("b.ppm"), photo.image()).ok());
  std::ofstream(path("broken.png")) << "no picture";
  std::vector<std::string> told;
  tessera::FileCalls calls;
  calls.done = [&](const tessera::FileReport& report) {
    told.push_back(std::filesystem::path(report.input).filename().string() + " " +
                   std::to_string(report.status));
    EXPECT_EQ(report.encode != nullptr, report.status == TESSERA_OK);
  };
  const tessera::Encoder encoder = encoder_of({.format = "bc1"});
  const auto done = encoder.encode_files({path("a.png"), path("broken.png"), path("b.ppm")},
                                         path("out"), nullptr, calls);
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(told, (std::vector<std::string>{"a.png 0", "broken.png 3", "b.ppm 0"}));
  EXPECT_TRUE(std::filesystem::exists(path("out/b.dds")));
  const auto file = encoder.encode(photo.image());
  const auto written = tessera::read_bytes(path("out/a.dds"));
  ASSERT_TRUE(written.ok());
  EXPECT_TRUE(std::ranges::equal(written->span(), file->span()));
  ASSERT_TRUE(tessera::decode_files({path("out/a.dds")}, path("back.png"), "", {}).ok());
  EXPECT_TRUE(tessera::read(path("back.png")).ok());
}

TEST_F(FolderTest, AFolderWithSettingsOfItsFiles) {
  const tessera::Picture photo = sample();
  std::filesystem::create_directories(path("in/ui"));
  for (const char* name : {"in/a.png", "in/ui/b.png", "in/ui/c.png"}) {
    ASSERT_TRUE(tessera::write(path(name), photo.image()).ok());
  }
  const tessera::Encoder usual = encoder_of({.block = "6x6", .container = "ktx2"});
  const tessera::Encoder of_interface = encoder_of({.format = "bc1", .container = "dds"});
  std::vector<std::string> told;
  size_t count = 0;
  tessera::FileCalls calls;
  calls.update = true;
  calls.exclude = {"c.*"};
  calls.listed = [&](size_t files) { count = files; };
  calls.choose = [&](const char*, const char* name) -> tessera::Result<const tessera_encoder*> {
    return tessera::matches("ui/**", name) ? of_interface.get() : nullptr;
  };
  calls.done = [&](const tessera::FileReport& report) {
    told.push_back(std::filesystem::path(report.output).lexically_relative(path("out")).string() +
                   (report.unchanged != 0 ? " unchanged"
                    : report.planned != 0 ? " planned"
                                          : ""));
    EXPECT_EQ(report.encode == nullptr, report.unchanged != 0 || report.planned != 0);
  };
  const auto run = [&] {
    told.clear();
    EXPECT_TRUE(usual.encode_files({path("in")}, path("out"), nullptr, calls).ok());
    return told;
  };
  using Names = std::vector<std::string>;
  calls.dry_run = true;
  EXPECT_EQ(run(), (Names{"a.ktx2 planned", "ui/b.dds planned"}));
  EXPECT_FALSE(std::filesystem::exists(path("out")));
  calls.dry_run = false;
  EXPECT_EQ(run(), (Names{"a.ktx2", "ui/b.dds"}));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(run(), (Names{"a.ktx2 unchanged", "ui/b.dds unchanged"}));
  calls.force = true;
  EXPECT_EQ(run(), (Names{"a.ktx2", "ui/b.dds"}));
  calls.choose = [](const char*, const char*) -> tessera::Result<const tessera_encoder*> {
    return tessera::Error{tessera::ErrorCode::kInvalid, "no rule"};
  };
  const auto refused = usual.encode_files({path("in")}, path("out"), nullptr, calls);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "no rule");
}

TEST_F(FolderTest, TheNameOfAnOutputChoosesTheContainer) {
  const tessera::Picture photo = sample();
  ASSERT_TRUE(tessera::write(path("a.png"), photo.image()).ok());
  const tessera::Encoder encoder = encoder_of({.format = "bc1"});
  ASSERT_TRUE(encoder.encode_files({path("a.png")}, path("a.ktx2")).ok());
  EXPECT_STREQ(tessera::inspect(tessera::read_bytes(path("a.ktx2"))->span())->type, "ktx2");
  EXPECT_FALSE(encoder.encode_files({path("a.png")}, path("a.unknown")).ok());
  EXPECT_FALSE(encoder_of({.format = "bc1", .container = "dds"})
                   .encode_files({path("a.png")}, path("a.ktx2"))
                   .ok());
  EXPECT_FALSE(encoder.encode_files({path("a.png")}, path("a.astc")).ok());
}

}  // namespace
