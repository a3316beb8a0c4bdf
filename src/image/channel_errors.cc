// Measures channels one by one, and normals.
#include "image/channel_errors.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/half.h"
#include "image/metrics.h"
#include "image/sample.h"

namespace tessera {
namespace {

double number_of(float value) {
  return std::isnan(value) ? 0.0
                           : std::clamp(static_cast<double>(value), -kLargestHalf, kLargestHalf);
}

// Calls `function` with four numbers of each image for every texel.
template <typename Function>
void for_each_pair(const ImageView& reference, const ImageView& test, const Function& function) {
  const ImageInfo& info = reference.info;
  const auto value_of = [](auto sample, auto stored) { return number_of(sample.to_float(stored)); };
  std::vector<double> a(size_t{info.width} * 4);
  std::vector<double> b(size_t{info.width} * 4);
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      load_rgba_row(reference, y, slice, value_of, a.data());
      load_rgba_row(test, y, slice, value_of, b.data());
      for (size_t i = 0; i < a.size(); i += 4) {
        function(a.data() + i, b.data() + i);
      }
    }
  }
}

}  // namespace

std::array<double, 4> channel_psnr(const ImageView& reference, const ImageView& test) {
  std::array<double, 4> sums = {};
  for_each_pair(reference, test, [&](const double* p, const double* q) {
    for (size_t c = 0; c < 4; ++c) {
      const double error = p[c] - q[c];
      sums[c] += error * error;
    }
  });
  std::array<double, 4> psnr = {};
  const auto texels = static_cast<double>(reference.info.pixel_count());
  for (size_t c = 0; c < 4; ++c) {
    psnr[c] = psnr_from_mse(sums[c] / texels);
  }
  return psnr;
}

std::array<double, 4> channel_max_errors(const ImageView& reference, const ImageView& test) {
  std::array<double, 4> largest = {};
  for_each_pair(reference, test, [&](const double* p, const double* q) {
    for (size_t c = 0; c < 4; ++c) {
      largest[c] = std::max(largest[c], std::abs(p[c] - q[c]));
    }
  });
  return largest;
}

AngularError vector_angles(const ImageView& reference, const ImageView& test) {
  AngleSum angles;
  for_each_pair(reference, test, [&](const double* p, const double* q) {
    double dot = 0;
    double length_p = 0;
    double length_q = 0;
    for (size_t c = 0; c < 3; ++c) {
      const double a = p[c] * 2 - 1;
      const double b = q[c] * 2 - 1;
      dot += a * b;
      length_p += a * a;
      length_q += b * b;
    }
    const double length = std::sqrt(length_p * length_q);
    if (length > 1e-9) {
      angles.add(dot / length);
    }
  });
  return angles.error();
}

}  // namespace tessera
