// Measures encoders of a CUDA device on a picture that lies in its memory, and compares their bytes
// with those of the CPU.
//   cuda_study FILE WIDTH HEIGHT REPEATS [BLOCK:PRESET ...]
// FILE holds RGBA texels. The picture is put REPEATS times below itself for measuring.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "astc/cuda/cuda_encoder.h"
#include "astc/encode/encode_rows.h"
#include "base/bytes.h"

namespace tessera {
namespace {

struct Job {
  BlockSize block;
  std::string how;
  astc::EncodeSettings settings;
};

constexpr const char* kPresets[] = {"realtime", "fast", "medium", "thorough", "exhaustive"};

Job parse_job(const std::string& text) {
  const size_t colon = text.find(':');
  Job job;
  job.block = *parse_block_size(text.substr(0, colon));
  job.how = text.substr(colon + 1);
  const auto* const found = std::find(std::begin(kPresets), std::end(kPresets), job.how);
  job.settings = found != std::end(kPresets)
                     ? astc::preset_settings(static_cast<Preset>(found - kPresets), job.block)
                     : astc::quality_settings(std::stof(job.how), job.block);
  return job;
}

struct CpuResult {
  Bytes bytes;
  double seconds = 0;  // of one thread, all together
};

CpuResult encode_on_cpu(const ImageView& image, const Job& job) {
  astc::EncodeScratch scratch;
  const astc::PictureFacts facts = astc::look_at_picture(image, job.block, job.settings, scratch);
  const size_t across = divide_round_up(image.info.width, job.block.width);
  const size_t down = divide_round_up(image.info.height, job.block.height);
  CpuResult result;
  result.bytes.resize(across * down * astc::kBlockBytes);
  constexpr size_t kRows = 16;
  std::atomic<size_t> next = 0;
  std::atomic<int64_t> nanoseconds = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency() / 2); ++i) {
    threads.emplace_back([&] {
      astc::EncodeScratch own;
      const auto start = std::chrono::steady_clock::now();
      for (size_t first = kRows * next++; first < down; first = kRows * next++) {
        const size_t end = std::min(first + kRows, down);
        astc::encode_rows(image, job.block, 0, static_cast<uint32_t>(first),
                          static_cast<uint32_t>(end), job.settings, facts, own,
                          std::span(result.bytes)
                              .subspan(first * across * astc::kBlockBytes,
                                       (end - first) * across * astc::kBlockBytes));
      }
      nanoseconds += (std::chrono::steady_clock::now() - start).count();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  result.seconds = static_cast<double>(nanoseconds) * 1e-9;
  return result;
}

class Study {
 public:
  Study(std::vector<uint32_t> texels, uint32_t width, uint32_t height, uint32_t repeats)
      : texels_(std::move(texels)), width_(width), height_(height), repeats_(repeats) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::printf("%s, %d processors\n", properties.name, properties.multiProcessorCount);
    encoder_ = std::make_unique<astc::CudaEncoder>(properties.multiProcessorCount);
    const size_t bytes = texels_.size() * 4;
    cudaMalloc(&device_texels_, bytes * repeats);
    for (uint32_t i = 0; i < repeats; ++i) {
      cudaMemcpy(device_texels_ + i * texels_.size(), texels_.data(), bytes,
                 cudaMemcpyHostToDevice);
    }
    cudaMalloc(&device_blocks_, bytes * repeats);
    cudaEventCreate(&start_);
    cudaEventCreate(&end_);
  }

  bool run(const Job& job) {
    const size_t blocks = block_count(job, height_);
    std::vector<uint8_t> got(blocks * astc::kBlockBytes);
    cudaMemset(device_blocks_, 0xCD, got.size());
    const Status status = encode(job, height_);
    if (!status) {
      std::printf("%s\n", status.error().message.c_str());
      return false;
    }
    cudaMemcpy(got.data(), device_blocks_, got.size(), cudaMemcpyDeviceToHost);
    ImageView view;
    view.data = reinterpret_cast<const uint8_t*>(texels_.data());
    view.info.width = width_;
    view.info.height = height_;
    view.row_stride = size_t{width_} * 4;
    view.slice_stride = view.row_stride * height_;
    const CpuResult cpu = encode_on_cpu(view, job);
    size_t different = 0;
    for (size_t i = 0; i < got.size(); i += astc::kBlockBytes) {
      if (std::memcmp(got.data() + i, cpu.bytes.data() + i, astc::kBlockBytes) != 0) {
        if (different++ < 3) {
          show_block(job, i / astc::kBlockBytes, got.data() + i, cpu.bytes.data() + i);
        }
      }
    }
    const double cpu_rate = width_ * double(height_) / cpu.seconds;
    const double milliseconds = median_time(job);
    const double rate = width_ * double(height_) * repeats_ / milliseconds * 1e3;
    std::printf(
        "%5s %-9s %9.3f GP/s  %8.3f ms  %6.0f x one CPU core (%.2f MP/s)  %zu of %zu blocks "
        "differ\n",
        block_size_name(job.block).c_str(), job.how.c_str(), rate * 1e-9, milliseconds,
        rate / cpu_rate, cpu_rate * 1e-6, different, blocks);
    std::fflush(stdout);
    return different == 0;
  }

 private:
  size_t block_count(const Job& job, uint32_t height) const {
    return divide_round_up(width_, job.block.width) * divide_round_up(height, job.block.height);
  }

  void show_block(const Job& job, size_t number, const uint8_t* device, const uint8_t* cpu) {
    const size_t across = divide_round_up(width_, job.block.width);
    const size_t x0 = number % across * job.block.width, y0 = number / across * job.block.height;
    std::printf("block %zu, at %zu, %zu:", number, x0, y0);
    for (size_t y = y0; y < std::min<size_t>(y0 + job.block.height, height_); ++y) {
      for (size_t x = x0; x < std::min<size_t>(x0 + job.block.width, width_); ++x) {
        std::printf(" %08x", texels_[y * width_ + x]);
      }
    }
    for (const uint8_t* bytes : {device, cpu}) {
      std::printf("\n  ");
      for (size_t i = 0; i < astc::kBlockBytes; ++i) {
        std::printf("%02x", bytes[i]);
      }
    }
    std::printf("\n");
  }

  Status encode(const Job& job, uint32_t height) {
    const auto across = static_cast<uint32_t>(divide_round_up(width_, job.block.width));
    const astc::Picture picture = {device_texels_, width_, width_, height, across, width_ % 4 == 0};
    Status status = encoder_->encode(picture, job.block, job.settings, std::nullopt,
                                     reinterpret_cast<astc::Block128*>(device_blocks_), nullptr);
    if (status) {
      status = cuda_status(cudaDeviceSynchronize(), "failed");
    }
    return status;
  }

  double median_time(const Job& job) {
    std::vector<float> times;
    for (int i = 0; i < 11; ++i) {
      cudaEventRecord(start_);
      if (!encode(job, height_ * repeats_)) {
        return 0;
      }
      cudaEventRecord(end_);
      cudaEventSynchronize(end_);
      float time = 0;
      cudaEventElapsedTime(&time, start_, end_);
      if (i > 0) {
        times.push_back(time);
      }
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
  }

  std::vector<uint32_t> texels_;
  uint32_t width_, height_, repeats_;
  uint32_t* device_texels_ = nullptr;
  uint8_t* device_blocks_ = nullptr;
  cudaEvent_t start_, end_;
  std::unique_ptr<astc::CudaEncoder> encoder_;
};

int study(int count, char** arguments) {
  if (count < 6) {
    std::fprintf(stderr, "usage: cuda_study FILE WIDTH HEIGHT REPEATS BLOCK:PRESET ...\n");
    return 1;
  }
  const auto number = [&](int i) { return static_cast<uint32_t>(std::stoul(arguments[i])); };
  std::vector<uint32_t> texels(size_t{number(2)} * number(3));
  std::ifstream file(arguments[1], std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(texels.data()),
                 static_cast<std::streamsize>(texels.size() * 4))) {
    std::fprintf(stderr, "cuda_study: cannot read %s\n", arguments[1]);
    return 2;
  }
  Study study(std::move(texels), number(2), number(3), number(4));
  bool all_same = true;
  for (int i = 5; i < count; ++i) {
    all_same = study.run(parse_job(arguments[i])) && all_same;
  }
  return all_same ? 0 : 4;
}

}  // namespace
}  // namespace tessera

int main(int count, char** arguments) {
  return tessera::study(count, arguments);
}
