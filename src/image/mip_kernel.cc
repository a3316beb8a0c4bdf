// Makes the weights of windowed sinc filters.
#include "image/mip_kernel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tessera {
namespace {

constexpr double kRadius = 3;       // texels of the next level to each side
constexpr double kKaiserShape = 4;  // how steeply the Kaiser window falls

// sin(pi·x) by its power series around the nearest whole number: libm differs between machines.
double sin_pi(double x) {
  const double whole = std::floor(x + 0.5);
  const double angle = std::numbers::pi * (x - whole);  // at most a right angle
  double term = angle;
  double sum = term;
  for (int n = 1; n <= 9; ++n) {
    term *= -angle * angle / ((2.0 * n) * (2.0 * n + 1.0));
    sum += term;
  }
  const bool is_odd = whole - 2.0 * std::floor(whole / 2.0) > 0.5;
  return is_odd ? -sum : sum;
}

double sinc(double x) {
  return x == 0.0 ? 1.0 : sin_pi(x) / (std::numbers::pi * x);
}

// The modified Bessel function of the first kind and order 0, by its power series.
double bessel_i0(double x) {
  const double quarter = x * x / 4.0;
  double term = 1.0;
  double sum = 1.0;
  for (int n = 1; n <= 24; ++n) {
    term *= quarter / (static_cast<double>(n) * n);
    sum += term;
  }
  return sum;
}

// At a distance in texels of the next level.
double kernel_at(double distance, MipFilter filter) {
  const double part = distance / kRadius;
  if (part <= -1.0 || part >= 1.0) {
    return 0.0;
  }
  const double window =
      filter == MipFilter::kLanczos
          ? sinc(part)
          : bessel_i0(kKaiserShape * std::sqrt(1.0 - part * part)) / bessel_i0(kKaiserShape);
  return sinc(distance) * window;
}

// A texel of the picture for one that may lie beyond its border.
uint32_t texel_at(int64_t position, uint32_t extent, MipEdge edge) {
  const auto size = static_cast<int64_t>(extent);
  if (edge == MipEdge::kClamp) {
    return static_cast<uint32_t>(std::clamp<int64_t>(position, 0, size - 1));
  }
  const int64_t rest = position % size;
  return static_cast<uint32_t>(rest < 0 ? rest + size : rest);
}

}  // namespace

SideTaps make_side_taps(uint32_t extent, uint32_t next, MipFilter filter, MipEdge edge) {
  SideTaps taps;
  if (extent == next) {  // a side of one texel
    for (uint32_t i = 0; i < next; ++i) {
      taps.texels.push_back(i);
      taps.weights.push_back(1.0);
    }
    return taps;
  }
  const double scale = static_cast<double>(extent) / next;
  taps.count = static_cast<uint32_t>(std::ceil(2.0 * kRadius * scale));
  for (uint32_t i = 0; i < next; ++i) {
    const double center = (i + 0.5) * scale;
    const auto first = static_cast<int64_t>(std::ceil(center - kRadius * scale - 0.5));
    double sum = 0.0;
    for (uint32_t tap = 0; tap < taps.count; ++tap) {
      const int64_t position = first + tap;
      const double weight =
          kernel_at((static_cast<double>(position) + 0.5 - center) / scale, filter);
      taps.texels.push_back(texel_at(position, extent, edge));
      taps.weights.push_back(weight);
      sum += weight;
    }
    for (uint32_t tap = 0; tap < taps.count; ++tap) {
      taps.weights[size_t{i} * taps.count + tap] /= sum;
    }
  }
  return taps;
}

}  // namespace tessera
