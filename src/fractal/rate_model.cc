// Counts symbols and turns the counts into costs in bits.
#include "fractal/rate_model.h"

#include <array>
#include <bit>

namespace tessera::fractal {
namespace {

// log2 of 1…4096, by squaring: each square that passes 2 is a binary digit.
double log2_by_squares(double value) {
  double result = 0;
  while (value >= 2) {
    value /= 2;
    result += 1;
  }
  double digit = 0.5;
  for (int i = 0; i < 24; ++i, digit /= 2) {
    value *= value;
    if (value >= 2) {
      value /= 2;
      result += digit;
    }
  }
  return result;
}

const std::array<double, 4097>& small_logs() {
  static const auto logs = [] {
    std::array<double, 4097> table{};
    for (size_t i = 1; i < table.size(); ++i) {
      table[i] = log2_by_squares(static_cast<double>(i));
    }
    return table;
  }();
  return logs;
}

}  // namespace

double exact_log2(uint64_t value) {
  const auto& logs = small_logs();
  if (value <= 4096) {
    return logs[static_cast<size_t>(value)];
  }
  const int shift = static_cast<int>(std::bit_width(value)) - 12;
  return logs[static_cast<size_t>(value >> shift)] + shift;
}

RateModel::RateModel() : cost_(2 * bit_count(), 1.0), model_(std::make_shared<PlaneModel>()) {}

void RateModel::learn(const std::vector<Counts>& counts) {
  for (size_t i = 0; i < counts.size(); ++i) {
    // An eighth of an observation each beforehand.
    const double total = exact_log2(uint64_t{counts[i].total} * 8 + 2);
    cost_[2 * i] = total - exact_log2(uint64_t{counts[i].total - counts[i].ones} * 8 + 1);
    cost_[2 * i + 1] = total - exact_log2(uint64_t{counts[i].ones} * 8 + 1);
  }
}

}  // namespace tessera::fractal
