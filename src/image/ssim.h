// Mean structural similarity (Wang, Bovik, Sheikh, Simoncelli 2004) of two pictures of one channel,
// fed row by row. The window is separable: rows are combined first, then columns, so a texel costs
// 2·11 steps instead of 121, and only the last 11 rows are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

inline constexpr size_t kSsimWindow = 11;  // texels

// Of a window of that many texels; they add up to 1.
std::vector<double> ssim_weights(size_t count);

// Of one window, from weighted means: of both pictures, of the squares of both together, and of
// their product.
constexpr double ssim_of_window(double mean_a, double mean_b, double squares, double product) {
  constexpr double kC1 = 0.01 * 0.01;
  constexpr double kC2 = 0.03 * 0.03;
  const double squared_means = mean_a * mean_a + mean_b * mean_b;
  const double covariance = product - mean_a * mean_b;
  return ((2.0 * mean_a * mean_b + kC1) * (2.0 * covariance + kC2)) /
         ((squared_means + kC1) * (squares - squared_means + kC2));
}

class SsimAccumulator {
 public:
  SsimAccumulator(uint32_t width, uint32_t height);

  // Where to put the next row of each picture, as values in 0…1. Call finish_row() after that.
  double* reference_row() { return ring_row(reference_, rows_); }
  double* test_row() { return ring_row(test_, rows_); }
  void finish_row();

  // Starts another picture of the same size; the mean goes on over all pictures.
  void restart() { rows_ = 0; }

  double mean() const;

 private:
  double* ring_row(std::vector<double>& ring, size_t row) {
    return ring.data() + (row % row_weights_.size()) * width_;
  }
  void combine_rows();
  double sum_of_windows() const;

  size_t width_;
  std::vector<double> row_weights_;
  std::vector<double> column_weights_;
  std::vector<double> reference_;  // ring of as many rows as the window has
  std::vector<double> test_;
  // Window sums over rows, one a column.
  std::vector<double> mean_reference_;
  std::vector<double> mean_test_;
  std::vector<double> mean_squares_;  // of both pictures together
  std::vector<double> mean_product_;
  size_t rows_ = 0;
  double total_ = 0.0;
  uint64_t windows_ = 0;
};

}  // namespace tessera
