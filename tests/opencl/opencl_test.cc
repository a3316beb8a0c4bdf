// On whatever OpenCL device there is; PoCL makes one of the CPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "bc/bc1_decode.h"
#include "bc/bc1_encode.h"
#include "bc/opencl/bc1_opencl.h"
#include "codec/opencl_backend.h"
#include "exec/opencl/opencl_session.h"
#include "image/convert.h"
#include "image/synthetic.h"

#ifdef TESSERA_TEST_OPENCL
#include "exec/opencl/opencl_calls.h"
#endif

namespace tessera {
namespace {

using bc1::Method;
using bc1::Settings;

Image synthetic_rgba(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed) {
  const Image image = make_synthetic_image(kind, width, height, seed).value();
  return convert_channels(image.view(), 4).value();
}

size_t block_bytes(const Image& image) {
  return size_t{(image.width() + 3) / 4} * ((image.height() + 3) / 4) * 8;
}

Bytes encode_on_cpu(const Image& image, const Settings& settings) {
  Bytes blocks(block_bytes(image));
  bc1::encode_rows(image.view(), 0, 0, (image.height() + 3) / 4, settings, blocks);
  return blocks;
}

#ifdef TESSERA_TEST_OPENCL

class OnADevice : public testing::Test {
 protected:
  void SetUp() override {
    auto session = OpenClSession::create(0);
    if (!session) {
      GTEST_SKIP() << session.error().message;
    }
    session_ = std::move(*session);
    bc1_ = std::make_unique<Bc1OpenCl>(*session_);
  }

  void expect_same_bytes(const char* name, const Image& image, const Settings& settings) {
    Bytes blocks(block_bytes(image));
    const Status status = bc1_->encode(image.view(), settings, *threads_, blocks, {});
    ASSERT_TRUE(status) << name << ": " << status.error().message;
    const Bytes expected = encode_on_cpu(image, settings);
    const auto differ = std::mismatch(blocks.begin(), blocks.end(), expected.begin());
    EXPECT_TRUE(differ.first == blocks.end())
        << name << ", block " << (differ.first - blocks.begin()) / 8;
  }

  std::unique_ptr<OpenClSession> session_;
  std::unique_ptr<Bc1OpenCl> bc1_;
  std::unique_ptr<Backend> threads_ = make_cpu_backend(2);
};

TEST_F(OnADevice, EveryMethodGivesTheBytesOfTheCpu) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 131, 37, 3);
  for (size_t m = 0; m < bc1::kMethodNames.size(); ++m) {
    const auto method = static_cast<Method>(m);
    const char* name = bc1::kMethodNames[m].data();
    if (method != Method::kLspiro) {
      expect_same_bytes(name, image, bc1::method_settings(method));
      continue;
    }
    for (uint32_t steps = 1; steps <= 3; ++steps) {
      Settings settings = bc1::method_settings(method);
      settings.lspiro_steps = steps;
      const Image small = synthetic_rgba(SyntheticKind::kPhoto, 24, 8, 3);
      expect_same_bytes(name, steps == 3 ? small : image, settings);
    }
  }
}

TEST_F(OnADevice, PresetsAndOptionsGiveTheBytesOfTheCpu) {
  const Image image = synthetic_rgba(SyntheticKind::kSprite, 70, 33, 4);
  expect_same_bytes("realtime", image, bc1::preset_settings(Preset::kRealtime));
  expect_same_bytes("medium", image, bc1::preset_settings(Preset::kMedium));
  Settings settings = bc1::method_settings(Method::kRange);
  settings.three_colors = true;
  settings.punch_through = true;
  settings.dark_transparent = true;
  settings.weights = {2, 5, 1};
  settings.rounding = bc1::Rounding::kAmd;
  expect_same_bytes("options", image, settings);
}

// Larger than a strip, then smaller: buffers are used again, strips meet without a seam.
TEST_F(OnADevice, ImagesOfManyStripsAndThenSmallOnes) {
  const Settings settings = bc1::method_settings(Method::kBounds);
  ImageInfo info;
  info.width = 2048;
  info.height = 5002;
  Image large = Image::create(info).value();
  for (uint32_t y = 0; y < info.height; ++y) {
    for (uint32_t x = 0; x < info.width; ++x) {
      large.row<uint32_t>(y)[x] = (x * 2654435761u) ^ (y * 40503u);
    }
  }
  expect_same_bytes("large", large, settings);
  for (const auto& [width, height] : {std::pair<uint32_t, uint32_t>{1, 1}, {5, 3}, {257, 9}}) {
    expect_same_bytes("small", synthetic_rgba(SyntheticKind::kNoise, width, height, 1), settings);
  }
}

TEST_F(OnADevice, DecodingGivesThePixelsOfTheCpu) {
  const Image image = synthetic_rgba(SyntheticKind::kNoise, 67, 29, 5);
  Settings settings = bc1::method_settings(Method::kBounds);
  const Bytes blocks = encode_on_cpu(image, settings);
  for (const auto rounding : {bc1::Rounding::kIdeal, bc1::Rounding::kNvidia, bc1::Rounding::kAmd}) {
    Image expected = Image::create(image.info()).value();
    Image decoded = Image::create(image.info()).value();
    bc1::decode_rows(blocks, 0, 8, 0, expected.mutable_view(), rounding);
    ASSERT_TRUE(bc1_->decode(blocks, rounding, *threads_, decoded.mutable_view(), {}));
    for (uint32_t y = 0; y < image.height(); ++y) {
      ASSERT_TRUE(std::equal(expected.row<uint32_t>(y), expected.row<uint32_t>(y) + image.width(),
                             decoded.row<uint32_t>(y)))
          << y;
    }
  }
}

// Memory, context and queue are the caller's.
TEST_F(OnADevice, WhatIsOnTheDeviceIsCompressedThere) {
  cl_context context = session_->context();
  cl_device_id device = nullptr;
  cl().GetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  auto wrapped = OpenClSession::wrap(context, device);
  ASSERT_TRUE(wrapped);
  Bc1OpenCl encoder(**wrapped);
  cl_int code = CL_SUCCESS;
  cl_command_queue queue = cl().CreateCommandQueue(context, device, 0, &code);
  ASSERT_EQ(code, CL_SUCCESS);
  const Settings settings = bc1::method_settings(Method::kRange);
  for (const uint32_t row_texels : {64u, 61u}) {  // rows at multiples of 16 bytes, and not
    const Image image = synthetic_rgba(SyntheticKind::kPhoto, 61, 30, 2);
    std::vector<uint32_t> pixels(size_t{row_texels} * 30);
    for (uint32_t y = 0; y < 30; ++y) {
      std::copy_n(image.row<uint32_t>(y), 61, pixels.data() + size_t{y} * row_texels);
    }
    cl_mem memory = cl().CreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                      pixels.size() * 4, pixels.data(), &code);
    ASSERT_EQ(code, CL_SUCCESS);
    cl_mem blocks =
        cl().CreateBuffer(context, CL_MEM_WRITE_ONLY, block_bytes(image), nullptr, &code);
    ASSERT_EQ(code, CL_SUCCESS);
    ASSERT_TRUE(encoder.encode_resident({memory, row_texels * 4, 61, 30}, settings, blocks, queue));
    Bytes result(block_bytes(image));
    ASSERT_EQ(cl().EnqueueReadBuffer(queue, blocks, CL_TRUE, 0, result.size(), result.data(), 0,
                                     nullptr, nullptr),
              CL_SUCCESS);
    EXPECT_EQ(result, encode_on_cpu(image, settings));
    cl().ReleaseMemObject(memory);
    cl().ReleaseMemObject(blocks);
  }
  cl().ReleaseCommandQueue(queue);
}

TEST_F(OnADevice, ResidentImagesWithImpossibleRowsAreRefused) {
  const Settings settings = bc1::method_settings(Method::kBounds);
  for (const DeviceImage& image :
       {DeviceImage{nullptr, 16, 0, 4}, DeviceImage{nullptr, 16, 4, 0},
        DeviceImage{nullptr, 16, 5, 4}, DeviceImage{nullptr, 18, 4, 4}}) {
    const Status status = bc1_->encode_resident(image, settings, nullptr, session_->queue(0));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
  }
}

TEST_F(OnADevice, AProgramThatDoesNotCompileIsASentenceWithTheCompilersWords) {
  const auto kernel = session_->kernel("__kernel void f() { undeclared_name = 1; }", "", "f");
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().code, ErrorCode::kFailed);
  EXPECT_NE(kernel.error().message.find("does not compile"), std::string::npos);
  EXPECT_NE(kernel.error().message.find(session_->device().name), std::string::npos);
  EXPECT_EQ(kernel.error().message.find('\n'), std::string::npos);
  EXPECT_FALSE(session_->kernel("__kernel void f() {}", "", "g")) << "no kernel of that name";
}

TEST_F(OnADevice, TooLittleMemoryIsASentence) {
  const auto small = OpenClSession::create(0, {1000});
  ASSERT_TRUE(small);
  Bc1OpenCl encoder(**small);
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 64, 1);
  Bytes blocks(block_bytes(image));
  const Status status =
      encoder.encode(image.view(), bc1::method_settings(Method::kBounds), *threads_, blocks, {});
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("too little memory"), std::string::npos);
  EXPECT_NE(status.error().message.find("16384"), std::string::npos) << status.error().message;
}

TEST_F(OnADevice, CancellingStopsIt) {
  const std::atomic<bool> cancelled = true;
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 64, 1);
  Bytes blocks(block_bytes(image));
  const Status status = bc1_->encode(image.view(), bc1::method_settings(Method::kBounds), *threads_,
                                     blocks, {{}, &cancelled});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInterrupted);
}

TEST_F(OnADevice, WhatFailsAfterCancellingIsAnInterruption) {
  const auto small = OpenClSession::create(0, {1000});  // too little memory for any picture
  ASSERT_TRUE(small);
  Bc1OpenCl encoder(**small);
  Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 64, 1);
  Bytes blocks(block_bytes(image));
  const std::atomic<bool> cancelled = true;
  const Status encoded = encoder.encode(image.view(), bc1::method_settings(Method::kBounds),
                                        *threads_, blocks, {{}, &cancelled});
  ASSERT_FALSE(encoded);
  EXPECT_EQ(encoded.error().code, ErrorCode::kInterrupted);
  const Status decoded = encoder.decode(blocks, bc1::Rounding::kIdeal, *threads_,
                                        image.mutable_view(), {{}, &cancelled});
  ASSERT_FALSE(decoded);
  EXPECT_EQ(decoded.error().code, ErrorCode::kInterrupted);
}

TEST_F(OnADevice, TheBackendFallsBackOnlyWhenItMayTellWhy) {
  std::string told;
  const auto patient = make_opencl_backend(0, make_cpu_backend(1),
                                           [&](const std::string& reason) { told = reason; });
  ASSERT_TRUE(patient);
  EXPECT_EQ((*patient)->name(), "opencl");
  EXPECT_EQ((*patient)->device()->kind(), "opencl");
  EXPECT_NE((*patient)->device()->kernels("bc1"), nullptr);
  EXPECT_EQ((*patient)->device()->kernels("astc"), nullptr);
  EXPECT_FALSE((*patient)->device()->give_up({ErrorCode::kInterrupted, "interrupted"}));
  EXPECT_TRUE((*patient)->device()->give_up(failed_error("it broke")));
  EXPECT_EQ(told, "it broke");
  EXPECT_EQ((*patient)->device()->kernels("bc1"), nullptr);
  EXPECT_EQ((*patient)->name(), "cpu");

  const auto strict = make_opencl_backend(0, make_cpu_backend(1));
  ASSERT_TRUE(strict);
  EXPECT_FALSE((*strict)->device()->give_up(failed_error("it broke")));
  EXPECT_NE((*strict)->device()->kernels("bc1"), nullptr);
}

TEST(OpenCl, ADeviceThatIsNotThereIsRefused) {
  const auto session = OpenClSession::create(4711);
  ASSERT_FALSE(session);
  EXPECT_TRUE(session.error().code == ErrorCode::kUsage ||
              session.error().code == ErrorCode::kUnsupported);
  EXPECT_FALSE(make_opencl_backend(4711, make_cpu_backend(1)));
}

#else

TEST(OpenCl, ABuildWithoutItSaysSo) {
  EXPECT_FALSE(have_opencl());
  for (const ErrorCode code :
       {list_opencl_devices().error().code, default_opencl_device().error().code,
        OpenClSession::create(0).error().code,
        make_opencl_backend({}, make_cpu_backend(1)).error().code}) {
    EXPECT_EQ(code, ErrorCode::kUnsupported);
  }
}

#endif

}  // namespace
}  // namespace tessera
