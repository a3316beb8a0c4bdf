// Tests encoding strip by strip: the same bytes as with the whole picture in memory.
#include "files/encode_by_rows.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>

#include "codec/registry.h"
#include "files/file.h"
#include "files/pictures/image_file.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

constexpr uint32_t kWidth = 600, kHeight = 803;
constexpr uint64_t kProcessBytes = uint64_t{16} << 20;  // that every job is expected to take

class EncodeByRows : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera-rows-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    job_.codec = find_codec("astc").value();
    job_.container = ContainerType::kAstc;
    job_.settings.block = BlockSize{6, 6};
    job_.settings.preset = Preset::kFast;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write_picture(const char* name, ImageFileType type, uint32_t height = kHeight) {
    job_.input = (folder_ / name).string();
    const Image image = make_synthetic_image(SyntheticKind::kPhoto, kWidth, height, 7).value();
    ASSERT_TRUE(write_file(job_.input, encode_image(image.view(), type).value()));
  }

  // Enough for some rows and the blocks, but not for the picture.
  RunControl little_memory() const {
    RunControl control;
    control.limits.max_memory = kProcessBytes + memory_;
    return control;
  }

  void expect_same_bytes() {
    const auto backend = make_cpu_backend(2);
    const auto whole = encode_to_memory(job_, *backend, {});
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    const auto by_rows = encode_by_rows(job_, *backend, little_memory());
    ASSERT_TRUE(by_rows.ok()) << by_rows.error().message;
    ASSERT_TRUE(by_rows->has_value());
    EXPECT_TRUE((*by_rows)->bytes == whole->bytes);
    EXPECT_EQ((*by_rows)->report.stamp.source, whole->report.stamp.source);
    EXPECT_EQ((*by_rows)->report.encode.encoded_pixels, whole->report.encode.encoded_pixels);
    EXPECT_EQ((*by_rows)->report.encode.channels, whole->report.encode.channels);
  }

  std::filesystem::path folder_;
  EncodeJob job_;
  uint64_t memory_ = uint64_t{5} << 19;
};

TEST_F(EncodeByRows, SameBytesForFilesOfAllKinds) {
  write_picture("picture.png", ImageFileType::kPng);
  expect_same_bytes();
  write_picture("picture.ppm", ImageFileType::kPnm);
  expect_same_bytes();
  write_picture("picture.tga", ImageFileType::kTga);
  expect_same_bytes();
}

TEST_F(EncodeByRows, SameBytesWithoutFactsAndWithRowsThatBelongTogether) {
  write_picture("picture.ppm", ImageFileType::kPnm);
  job_.settings.preset = Preset::kRealtime;
  expect_same_bytes();
  // Some hundred rows belong together.
  write_picture("high.ppm", ImageFileType::kPnm, 3 * kHeight);
  memory_ = uint64_t{7} << 20;
  job_.settings.options = {{"rdo", "1"}};
  expect_same_bytes();
}

TEST_F(EncodeByRows, SameBytesOfBc1) {
  write_picture("picture.ppm", ImageFileType::kPnm);
  job_.codec = find_codec("bc1").value();
  job_.container = ContainerType::kDds;
  job_.settings.block.reset();
  expect_same_bytes();
}

TEST_F(EncodeByRows, WhatNeedsTheWholePictureIsLeftAlone) {
  write_picture("picture.ppm", ImageFileType::kPnm);
  const auto backend = make_cpu_backend(1);
  EXPECT_FALSE(encode_by_rows(job_, *backend, {}).value().has_value());  // there is memory
  EncodeJob with_metrics = job_;
  with_metrics.metrics = true;
  EXPECT_FALSE(encode_by_rows(with_metrics, *backend, little_memory()).value().has_value());
  EXPECT_EQ(encode_to_memory(with_metrics, *backend, little_memory()).error().code,
            ErrorCode::kFailed);
}

TEST_F(EncodeByRows, TooLittleMemoryForTheBlocksIsSaid) {
  write_picture("picture.ppm", ImageFileType::kPnm);
  memory_ = uint64_t{1} << 18;
  const auto made = encode_to_memory(job_, *make_cpu_backend(1), little_memory());
  ASSERT_FALSE(made.ok());
  EXPECT_NE(made.error().message.find("--max-memory"), std::string::npos) << made.error().message;
}

TEST_F(EncodeByRows, CanBeStopped) {
  write_picture("picture.png", ImageFileType::kPng);
  const std::atomic<bool> stop = true;
  RunControl control = little_memory();
  control.cancelled = &stop;
  EXPECT_EQ(encode_to_memory(job_, *make_cpu_backend(1), control).error().code,
            ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace tessera
