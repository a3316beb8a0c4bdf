// Times the method fgac and the metrics of a CUDA device.
#include "cuda_study_pictures.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "astc/cuda/fgac.h"
#include "astc/decode/decode_image.h"
#include "astc/fgac/fgac_encode.h"
#include "base/bytes.h"
#include "codec/cuda/cuda_metrics.h"
#include "codec/device_metrics.h"
#include "exec/cuda/cuda_device.h"
#include "image/metrics.h"

namespace tessera {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Of work that is done when the device is.
double median_seconds(const std::function<Status()>& work) {
  std::vector<double> times;
  for (int i = 0; i < 11; ++i) {
    const auto start = Clock::now();
    if (!work() || cudaDeviceSynchronize() != cudaSuccess) {
      return 0;
    }
    if (i > 0) {
      times.push_back(seconds_since(start));
    }
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

ImageView view_of(std::span<const uint32_t> texels, uint32_t width, uint32_t height) {
  ImageView view;
  view.data = reinterpret_cast<const uint8_t*>(texels.data());
  view.info.width = width;
  view.info.height = height;
  view.row_stride = size_t{width} * 4;
  view.slice_stride = view.row_stride * height;
  return view;
}

class DeviceBytes {
 public:
  explicit DeviceBytes(size_t bytes) { cudaMalloc(&memory_, bytes); }
  ~DeviceBytes() { cudaFree(memory_); }
  DeviceBytes(const DeviceBytes&) = delete;
  DeviceBytes& operator=(const DeviceBytes&) = delete;

  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

// Block rows spread over half of the machine's threads; adds up their time.
Bytes encode_on_cpu(const ImageView& image, const astc::FgacSettings& settings, double& seconds) {
  const auto rows = static_cast<uint32_t>(divide_round_up(image.info.height, 4));
  const size_t row_bytes = divide_round_up(image.info.width, 4) * astc::kBlockBytes;
  Bytes blocks(rows * row_bytes);
  std::atomic<uint32_t> next = 0;
  std::atomic<int64_t> nanoseconds = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency() / 2); ++i) {
    threads.emplace_back([&] {
      const auto start = Clock::now();
      for (uint32_t row = next++; row < rows; row = next++) {
        astc::encode_fgac_rows(image, 0, row, row + 1, settings,
                               std::span(blocks).subspan(row * row_bytes, row_bytes));
      }
      nanoseconds += (Clock::now() - start).count();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  seconds = static_cast<double>(nanoseconds) * 1e-9;
  return blocks;
}

astc::FgacSettings settings_of(const std::string& variant) {
  astc::FgacSettings settings;
  settings.candidates = variant == "1" ? 1 : 4;
  settings.has_all_modes = variant != "rgb";
  settings.refits = variant != "line";
  return settings;
}

}  // namespace

bool run_fgac_study(const std::string& variant, const StudyPicture& picture) {
  const astc::FgacSettings settings = settings_of(variant);
  const ImageView view = view_of(picture.texels, picture.width, picture.height);
  double cpu_seconds = 0;
  const Bytes expected = encode_on_cpu(view, settings, cpu_seconds);
  const auto decoded =
      astc::decode_image(expected, view.info, {4, 4, 1}, astc::DecodeMode::kLdrUnorm8);
  const double decibels = compute_metrics(view, decoded->view())->psnr_rgb;
  const DeviceBytes blocks(expected.size() * picture.repeats);
  astc::CudaFgac encoder;
  const auto encode = [&](uint32_t height) {
    return encoder.encode({picture.on_device, picture.width, picture.width, height,
                           static_cast<uint32_t>(divide_round_up(picture.width, 4)), false},
                          settings, blocks.get(), nullptr);
  };
  bool is_same = false;
  if (encode(picture.height)) {
    Bytes got(expected.size());
    cudaMemcpy(got.data(), blocks.get(), got.size(), cudaMemcpyDeviceToHost);
    is_same = got == expected;
  }
  const double seconds = median_seconds([&] { return encode(picture.height * picture.repeats); });
  const double pixels = static_cast<double>(picture.width) * picture.height;
  std::printf("fgac %-5s %9.3f GP/s  %8.3f ms  %.2f dB  one CPU core %.2f MP/s  %s\n",
              variant.c_str(), seconds > 0 ? pixels * picture.repeats / seconds * 1e-9 : 0.0,
              seconds * 1e3, decibels, pixels / cpu_seconds * 1e-6, is_same ? "same" : "DIFFERENT");
  std::fflush(stdout);
  return is_same;
}

bool run_compare_study(const StudyPicture& picture) {
  std::vector<uint32_t> changed(picture.texels.begin(), picture.texels.end());
  for (size_t i = 0; i < changed.size(); ++i) {
    changed[i] ^= static_cast<uint32_t>(i * 2654435761u) & 0x03070703u;
  }
  const size_t bytes = changed.size() * 4;
  const DeviceBytes other(bytes * picture.repeats);
  for (uint32_t i = 0; i < picture.repeats; ++i) {
    cudaMemcpy(static_cast<uint8_t*>(other.get()) + i * bytes, changed.data(), bytes,
               cudaMemcpyHostToDevice);
  }
  auto opened = CudaDevice::open(0);
  if (!opened) {
    std::printf("compare: %s\n", opened.error().message.c_str());
    return false;
  }
  const std::unique_ptr<DeviceKernels> kernels = make_cuda_metrics(*opened);
  auto& metrics = dynamic_cast<MetricsKernels&>(*kernels);
  const auto compare = [&](uint32_t height) {
    const size_t row_bytes = size_t{picture.width} * 4;
    return metrics.compare({picture.on_device, row_bytes, picture.width, height},
                           {other.get(), row_bytes, picture.width, height}, {}, nullptr);
  };
  const auto start = Clock::now();
  const Metrics expected = *compute_metrics(view_of(picture.texels, picture.width, picture.height),
                                            view_of(changed, picture.width, picture.height));
  const double cpu_seconds = seconds_since(start);
  const auto got = compare(picture.height);
  const bool is_same =
      got && got->psnr_rgb == expected.psnr_rgb && got->psnr_rgba == expected.psnr_rgba &&
      got->psnr_alpha_weighted == expected.psnr_alpha_weighted && got->ssim == expected.ssim &&
      got->max_error == expected.max_error && got->worst_block.x == expected.worst_block.x &&
      got->worst_block.y == expected.worst_block.y &&
      got->worst_block.psnr_rgb == expected.worst_block.psnr_rgb;
  const double seconds = median_seconds([&]() -> Status {
    const auto measured = compare(picture.height * picture.repeats);
    return measured ? Status() : Status(measured.error());
  });
  const double pixels = static_cast<double>(picture.width) * picture.height;
  std::printf("compare    %9.3f GP/s  %8.3f ms  one CPU core %.1f MP/s  %s\n",
              seconds > 0 ? pixels * picture.repeats / seconds * 1e-9 : 0.0, seconds * 1e3,
              pixels / cpu_seconds * 1e-6, is_same ? "same" : "DIFFERENT");
  std::fflush(stdout);
  return is_same;
}

}  // namespace tessera
