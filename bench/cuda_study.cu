// Measures encoders of a CUDA device on a picture that lies in its memory, and compares their bytes
// with those of the CPU.
//   cuda_study FILE WIDTH HEIGHT REPEATS JOB ...
// FILE holds RGBA texels. The picture is put REPEATS times below itself for measuring. A job is
// BLOCK:PRESET or BLOCK:QUALITY (ASTC), bc1:PRESET or bc1:METHOD, BLOCK:decode, bc1:decode,
// fractal:paper, fractal:domains or fractal:ours (cuda_study_fractal.h), fgac or fgac:VARIANT and
// compare (cuda_study_pictures.h), copy, which tells what the memory of the device allows, or, from
// ordinary memory of the host and back, host:BLOCK:PRESET and host:copy, which tells what the link
// allows.
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

#include "astc/astc_device.h"
#include "astc/cuda/astc_cuda.h"
#include "astc/cuda/cuda_encoder.h"
#include "astc/cuda/decode_picture.h"
#include "astc/decode/decode_image.h"
#include "astc/encode/encode_rows.h"
#include "base/bytes.h"
#include "bc/bc1_decode.h"
#include "bc/bc1_encode.h"
#include "bc/cuda/kernels.h"
#include "bc/device/bc1_tables.h"
#include "cuda_study_fractal.h"
#include "cuda_study_pictures.h"
#include "exec/backend.h"
#include "exec/cuda/cuda_device.h"

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

bc1::Settings parse_bc1(const std::string& how) {
  const auto* const preset = std::find(std::begin(kPresets), std::end(kPresets), how);
  return preset != std::end(kPresets) ? bc1::preset_settings(static_cast<Preset>(preset - kPresets))
                                      : bc1::method_settings(*bc1::parse_method(how));
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
    cudaMalloc(&device_decoded_, bytes * repeats);
    cudaEventCreate(&start_);
    cudaEventCreate(&end_);
  }

  // What copying within the device's memory takes, in bytes that are read and written.
  void measure_copy() {
    const size_t bytes = texels_.size() * 4 * repeats_;
    const double milliseconds = median_of([&] {
      return cuda_status(
          cudaMemcpyAsync(device_blocks_, device_texels_, bytes, cudaMemcpyDeviceToDevice, nullptr),
          "failed");
    });
    std::printf("copy      %9.1f GB/s read and written\n", 2.0 * bytes / milliseconds * 1e-6);
  }

  // From pinned memory to the device, what the best of encoders could reach.
  void measure_link() {
    const size_t bytes = texels_.size() * 4 * repeats_;
    void* pinned = nullptr;
    cudaMallocHost(&pinned, bytes);
    std::memset(pinned, 1, bytes);
    const double milliseconds = median_of([&] {
      return cuda_status(
          cudaMemcpyAsync(device_decoded_, pinned, bytes, cudaMemcpyHostToDevice, nullptr),
          "failed");
    });
    cudaFreeHost(pinned);
    std::printf("host copy %9.1f GB/s to the device, %.3f GP/s\n", bytes / milliseconds * 1e-6,
                bytes / 4.0 / milliseconds * 1e-6);
  }

  // From ordinary memory of the host and back.
  bool run_from_host(const Job& job) {
    auto device = CudaDevice::open(0);
    const auto kernels = make_astc_cuda(*device);
    auto& encoder = static_cast<AstcKernels&>(*kernels);
    const auto threads = make_cpu_backend(0);
    std::vector<uint32_t> all;
    for (uint32_t i = 0; i < repeats_; ++i) {
      all.insert(all.end(), texels_.begin(), texels_.end());
    }
    ImageView image = view();
    image.data = reinterpret_cast<const uint8_t*>(all.data());
    image.info.height *= repeats_;
    image.slice_stride = image.row_stride * image.info.height;
    astc::EncodeScratch scratch;
    const astc::PictureFacts facts = astc::look_at_picture(image, job.block, job.settings, scratch);
    Bytes blocks(block_count(job, image.info.height) * astc::kBlockBytes);
    std::vector<double> times;
    for (int i = 0; i < 11; ++i) {
      const auto start = std::chrono::steady_clock::now();
      const Status status =
          encoder.encode(image, job.block, job.settings, facts, *threads, blocks, {});
      if (!status) {
        std::printf("%s\n", status.error().message.c_str());
        return false;
      }
      times.push_back(
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    std::vector<uint8_t> resident(blocks.size());
    const auto across = static_cast<uint32_t>(divide_round_up(width_, job.block.width));
    const astc::Picture picture = {device_texels_,    width_, width_,
                                   image.info.height, across, width_ % 4 == 0};
    static_cast<void>(encoder_->encode(picture, job.block, job.settings, facts,
                                       reinterpret_cast<astc::Block128*>(device_blocks_), nullptr));
    cudaMemcpy(resident.data(), device_blocks_, resident.size(), cudaMemcpyDeviceToHost);
    const bool is_same = std::equal(blocks.begin(), blocks.end(), resident.begin());
    const double first = times[0];
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    std::printf("host %5s %-9s %9.3f GP/s  %8.3f ms (the first %.3f)  %s\n",
                block_size_name(job.block).c_str(), job.how.c_str(),
                width_ * double(image.info.height) / median * 1e-9, median * 1e3, first * 1e3,
                is_same ? "same" : "DIFFERENT");
    std::fflush(stdout);
    return is_same;
  }

  bool run_bc1(const std::string& how) {
    const bool is_decoding = how == "decode";
    const bc1::Settings settings =
        is_decoding ? bc1::preset_settings(Preset::kFast) : parse_bc1(how);
    const std::vector<int32_t> tables = bc1::kernel_tables(settings.rounding);
    int32_t* device_tables = nullptr;
    cudaMalloc(&device_tables, tables.size() * 4);
    cudaMemcpy(device_tables, tables.data(), tables.size() * 4, cudaMemcpyHostToDevice);
    const auto shape_of = [&](uint32_t height) {
      const uint32_t across = (width_ + 3) / 4;
      return bc1::PictureShape{size_t{width_} * 4, width_, height,
                               width_ % 4 == 0,    across, across * ((height + 3) / 4)};
    };
    const auto* texels = reinterpret_cast<const uint8_t*>(device_texels_);
    const auto encode = [&](uint32_t height) {
      if (!bc1::encode_with_preset(shape_of(height), texels, settings, device_tables,
                                   device_blocks_, nullptr)) {
        bc1::encode_with_any_settings(shape_of(height), texels, settings, device_tables,
                                      device_blocks_, nullptr);
      }
      return cuda_status(cudaGetLastError(), "failed");
    };
    static_cast<void>(encode(height_));
    std::vector<uint8_t> got(shape_of(height_).blocks * size_t{8});
    cudaMemcpy(got.data(), device_blocks_, got.size(), cudaMemcpyDeviceToHost);
    std::vector<uint8_t> expected(got.size());
    bc1::encode_rows(view(), 0, 0, (height_ + 3) / 4, settings, expected);
    bool is_same = got == expected;
    double milliseconds = 0;
    if (is_decoding) {
      static_cast<void>(encode(height_ * repeats_));
      milliseconds = median_of([&] {
        bc1::decode_blocks(device_blocks_, bc1::Rounding::kIdeal, shape_of(height_ * repeats_),
                           decoded(), nullptr);
        return cuda_status(cudaGetLastError(), "failed");
      });
      std::vector<uint32_t> back(texels_.size()), wanted(texels_.size());
      cudaMemcpy(back.data(), decoded(), back.size() * 4, cudaMemcpyDeviceToHost);
      MutableImageView out;
      out.info = view().info;
      out.data = reinterpret_cast<uint8_t*>(wanted.data());
      out.row_stride = size_t{width_} * 4;
      out.slice_stride = out.row_stride * height_;
      bc1::decode_rows(expected, 0, (height_ + 3) / 4, 0, out, bc1::Rounding::kIdeal);
      is_same = is_same && back == wanted;
    } else {
      milliseconds = median_of([&] { return encode(height_ * repeats_); });
    }
    cudaFree(device_tables);
    print_rate("bc1", how, milliseconds, 4.5, is_same);
    return is_same;
  }

  StudyPicture picture() const { return {texels_, width_, height_, repeats_, device_texels_}; }

  bool run_fractal(const std::string& job) {
    return run_fractal_study(job, texels_, width_, height_);
  }

  bool run_decoding(const Job& job) {
    if (!encode(job, height_ * repeats_)) {
      return false;
    }
    const auto target = [&](uint32_t height) {
      return MutableDeviceImage{decoded(), size_t{width_} * 4, width_, height};
    };
    const double milliseconds = median_of([&] {
      return decoder_.decode(device_blocks_, job.block, astc::DecodeMode::kLdrUnorm8,
                             target(height_ * repeats_), nullptr);
    });
    bool is_same = true;
    for (const auto mode :
         {astc::DecodeMode::kLdrFloat16, astc::DecodeMode::kSrgb, astc::DecodeMode::kLdrUnorm8}) {
      if (!encode(job, height_) ||
          !decoder_.decode(device_blocks_, job.block, mode, target(height_), nullptr)) {
        return false;
      }
      std::vector<uint32_t> got(texels_.size());
      cudaMemcpy(got.data(), decoded(), got.size() * 4, cudaMemcpyDeviceToHost);
      std::vector<uint8_t> blocks(block_count(job, height_) * astc::kBlockBytes);
      cudaMemcpy(blocks.data(), device_blocks_, blocks.size(), cudaMemcpyDeviceToHost);
      const auto expected = astc::decode_image(blocks, view().info, job.block, mode);
      for (uint32_t y = 0; y < height_; ++y) {
        is_same = is_same && std::memcmp(got.data() + size_t{y} * width_,
                                         expected->row<uint32_t>(y), size_t{width_} * 4) == 0;
      }
    }
    const double bytes_per_pixel = 4.0 + 16.0 / job.block.texel_count();
    print_rate(block_size_name(job.block), "decode", milliseconds, bytes_per_pixel, is_same);
    return is_same;
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
    const CpuResult cpu = encode_on_cpu(view(), job);
    size_t different = 0;
    for (size_t i = 0; i < got.size(); i += astc::kBlockBytes) {
      if (std::memcmp(got.data() + i, cpu.bytes.data() + i, astc::kBlockBytes) != 0) {
        if (different++ < 3) {
          show_block(job, i / astc::kBlockBytes, got.data() + i, cpu.bytes.data() + i);
        }
      }
    }
    const double cpu_rate = width_ * double(height_) / cpu.seconds;
    const double milliseconds = median_of([&] { return encode(job, height_ * repeats_); });
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

  template <class Work>
  double median_of(const Work& work) {
    std::vector<float> times;
    for (int i = 0; i < 11; ++i) {
      cudaEventRecord(start_);
      if (!work()) {
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

  void print_rate(const std::string& format, const std::string& how, double milliseconds,
                  double bytes_per_pixel, bool is_same) const {
    const double rate = width_ * double(height_) * repeats_ / milliseconds * 1e-6;
    std::printf("%5s %-9s %9.3f GP/s  %8.3f ms  %7.0f GB/s  %s\n", format.c_str(), how.c_str(),
                rate, milliseconds, rate * bytes_per_pixel, is_same ? "same" : "DIFFERENT");
    std::fflush(stdout);
  }

  ImageView view() const {
    ImageView view;
    view.data = reinterpret_cast<const uint8_t*>(texels_.data());
    view.info.width = width_;
    view.info.height = height_;
    view.row_stride = size_t{width_} * 4;
    view.slice_stride = view.row_stride * height_;
    return view;
  }

  uint8_t* decoded() const { return reinterpret_cast<uint8_t*>(device_decoded_); }

  std::vector<uint32_t> texels_;
  uint32_t width_, height_, repeats_;
  uint32_t* device_texels_ = nullptr;
  uint8_t* device_blocks_ = nullptr;
  uint32_t* device_decoded_ = nullptr;
  cudaEvent_t start_, end_;
  std::unique_ptr<astc::CudaEncoder> encoder_;
  astc::CudaDecoder decoder_;
};

int study(int count, char** arguments) {
  if (count < 6) {
    std::fprintf(stderr, "usage: cuda_study FILE WIDTH HEIGHT REPEATS JOB ...\n");
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
    const std::string job = arguments[i];
    if (job == "copy") {
      study.measure_copy();
    } else if (job == "host:copy") {
      study.measure_link();
    } else if (job.starts_with("host:")) {
      all_same = study.run_from_host(parse_job(job.substr(5))) && all_same;
    } else if (job.starts_with("bc1:")) {
      all_same = study.run_bc1(job.substr(4)) && all_same;
    } else if (job == "compare") {
      all_same = run_compare_study(study.picture()) && all_same;
    } else if (job == "fgac" || job.starts_with("fgac:")) {
      all_same = run_fgac_study(job.size() > 5 ? job.substr(5) : "", study.picture()) && all_same;
    } else if (job.starts_with("fractal:")) {
      all_same = study.run_fractal(job.substr(8)) && all_same;
    } else if (job.ends_with(":decode")) {
      all_same = study.run_decoding(parse_job(job.substr(0, job.find(':')) + ":fast")) && all_same;
    } else {
      all_same = study.run(parse_job(job)) && all_same;
    }
  }
  return all_same ? 0 : 4;
}

}  // namespace
}  // namespace tessera

int main(int count, char** arguments) {
  return tessera::study(count, arguments);
}
