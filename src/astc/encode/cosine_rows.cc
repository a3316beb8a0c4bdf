// Cosines by their power series.
#include "astc/encode/cosine_rows.h"

namespace tessera::astc {
namespace {

// 0 ≤ angle ≤ π/2.
double cosine_of_first_quadrant(double angle) {
  double term = 1;
  double sum = 1;
  for (int i = 1; i <= 12; ++i) {
    term *= -angle * angle / ((2 * i - 1) * (2 * i));
    sum += term;
  }
  return sum;
}

double square_root(double value) {
  double root = value > 1 ? value : 1;
  for (int i = 0; i < 60; ++i) {
    root = 0.5 * (root + value / root);
  }
  return root;
}

}  // namespace

std::vector<float> cosine_rows(unsigned length) {
  constexpr double kHalfPi = 1.5707963267948966;
  std::vector<float> rows;
  for (unsigned frequency = 0; frequency < length; ++frequency) {
    const double scale = square_root((frequency == 0 ? 1.0 : 2.0) / length);
    for (unsigned i = 0; i < length; ++i) {
      // The angle is π/2 · steps / length, of a period of 4·length steps.
      unsigned steps = frequency * (2 * i + 1) % (4 * length);
      steps = steps > 2 * length ? 4 * length - steps : steps;
      const bool negative = steps > length;
      steps = negative ? 2 * length - steps : steps;
      const double cosine = cosine_of_first_quadrant(kHalfPi * steps / length);
      rows.push_back(static_cast<float>(scale * (negative ? -cosine : cosine)));
    }
  }
  return rows;
}

}  // namespace tessera::astc
