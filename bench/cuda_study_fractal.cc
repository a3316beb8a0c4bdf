// Times the searches of fractal images on a CUDA device.
#include "cuda_study_fractal.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "exec/backend.h"
#include "exec/cuda/cuda_device.h"
#include "fractal/cuda/fractal_cuda.h"
#include "fractal/fractal_device.h"
#include "fractal/fractal_image.h"

namespace tessera {
namespace {

using fractal::OptionalDevice;
using fractal::Plane;

Plane<uint8_t> green_of(std::span<const uint32_t> texels, uint32_t stride, uint32_t width,
                        uint32_t height) {
  Plane<uint8_t> plane(width, height);
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      plane.at(x, y) = static_cast<uint8_t>(texels[size_t{y} * stride + x] >> 8);
    }
  }
  return plane;
}

template <class Work>
double median_seconds(int count, const Work& work) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    times.push_back(seconds.count());
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Encodes or searches once, on the CPU where `device` is null; the bytes of what came out.
using Study = std::function<Result<Bytes>(OptionalDevice* device)>;

Study paper_study(std::span<const uint32_t> texels, uint32_t width, uint32_t height) {
  const uint32_t side = std::min(std::bit_floor(std::min(width, height)), 2048u);
  fractal::PaperSettings settings;
  settings.epsilon = 0;
  settings.depth = static_cast<uint32_t>(std::countr_zero(side)) - 4;
  return [settings,
          plane = green_of(texels, width, side, side)](OptionalDevice* device) -> Result<Bytes> {
    TESSERA_ASSIGN_OR_RETURN(
        const auto encoding,
        fractal::encode_paper(plane, settings, fractal::run_serially, nullptr, device));
    return fractal::write_paper_stream(encoding, plane.width, settings.depth);
  };
}

Study domains_study(std::span<const uint32_t> texels, uint32_t width, uint32_t height) {
  return [plane = green_of(texels, width, std::min(width, 1024u), std::min(height, 1024u))](
             OptionalDevice* device) -> Result<Bytes> {
    TESSERA_ASSIGN_OR_RETURN(const auto task,
                             fractal::search_plane(plane, fractal::LeafChoice::kHybrid,
                                                   fractal::run_serially, nullptr, device));
    Bytes bytes;
    for (const auto& blocks : task.candidates) {
      for (const auto& block : blocks) {
        for (const fractal::DomainCandidate& one : block) {
          const float numbers[] = {one.covariance, one.variance};
          const uint16_t places[] = {one.x, one.y, one.isometry};
          const size_t at = bytes.size();
          bytes.resize(at + sizeof numbers + sizeof places);
          std::memcpy(bytes.data() + at, numbers, sizeof numbers);
          std::memcpy(bytes.data() + at + sizeof numbers, places, sizeof places);
        }
      }
    }
    return bytes;
  };
}

Study our_study(std::span<const uint32_t> texels, uint32_t width, uint32_t height) {
  return [plane = green_of(texels, width, std::min(width, 1024u), std::min(height, 1024u))](
             OptionalDevice* device) -> Result<Bytes> {
    ImageView view;
    view.info.width = plane.width;
    view.info.height = plane.height;
    view.info.channels = 1;
    view.data = plane.samples.data();
    view.row_stride = plane.width;
    view.slice_stride = plane.samples.size();
    fractal::EncodeSettings settings;
    settings.device = device;
    return fractal::encode_fractal(view, settings, fractal::run_serially);
  };
}

bool measure(const std::string& job, const Study& study, OptionalDevice& device) {
  Result<Bytes> got = study(&device);
  if (!got) {
    std::printf("fractal %s: %s\n", job.c_str(), got.error().message.c_str());
    return false;
  }
  Result<Bytes> expected = Bytes();
  const double cpu = median_seconds(1, [&] { expected = study(nullptr); });
  const double seconds = median_seconds(11, [&] { got = study(&device); });
  const bool is_same = got && expected && *got == *expected;
  std::printf("fractal %-9s %9.3f ms  %8.1f ms on one CPU core, %.0f times  %s\n", job.c_str(),
              seconds * 1e3, cpu * 1e3, cpu / seconds, is_same ? "same" : "DIFFERENT");
  std::fflush(stdout);
  return is_same;
}

}  // namespace

bool run_fractal_study(const std::string& job, std::span<const uint32_t> texels, uint32_t width,
                       uint32_t height) {
  auto opened = CudaDevice::open(0);
  if (!opened) {
    std::printf("fractal %s: %s\n", job.c_str(), opened.error().message.c_str());
    return false;
  }
  const auto threads = make_serial_backend();
  const std::unique_ptr<DeviceKernels> kernels = make_fractal_cuda(*opened);
  OptionalDevice device(dynamic_cast<FractalKernels&>(*kernels).search(*threads), {});
  if (job == "paper") {
    return measure(job, paper_study(texels, width, height), device);
  }
  return measure(
      job,
      job == "domains" ? domains_study(texels, width, height) : our_study(texels, width, height),
      device);
}

}  // namespace tessera
