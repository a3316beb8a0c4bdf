// Sums the errors between two pictures into mean squares, PSNR and the worst block.
#include "image/metrics.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include "base/half.h"
#include "image/metrics_sums.h"
#include "image/sample.h"
#include "image/ssim.h"

namespace tessera {
namespace {

// Two 8-bit images are compared in whole numbers (0…255), all others in double (peak 1).
struct IntegerScale {
  using Value = uint8_t;
  using Difference = int32_t;
  using Sum = uint64_t;
  static constexpr double kPeak = 255.0;
  static Sum alpha_weight(Value alpha) { return alpha; }
};

struct RealScale {
  using Value = double;
  using Difference = double;
  using Sum = double;
  static constexpr double kPeak = 1.0;
  static Sum alpha_weight(Value alpha) { return std::clamp(alpha, 0.0, 1.0); }
};

double finite_value(double value) {
  if (std::isnan(value)) {
    return 0.0;
  }
  return std::isinf(value) ? std::copysign(kLargestHalf, value) : value;
}

template <typename Scale>
constexpr auto kScaledValue = [](auto sample, auto stored) -> typename Scale::Value {
  if constexpr (std::is_same_v<Scale, IntegerScale>) {
    return static_cast<uint8_t>(stored);
  } else if constexpr (sample.kIsInteger) {
    return sample.to_double(stored);
  } else {
    return finite_value(sample.to_double(stored));
  }
};

template <typename Scale>
void luma_row(const typename Scale::Value* rgba, size_t width, double* luma) {
  for (size_t x = 0; x < width; ++x) {
    luma[x] = luma_of(static_cast<double>(rgba[4 * x]), static_cast<double>(rgba[4 * x + 1]),
                      static_cast<double>(rgba[4 * x + 2]), Scale::kPeak);
  }
}

template <typename Scale>
class Comparison {
 public:
  Comparison(const ImageView& reference, const ImageView& test, const MetricsOptions& options)
      : reference_(reference),
        test_(test),
        options_(options),
        reference_row_(size_t{4} * reference.info.width),
        test_row_(size_t{4} * reference.info.width),
        ssim_(reference.info.width, reference.info.height) {}

  Metrics run() {
    const ImageInfo& info = reference_.info;
    for (uint32_t slice = 0; slice < info.slices(); ++slice) {
      ssim_.restart();
      for (uint32_t y = 0; y < info.height; ++y) {
        if (y % options_.block_height == 0) {
          block_sums_.assign((info.width - 1) / options_.block_width + 1, Sum{0});
        }
        compare_row(y, slice);
        if ((y + 1) % options_.block_height == 0 || y + 1 == info.height) {
          find_worst_block(y, slice);
        }
      }
    }
    return result();
  }

 private:
  using Value = typename Scale::Value;
  using Difference = typename Scale::Difference;
  using Sum = typename Scale::Sum;

  void compare_row(uint32_t y, uint32_t slice) {
    const size_t width = reference_.info.width;
    load_rgba_row(reference_, y, slice, kScaledValue<Scale>, reference_row_.data());
    load_rgba_row(test_, y, slice, kScaledValue<Scale>, test_row_.data());
    for (size_t block = 0; block < block_sums_.size(); ++block) {
      const size_t begin = block * options_.block_width;
      const Sum sum = add_errors(begin, std::min(begin + options_.block_width, width));
      block_sums_[block] += sum;
      color_sum_ += sum;
    }
    if (options_.ssim) {
      luma_row<Scale>(reference_row_.data(), width, ssim_.reference_row());
      luma_row<Scale>(test_row_.data(), width, ssim_.test_row());
      ssim_.finish_row();
    }
  }

  // The colour errors of texels begin to end - 1 of the row; adds up the other figures.
  Sum add_errors(size_t begin, size_t end) {
    Sum block_sum = 0;
    for (size_t x = begin; x < end; ++x) {
      const Value* a = reference_row_.data() + 4 * x;
      const Value* b = test_row_.data() + 4 * x;
      Sum color = 0;
      for (size_t c = 0; c < 3; ++c) {
        color += squared_difference(a[c], b[c]);
      }
      alpha_sum_ += squared_difference(a[3], b[3]);
      weighted_sum_ += color * Scale::alpha_weight(a[3]);
      block_sum += color;
    }
    return block_sum;
  }

  Sum squared_difference(Value a, Value b) {
    const Difference difference = a > b ? Difference{a} - b : Difference{b} - a;
    max_difference_ = std::max(max_difference_, difference);
    const auto magnitude = static_cast<Sum>(difference);
    return magnitude * magnitude;
  }

  // `y` is the last row of a row of blocks.
  void find_worst_block(uint32_t y, uint32_t slice) {
    const uint32_t rows = y % options_.block_height + 1;
    for (size_t block = 0; block < block_sums_.size(); ++block) {
      const size_t begin = block * options_.block_width;
      const size_t end = std::min<size_t>(begin + options_.block_width, reference_.info.width);
      const double mse = mean_square(static_cast<double>(block_sums_[block]),
                                     3.0 * static_cast<double>((end - begin) * rows), Scale::kPeak);
      if (mse > worst_mse_) {
        worst_mse_ = mse;
        worst_block_ = {static_cast<uint32_t>(block), y / options_.block_height, slice,
                        psnr_from_mse(mse)};
      }
    }
  }

  Metrics result() const {
    Metrics metrics =
        metrics_of_sums(color_sum_, alpha_sum_, weighted_sum_, static_cast<double>(max_difference_),
                        Scale::kPeak, static_cast<double>(reference_.info.pixel_count()));
    metrics.ssim = options_.ssim ? ssim_.mean() : 1.0;
    metrics.worst_block = worst_block_;
    return metrics;
  }

  ImageView reference_;
  ImageView test_;
  MetricsOptions options_;
  std::vector<Value> reference_row_;
  std::vector<Value> test_row_;
  SsimAccumulator ssim_;
  std::vector<Sum> block_sums_;  // colour errors of the current row of blocks
  Sum color_sum_ = 0;
  Sum alpha_sum_ = 0;
  Sum weighted_sum_ = 0;
  Difference max_difference_ = 0;
  double worst_mse_ = 0.0;
  WorstBlock worst_block_;
};

std::string size_text(const ImageInfo& info) {
  std::string text = std::to_string(info.width) + "x" + std::to_string(info.height);
  if (info.depth != 1) {
    text += 'x';
    text += std::to_string(info.depth);
  }
  if (info.layers != 1) {
    text += " in " + std::to_string(info.layers) + " layers";
  }
  return text;
}

Status check_comparable(const ImageInfo& reference, const ImageInfo& test,
                        const MetricsOptions& options) {
  if (reference.width != test.width || reference.height != test.height ||
      reference.depth != test.depth || reference.layers != test.layers) {
    return invalid_error("images of different size cannot be compared: the reference is " +
                         size_text(reference) + ", the other one " + size_text(test));
  }
  if (reference.pixel_count() == 0) {
    return invalid_error("the images to compare have no pixels");
  }
  for (const uint32_t channels : {reference.channels, test.channels}) {
    if (channels < 1 || channels > 4) {
      return invalid_error("an image to compare has " + std::to_string(channels) +
                           " channels, not 1 to 4");
    }
  }
  if (options.block_width == 0 || options.block_height == 0) {
    return usage_error("the blocks to compare by must be at least 1x1 texels");
  }
  return {};
}

}  // namespace

double psnr_from_mse(double mse) {
  return mse > 0.0 ? -10.0 * std::log10(mse) : kInfinitePsnr;
}

Result<Metrics> compute_metrics(const ImageView& reference, const ImageView& test,
                                const MetricsOptions& options) {
  TESSERA_RETURN_IF_ERROR(check_comparable(reference.info, test.info, options));
  try {
    if (reference.info.sample == SampleType::kU8 && test.info.sample == SampleType::kU8) {
      return Comparison<IntegerScale>(reference, test, options).run();
    }
    Metrics metrics = Comparison<RealScale>(reference, test, options).run();
    if (is_float(reference.info.sample) || is_float(test.info.sample)) {
      metrics.hdr = compute_hdr_metrics(reference, test);
    }
    return metrics;
  } catch (const std::bad_alloc&) {
    return failed_error("not enough memory to compare the images");
  }
}

}  // namespace tessera
