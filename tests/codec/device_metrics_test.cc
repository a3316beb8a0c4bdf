// Runs the metrics for devices on the host, and compares all figures with those of the CPU.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>
#include <vector>

#include "codec/cuda/metrics_stages-inl.h"
#include "codec/device_metrics.h"
#include "image/image.h"
#include "image/synthetic.h"

namespace tessera {
namespace {

using metrics::Slot;

// A device without any: the host's memory, and one thread. Items are run backwards, and few rows of
// windows at once.
class HostMachine {
 public:
  explicit HostMachine(uint32_t texels) : texels_(texels) {}

  template <class Work>
  void run(uint32_t items, const Work& work) {
    for (uint32_t i = items; i-- > 0;) {
      work(i);
    }
  }
  template <class T>
  Result<T*> reserve(Slot slot, size_t count) {
    auto& memory = slots_[static_cast<size_t>(slot)];
    memory.assign(count * sizeof(T) / sizeof(double) + 1, -1.0);
    return reinterpret_cast<T*>(memory.data());
  }
  Status read(const void* from, void* to, size_t bytes) {
    std::memcpy(to, from, bytes);
    return {};
  }
  uint32_t texels_at_once() const { return texels_; }

 private:
  uint32_t texels_;
  std::array<std::vector<double>, static_cast<size_t>(Slot::kCount)> slots_;
};

Image picture(uint32_t width, uint32_t height, uint32_t seed) {
  Image image = make_synthetic_image(SyntheticKind::kSprite, width, height, seed).value();
  std::mt19937 random(seed);
  for (uint32_t y = 0; y < height; ++y) {
    auto* row = image.mutable_view().row<uint8_t>(y);
    for (uint32_t i = 0; i < 4 * width; ++i) {
      row[i] = static_cast<uint8_t>(row[i] ^ (random() % (1u << seed)));
    }
  }
  return image;
}

DeviceImage on_device(const Image& image) {
  const ImageView view = image.view();
  return {view.data, view.row_stride, view.info.width, view.info.height};
}

void expect_same(const Image& one, const Image& two, const MetricsOptions& options,
                 uint32_t texels_at_once) {
  const Metrics expected = compute_metrics(one.view(), two.view(), options).value();
  HostMachine machine(texels_at_once);
  const auto got =
      metrics::Driver<HostMachine>(machine, {on_device(one), on_device(two)}, options).run();
  ASSERT_TRUE(got);
  EXPECT_EQ(got->psnr_rgb, expected.psnr_rgb);
  EXPECT_EQ(got->psnr_rgba, expected.psnr_rgba);
  EXPECT_EQ(got->psnr_alpha_weighted, expected.psnr_alpha_weighted);
  EXPECT_EQ(got->ssim, expected.ssim);
  EXPECT_EQ(got->max_error, expected.max_error);
  EXPECT_EQ(got->worst_block.x, expected.worst_block.x);
  EXPECT_EQ(got->worst_block.y, expected.worst_block.y);
  EXPECT_EQ(got->worst_block.psnr_rgb, expected.worst_block.psnr_rgb);
}

TEST(DeviceMetrics, AreThoseOfTheCpu) {
  for (const uint32_t width : {1u, 7u, 11u, 67u, 130u}) {
    for (const uint32_t height : {1u, 10u, 12u, 61u}) {
      for (const MetricsOptions options : {MetricsOptions{4, 4}, {6, 5}, {12, 12}, {1, 3}}) {
        expect_same(picture(width, height, 2), picture(width, height, 4), options, 300);
      }
    }
  }
  expect_same(picture(64, 64, 3), picture(64, 64, 3), {}, 1u << 20);
}

class HostMetrics : public MetricsKernels {
 public:
  Result<Metrics> compare(const DeviceImage& reference, const DeviceImage& test,
                          const MetricsOptions& options, void*) override {
    HostMachine machine(1000);
    return metrics::Driver<HostMachine>(machine, {reference, test}, options).run();
  }
};

class HostDevice : public Device {
 public:
  std::string_view kind() const override { return "host"; }
  DeviceKernels* kernels(std::string_view) override { return nullptr; }
  DeviceKernels* metrics() override { return &metrics_; }
  bool give_up(const Error&) override { return false; }

 private:
  HostMetrics metrics_;
};

TEST(DeviceMetrics, RefuseWhatCannotBeCompared) {
  const Image one = picture(8, 8, 1);
  const Image two = picture(8, 9, 1);
  HostDevice device;
  EXPECT_TRUE(compare_on_device(&device, on_device(one), on_device(one), {}, nullptr));
  const auto code = [&](Device* where, const DeviceImage& a, const DeviceImage& b,
                        const MetricsOptions& options) {
    return compare_on_device(where, a, b, options, nullptr).error().code;
  };
  EXPECT_EQ(code(nullptr, on_device(one), on_device(one), {}), ErrorCode::kUnsupported);
  EXPECT_EQ(code(&device, on_device(one), on_device(two), {}), ErrorCode::kInvalid);
  EXPECT_EQ(code(&device, on_device(one), on_device(one), {0, 4}), ErrorCode::kUsage);
  EXPECT_EQ(code(&device, DeviceImage(), DeviceImage(), {}), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tessera
