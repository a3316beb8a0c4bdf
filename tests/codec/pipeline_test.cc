// Tests the pipeline from file to file.
#include "files/pipeline.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "codec/registry.h"
#include "containers/zstd_level.h"
#include "files/any_image.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

namespace fs = std::filesystem;

class Pipeline : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tessera-pipeline-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    job_.codec = find_codec("bc1").value();
    job_.input = path("in.png");
    job_.output = path("out.dds");
    job_.metrics = true;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }

  void write_input(SyntheticKind kind, uint32_t width, uint32_t height) {
    const Image image = make_synthetic_image(kind, width, height, 4).value();
    ASSERT_TRUE(write_file(job_.input, encode_image(image.view(), ImageFileType::kPng).value()));
  }

  size_t files_in_folder() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
  EncodeJob job_;
  std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
};

TEST_F(Pipeline, EncodeAndDecodeAgreeOnTheQuality) {
  write_input(SyntheticKind::kPhoto, 130, 70);
  const auto report = encode_file(job_, *backend_, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->encode.width, 130u);
  EXPECT_EQ(report->encode.file_bytes, 128u + 33 * 18 * 8);
  EXPECT_EQ(report->encode.file_bytes, fs::file_size(job_.output));
  EXPECT_FALSE(report->encode.alpha_dropped);
  const DecodeJob decode = {job_.output, path("back.png"), ImageFileType::kPng, 0, {}, {}};
  ASSERT_TRUE(decode_file(decode, *backend_, {}));
  const Image source = read_any_image(job_.input, 0, {}, *backend_, {}).value().image;
  const Image back = read_any_image(decode.output, 0, {}, *backend_, {}).value().image;
  EXPECT_EQ(back.info().channels, 3u);
  EXPECT_NEAR(compute_metrics(source.view(), back.view()).value().psnr_rgb,
              report->encode.metrics->psnr_rgb, 1e-9);
  EXPECT_GT(report->encode.metrics->psnr_rgb, 29.0);
}

TEST_F(Pipeline, MipLevelsGoDownToOneTexel) {
  write_input(SyntheticKind::kPhoto, 37, 9);
  job_.mips = true;
  const auto report = encode_file(job_, *backend_, {});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->encode.level_count, 6u);
  for (uint32_t level = 0; level < 6; ++level) {
    const auto loaded = read_any_image(job_.output, level, {}, *backend_, {});
    ASSERT_TRUE(loaded);
    EXPECT_EQ(loaded->image.width(), std::max(1u, 37u >> level));
    EXPECT_EQ(loaded->image.height(), std::max(1u, 9u >> level));
  }
  EXPECT_EQ(read_any_image(job_.output, 6, {}, *backend_, {}).error().code, ErrorCode::kUsage);
}

TEST_F(Pipeline, TransparencyThatIsDroppedIsTold) {
  write_input(SyntheticKind::kSprite, 64, 64);
  EXPECT_TRUE(encode_file(job_, *backend_, {}).value().encode.alpha_dropped);
}

TEST_F(Pipeline, SwizzlesReachTheBlocks) {
  write_input(SyntheticKind::kPhoto, 16, 16);
  job_.swizzle = parse_swizzle("000r").value();
  ASSERT_TRUE(encode_file(job_, *backend_, {}));
  const Image black = read_any_image(job_.output, 0, {}, *backend_, {}).value().image;
  for (uint32_t y = 0; y < 16; ++y) {
    for (uint32_t x = 0; x < 48; ++x) {
      ASSERT_EQ(black.row<uint8_t>(y)[x], 0);
    }
  }
}

TEST_F(Pipeline, ThreadsAndRunnersGiveTheSameFile) {
  write_input(SyntheticKind::kPhoto, 333, 517);
  ASSERT_TRUE(encode_file(job_, *make_cpu_backend(1), {}));
  const Bytes expected = read_file(job_.output).value();
  const auto backwards = [](size_t count, const std::function<void(size_t)>& call) {
    while (count > 0) {
      call(--count);
    }
  };
  for (const auto& backend : {make_cpu_backend(2), make_cpu_backend(7)}) {
    ASSERT_TRUE(encode_file(job_, *backend, {}));
    EXPECT_EQ(read_file(job_.output).value(), expected);
  }
  ASSERT_TRUE(encode_file(job_, *make_runner_backend(backwards, 1), {}));
  EXPECT_EQ(read_file(job_.output).value(), expected);
}

TEST_F(Pipeline, ProgressEndsAtOne) {
  write_input(SyntheticKind::kPhoto, 64, 64);
  job_.mips = true;
  double last = 0;
  RunControl control;
  control.progress = [&](double fraction) {
    EXPECT_GE(fraction, last);
    last = fraction;
  };
  ASSERT_TRUE(encode_file(job_, *backend_, control));
  EXPECT_NEAR(last, 1.0, 1e-9);
}

TEST_F(Pipeline, CancellationLeavesTheOldFile) {
  write_input(SyntheticKind::kPhoto, 64, 64);
  ASSERT_TRUE(write_file(job_.output, Bytes{1, 2, 3}));
  const std::atomic<bool> cancelled = true;
  RunControl control;
  control.cancelled = &cancelled;
  const auto report = encode_file(job_, *backend_, control);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kInterrupted);
  EXPECT_EQ(read_file(job_.output).value(), (Bytes{1, 2, 3}));
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(Pipeline, DecodingCountsIntoTheTimeOfAFile) {
  Limits limits;
  limits.max_seconds = 1;
  const ReadBudget spent(limits, nullptr);
  while (!spent.is_over()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  limits.max_seconds = UINT32_MAX;
  const ReadBudget enough(limits, nullptr);
  for (const char* format : {"bc1", "astc", "fractal"}) {
    SCOPED_TRACE(format);
    write_input(SyntheticKind::kPhoto, 64, 64);
    job_.codec = find_codec(format).value();
    job_.container = job_.codec->row().default_container;
    const auto file = encode_to_memory(job_, *backend_, {});
    ASSERT_TRUE(file);
    EXPECT_TRUE(decode_texture(file->bytes, "it", {}, {}, *backend_, {}, enough));
    const auto late = decode_texture(file->bytes, "it", {}, {}, *backend_, {}, spent);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::kFailed);
    EXPECT_NE(late.error().message.find("--max-seconds"), std::string::npos);
  }
}

TEST_F(Pipeline, BadInputLeavesTheOldFile) {
  ASSERT_TRUE(write_file(job_.input, Bytes{'n', 'o', 'p', 'e'}));
  ASSERT_TRUE(write_file(job_.output, Bytes{1, 2, 3}));
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kInvalid);
  EXPECT_EQ(read_file(job_.output).value(), (Bytes{1, 2, 3}));
  EXPECT_EQ(files_in_folder(), 2u);
}

TEST_F(Pipeline, ImpossibleJobsAreRefusedBeforeTheInputIsRead) {
  job_.input = path("missing.png");
  job_.container = ContainerType::kAstc;
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kUnsupported);
  job_.container = ContainerType::kDds;
  job_.settings.method = "magic";
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kUnsupported);
  job_.settings.method = "";
  job_.output = path("no/such/folder.dds");
  EXPECT_NE(encode_file(job_, *backend_, {}).error().message.find("folder"), std::string::npos);
  job_.output = path("out.dds");
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kIo);
}

TEST_F(Pipeline, ZstdIsForKtx2Only) {
  write_input(SyntheticKind::kPhoto, 40, 24);
  job_.container_options.zstd = true;
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kUsage);
  job_.container = ContainerType::kKtx2;
  job_.output = path("out.ktx2");
  const auto report = encode_file(job_, *backend_, {});
  if (!have_zstd()) {
    EXPECT_EQ(report.error().code, ErrorCode::kUnsupported);
    return;
  }
  ASSERT_TRUE(report) << report.error().message;
  const auto loaded = read_any_image(job_.output, 0, {}, *backend_, {});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->image.width(), 40u);
}

class FractalPipeline : public Pipeline {
 protected:
  void SetUp() override {
    Pipeline::SetUp();
    job_.codec = find_codec("fractal").value();
    job_.container = ContainerType::kTsf;
    job_.output = path("out.tsf");
  }
};

TEST_F(FractalPipeline, EncodeAndDecodeAgreeOnTheQuality) {
  write_input(SyntheticKind::kPhoto, 130, 70);
  job_.settings.quality = 80.0F;
  const auto report = encode_file(job_, *backend_, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->encode.width, 130u);
  EXPECT_EQ(report->encode.channels, 3u);
  EXPECT_EQ(report->encode.encoded_pixels, 130u * 70);
  EXPECT_EQ(report->encode.file_bytes, fs::file_size(job_.output));
  const DecodeJob decode = {job_.output, path("back.png"), ImageFileType::kPng, 0, {}, {}};
  const auto decoded = decode_file(decode, *backend_, {});
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->texture.format, TextureFormat::kFractal);
  const Image source = read_any_image(job_.input, 0, {}, *backend_, {}).value().image;
  const Image back = read_any_image(decode.output, 0, {}, *backend_, {}).value().image;
  EXPECT_NEAR(compute_metrics(source.view(), back.view()).value().psnr_rgb,
              report->encode.metrics->psnr_rgb, 1e-9);
  EXPECT_GT(report->encode.metrics->psnr_rgb, 25.0);
}

TEST_F(FractalPipeline, OptionsReachTheCoder) {
  write_input(SyntheticKind::kPhoto, 64, 64);
  job_.settings.options = {{"grey", ""}, {"bpp", "0.7"}};
  const auto report = encode_file(job_, *backend_, {});
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(report->encode.channels, 1u);
  EXPECT_LE(8 * report->encode.file_bytes, 0.7 * 64 * 64);
  DecodeOptions options;
  options.options = {{"scale", "2"}, {"decoder", "amd"}};  // the second is another format's
  const auto twice = read_any_image(job_.output, 0, options, *backend_, {});
  ASSERT_TRUE(twice);
  EXPECT_EQ(twice->image.width(), 128u);
  EXPECT_EQ(twice->image.info().channels, 1u);
  options.sample = SampleType::kU16;
  EXPECT_EQ(read_any_image(job_.output, 0, options, *backend_, {})->image.info().sample,
            SampleType::kU16);
}

TEST_F(FractalPipeline, ThreadsDoNotMatter) {
  write_input(SyntheticKind::kPhoto, 90, 61);
  job_.metrics = false;
  ASSERT_TRUE(encode_file(job_, *make_cpu_backend(1), {}));
  const Bytes expected = read_file(job_.output).value();
  ASSERT_TRUE(encode_file(job_, *make_cpu_backend(5), {}));
  EXPECT_EQ(read_file(job_.output).value(), expected);
}

TEST_F(FractalPipeline, TransparencyThatIsDroppedIsTold) {
  write_input(SyntheticKind::kSprite, 64, 64);
  EXPECT_TRUE(encode_file(job_, *backend_, {}).value().encode.alpha_dropped);
}

TEST_F(FractalPipeline, WhatItCannotDoIsRefused) {
  write_input(SyntheticKind::kPhoto, 40, 24);
  job_.settings.options = {{"search", "simd"}};
  const auto paper = encode_file(job_, *backend_, {});
  ASSERT_FALSE(paper);
  EXPECT_NE(paper.error().message.find("in.png: "), std::string::npos) << paper.error().message;
  job_.settings.options = {};
  job_.mips = true;
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kUnsupported);
  job_.mips = false;
  job_.container = ContainerType::kKtx2;
  EXPECT_EQ(encode_file(job_, *backend_, {}).error().code, ErrorCode::kUnsupported);
}

TEST_F(Pipeline, PicturesAreNotDecoded) {
  write_input(SyntheticKind::kPhoto, 8, 8);
  const DecodeJob decode = {job_.input, path("back.png"), ImageFileType::kPng, 0, {}, {}};
  EXPECT_EQ(decode_file(decode, *backend_, {}).error().code, ErrorCode::kInvalid);
  EXPECT_FALSE(fs::exists(decode.output));
}

TEST_F(Pipeline, ColoursDoNotGoIntoGreyFiles) {
  write_input(SyntheticKind::kPhoto, 8, 8);
  ASSERT_TRUE(encode_file(job_, *backend_, {}));
  const DecodeJob decode = {job_.output, path("back.pgm"), ImageFileType::kPgm, 0, {}, {}};
  EXPECT_EQ(decode_file(decode, *backend_, {}).error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tessera
