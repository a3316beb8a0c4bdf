// Encodes what lies in memory of a CUDA device, through the public headers alone.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tessera/cuda.hpp"

namespace tessera {
namespace {

constexpr uint32_t kWidth = 130, kHeight = 70;
constexpr size_t kPitch = 544;  // bytes, more than a row

std::vector<uint8_t> test_pixels() {
  std::vector<uint8_t> pixels(kPitch * kHeight, 0xEE);
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t x = 0; x < kWidth; ++x) {
      uint8_t* const pixel = pixels.data() + y * kPitch + 4 * size_t{x};
      pixel[0] = static_cast<uint8_t>(x * 3 + y);
      pixel[1] = static_cast<uint8_t>(x * y / 7);
      pixel[2] = static_cast<uint8_t>((x ^ y) * 2);
      pixel[3] = static_cast<uint8_t>(x < 60 ? 255 : 255 - y);
    }
  }
  return pixels;
}

class DeviceMemory {
 public:
  explicit DeviceMemory(size_t bytes) { EXPECT_EQ(cudaMalloc(&memory_, bytes), cudaSuccess); }
  ~DeviceMemory() { cudaFree(memory_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

TEST(CudaMemory, IsEncodedToTheBytesOfTheCpu) {
  auto context = Context::create({.backend = "cuda"});
  if (!context) {
    GTEST_SKIP() << "NO CUDA DEVICE: " << context.error().message;
  }
  const std::vector<uint8_t> pixels = test_pixels();
  DeviceMemory on_device(pixels.size());
  ASSERT_EQ(cudaMemcpy(on_device.get(), pixels.data(), pixels.size(), cudaMemcpyHostToDevice),
            cudaSuccess);
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  for (const char* block : {"4x4", "6x6", "10x8"}) {
    for (const char* preset : {"realtime", "fast", "medium"}) {
      const auto encoder = Encoder::create({.format = "astc", .block = block, .preset = preset});
      ASSERT_TRUE(encoder) << encoder.error().message;
      const Image image = {
          .pixels = pixels.data(), .width = kWidth, .height = kHeight, .row_stride = kPitch};
      std::vector<uint8_t> expected(*encoder->payload_size(image)), blocks(expected.size());
      ASSERT_TRUE(encoder->encode_blocks(image, expected));
      DeviceMemory out(blocks.size());
      const Status status = cuda::encode(*encoder, *context, on_device.get(), kPitch, kWidth,
                                         kHeight, out.get(), blocks.size(), stream);
      ASSERT_TRUE(status) << status.error().message;
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      ASSERT_EQ(cudaMemcpy(blocks.data(), out.get(), blocks.size(), cudaMemcpyDeviceToHost),
                cudaSuccess);
      EXPECT_EQ(blocks, expected) << block << " " << preset;
    }
  }
  cudaStreamDestroy(stream);
}

TEST(CudaMemory, IsComparedAsTheCpuDoes) {
  auto context = Context::create({.backend = "cuda"});
  if (!context) {
    GTEST_SKIP() << "NO CUDA DEVICE: " << context.error().message;
  }
  const std::vector<uint8_t> pixels = test_pixels();
  std::vector<uint8_t> others = pixels;
  for (size_t i = 0; i < others.size(); i += 3) {
    others[i] = static_cast<uint8_t>(others[i] ^ (i % 29));
  }
  DeviceMemory first(pixels.size()), second(pixels.size());
  ASSERT_EQ(cudaMemcpy(first.get(), pixels.data(), pixels.size(), cudaMemcpyHostToDevice),
            cudaSuccess);
  ASSERT_EQ(cudaMemcpy(second.get(), others.data(), pixels.size(), cudaMemcpyHostToDevice),
            cudaSuccess);
  const Image one = {
      .pixels = pixels.data(), .width = kWidth, .height = kHeight, .row_stride = kPitch};
  const Image two = {
      .pixels = others.data(), .width = kWidth, .height = kHeight, .row_stride = kPitch};
  const auto expected = compare(one, two, 6, 5);
  const auto got = cuda::compare(*context, first.get(), kPitch, second.get(), kPitch, kWidth,
                                 kHeight, nullptr, 6, 5);
  ASSERT_TRUE(expected && got);
  EXPECT_EQ(got->psnr_rgb, expected->psnr_rgb);
  EXPECT_EQ(got->psnr_rgba, expected->psnr_rgba);
  EXPECT_EQ(got->psnr_alpha_weighted, expected->psnr_alpha_weighted);
  EXPECT_EQ(got->ssim, expected->ssim);
  EXPECT_EQ(got->max_error, expected->max_error);
  EXPECT_EQ(got->worst_block_x, expected->worst_block_x);
  EXPECT_EQ(got->worst_block_y, expected->worst_block_y);
  EXPECT_EQ(got->worst_block_psnr_rgb, expected->worst_block_psnr_rgb);
}

TEST(CudaMemory, NeedsTheBackend) {
  const auto encoder = Encoder::create({.format = "astc"});
  ASSERT_TRUE(encoder);
  const auto context = Context::create({.backend = "serial"});
  ASSERT_TRUE(context);
  uint8_t block[16] = {};
  const Status status =
      cuda::encode(*encoder, *context, block, 16, 4, 1, block, sizeof block, nullptr);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  const auto compared = cuda::compare(*context, block, 16, block, 16, 4, 1);
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
