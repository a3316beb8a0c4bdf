// Structural similarity, computed row by row.
#include "image/ssim.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

constexpr double kSigma = 1.5;  // texels

// The sums along a row of `weights.size()` values from `values` on.
inline double weighted_sum(const double* values, const std::vector<double>& weights) {
  double sum = 0.0;
  if (weights.size() == kSsimWindow) {  // a count the compiler knows
    for (size_t i = 0; i < kSsimWindow; ++i) {
      sum += weights[i] * values[i];
    }
  } else {
    for (size_t i = 0; i < weights.size(); ++i) {
      sum += weights[i] * values[i];
    }
  }
  return sum;
}

}  // namespace

std::vector<double> ssim_weights(size_t count) {
  std::vector<double> weights(count);
  const double center = static_cast<double>(count - 1) / 2.0;
  double total = 0.0;
  for (size_t i = 0; i < count; ++i) {
    const double distance = (static_cast<double>(i) - center) / kSigma;
    weights[i] = std::exp(-0.5 * distance * distance);
    total += weights[i];
  }
  for (double& weight : weights) {
    weight /= total;
  }
  return weights;
}

SsimAccumulator::SsimAccumulator(uint32_t width, uint32_t height)
    : width_(width),
      row_weights_(ssim_weights(std::min<size_t>(kSsimWindow, height))),
      column_weights_(ssim_weights(std::min<size_t>(kSsimWindow, width))),
      reference_(row_weights_.size() * width_),
      test_(row_weights_.size() * width_),
      mean_reference_(width_),
      mean_test_(width_),
      mean_squares_(width_),
      mean_product_(width_) {}

void SsimAccumulator::finish_row() {
  ++rows_;
  if (rows_ >= row_weights_.size()) {
    combine_rows();
    total_ += sum_of_windows();
    windows_ += width_ - column_weights_.size() + 1;
  }
}

void SsimAccumulator::combine_rows() {
  std::fill(mean_reference_.begin(), mean_reference_.end(), 0.0);
  std::fill(mean_test_.begin(), mean_test_.end(), 0.0);
  std::fill(mean_squares_.begin(), mean_squares_.end(), 0.0);
  std::fill(mean_product_.begin(), mean_product_.end(), 0.0);
  for (size_t i = 0; i < row_weights_.size(); ++i) {
    const double weight = row_weights_[i];
    const double* a = ring_row(reference_, rows_ - row_weights_.size() + i);
    const double* b = ring_row(test_, rows_ - row_weights_.size() + i);
    for (size_t x = 0; x < width_; ++x) {
      const double weighted_a = weight * a[x];
      const double weighted_b = weight * b[x];
      mean_reference_[x] += weighted_a;
      mean_test_[x] += weighted_b;
      mean_squares_[x] += weighted_a * a[x] + weighted_b * b[x];
      mean_product_[x] += weighted_a * b[x];
    }
  }
}

double SsimAccumulator::sum_of_windows() const {
  double sum = 0.0;
  for (size_t x = 0; x + column_weights_.size() <= width_; ++x) {
    const double mean_a = weighted_sum(mean_reference_.data() + x, column_weights_);
    const double mean_b = weighted_sum(mean_test_.data() + x, column_weights_);
    const double squares = weighted_sum(mean_squares_.data() + x, column_weights_);
    const double product = weighted_sum(mean_product_.data() + x, column_weights_);
    sum += ssim_of_window(mean_a, mean_b, squares, product);
  }
  return sum;
}

double SsimAccumulator::mean() const {
  return windows_ == 0 ? 1.0 : total_ / static_cast<double>(windows_);
}

}  // namespace tessera
