// Sums the errors of pictures of high dynamic range.
#include "image/hdr_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/half.h"
#include "image/metrics.h"
#include "image/sample.h"

namespace tessera {
namespace {

constexpr int kFirstStop = -10, kLastStop = 10;
constexpr size_t kStops = kLastStop - kFirstStop + 1;
constexpr double kPeak = 255.0;
constexpr double kSmallestHalf = 1.0 / (1 << 24);

// Light: NaN and what is negative is none.
constexpr auto kLightOf = [](auto sample, auto stored) {
  const double value = sample.to_double(stored);
  return value > 0 ? std::min(value, kLargestHalf) : 0.0;
};

class ExposureSums {
 public:
  ExposureSums() {
    for (size_t i = 0; i < kStops; ++i) {
      factor_[i] = kPeak * std::exp2((kFirstStop + static_cast<double>(i)) / kGamma);
    }
  }

  void add(double reference, double test) {
    const double difference = reference - test;
    squared_sum_ += difference * difference;
    peak_ = std::max(peak_, reference);
    const double octaves =
        std::log2(std::max(reference, kSmallestHalf)) - std::log2(std::max(test, kSmallestHalf));
    log_sum_ += octaves * octaves;
    if (difference == 0) {
      return;
    }
    // An exposure is a factor, before the gamma or behind it.
    const double a = std::pow(reference, 1 / kGamma), b = std::pow(test, 1 / kGamma);
    for (const double factor : factor_) {
      const double shown = std::min(a * factor, kPeak) - std::min(b * factor, kPeak);
      exposed_sum_ += shown * shown;
    }
  }

  HdrMetrics result(double pixels) const {
    HdrMetrics metrics;
    metrics.mpsnr = psnr_from_mse(exposed_sum_ / (pixels * 3 * kStops * kPeak * kPeak));
    metrics.log_rmse = std::sqrt(log_sum_ / pixels);
    metrics.peak = peak_;
    const double peak = peak_ > 0 ? peak_ : 1;
    metrics.psnr_peak = psnr_from_mse(squared_sum_ / (pixels * 3 * peak * peak));
    return metrics;
  }

 private:
  static constexpr double kGamma = 2.2;

  std::array<double, kStops> factor_;
  double squared_sum_ = 0;
  double log_sum_ = 0;
  double exposed_sum_ = 0;
  double peak_ = 0;
};

}  // namespace

HdrMetrics compute_hdr_metrics(const ImageView& reference, const ImageView& test) {
  const ImageInfo& info = reference.info;
  const size_t samples = size_t{4} * info.width;
  std::vector<double> reference_row(samples), test_row(samples);
  ExposureSums sums;
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      load_rgba_row(reference, y, slice, kLightOf, reference_row.data());
      load_rgba_row(test, y, slice, kLightOf, test_row.data());
      for (size_t i = 0; i < samples; i += 4) {
        for (size_t color = i; color < i + 3; ++color) {
          sums.add(reference_row[color], test_row[color]);
        }
      }
    }
  }
  return sums.result(static_cast<double>(info.pixel_count()));
}

}  // namespace tessera
