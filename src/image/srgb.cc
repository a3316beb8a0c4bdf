// The sRGB transfer function and the nearest codes.
#include "image/srgb.h"

#include <cmath>

#include "base/bits.h"
#include "base/rule_table.h"

namespace tessera {
namespace {

// The two ends of the straight piece of the curve, as the standard prints them.
constexpr double kEncodedKnee = 0.04045;
constexpr double kLinearKnee = 0.0031308;
constexpr double kSlope = 12.92;
constexpr double kOffset = 0.055;

// A first guess of x^(1/degree) within some percent: dividing the bits of a double by `degree`
// divides its exponent, and roughly its logarithm.
constexpr double root_guess(double x, uint64_t degree) {
  constexpr uint64_t kOneBits = bit_cast<uint64_t>(1.0);
  const uint64_t bits = bit_cast<uint64_t>(x);
  return bit_cast<double>(bits / degree + (kOneBits - kOneBits / degree));
}

// Newton's rule doubles the right digits a step: 5% becomes far less than 1e-16 in six. A fixed
// number of steps keeps the result the same everywhere.
constexpr int kNewtonSteps = 6;

constexpr double fifth_root(double x) {
  double root = root_guess(x, 5);
  for (int i = 0; i < kNewtonSteps; ++i) {
    const double square = root * root;
    root = (4.0 * root + x / (square * square)) / 5.0;
  }
  return root;
}

double cube_root(double x) {
  double root = root_guess(x, 3);
  for (int i = 0; i < kNewtonSteps; ++i) {
    root = (2.0 * root + x / (root * root)) / 3.0;
  }
  return root;
}

constexpr double decode(double encoded) {  // encoded >= 0
  if (encoded <= kEncodedKnee) {
    return encoded / kSlope;
  }
  const double base = (encoded + kOffset) / (1.0 + kOffset);
  const double square = base * base;
  return square * fifth_root(square);  // base^2.4
}

double encode(double linear) {  // linear >= 0
  if (linear <= kLinearKnee) {
    return linear * kSlope;
  }
  const double fourth_root = std::sqrt(std::sqrt(linear));
  return (1.0 + kOffset) * cube_root(linear * fourth_root) - kOffset;  // linear^(5/12)
}

// The smallest float that is not below `value` (> 0).
constexpr float float_at_least(double value) {
  const float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) >= value) {
    return nearest;
  }
  return bit_cast<float>(bit_cast<uint32_t>(nearest) + 1);
}

constexpr float lower_border_of(size_t code, size_t max_code) {
  const double encoded = (static_cast<double>(code) - 0.5) / static_cast<double>(max_code);
  return code == 0 ? 0.0f : float_at_least(decode(encoded));
}

TESSERA_TABLE_RULE Srgb8Tables make_srgb8_tables() {
  Srgb8Tables tables = {};
  for (size_t code = 0; code < 256; ++code) {
    tables.linear[code] = static_cast<float>(decode(static_cast<double>(code) / 255.0));
    tables.lower_border[code] = lower_border_of(code, 255);
  }
  tables.lower_border[256] = 2.0f;
  uint8_t code = 0;
  for (size_t bin = 0; bin <= Srgb8Tables::kBins; ++bin) {
    const float start = static_cast<float>(bin) / static_cast<float>(Srgb8Tables::kBins);
    while (start >= tables.lower_border[size_t{code} + 1]) {
      ++code;
    }
    tables.bin_code[bin] = code;
  }
  return tables;
}

float clamp_to_unit(float value) {
  return value > 0.0f ? (value < 1.0f ? value : 1.0f) : 0.0f;
}

}  // namespace

TESSERA_RULE_TABLE Srgb8Tables kSrgb8Tables = make_srgb8_tables();

float srgb_to_linear(float encoded) {
  return static_cast<float>(decode(static_cast<double>(clamp_to_unit(encoded))));
}

float linear_to_srgb(float linear) {
  return static_cast<float>(encode(static_cast<double>(clamp_to_unit(linear))));
}

double srgb_to_linear_extended(double encoded) {
  if (!std::isfinite(encoded)) {
    return encoded;
  }
  return encoded < 0.0 ? -decode(-encoded) : decode(encoded);
}

double linear_to_srgb_extended(double linear) {
  if (!std::isfinite(linear)) {
    return linear;
  }
  return linear < 0.0 ? -encode(-linear) : encode(linear);
}

Srgb16Tables::Srgb16Tables() : linear_(65536), lower_border_(65537), bin_code_(kBins + 2) {
  for (size_t code = 0; code < 65536; ++code) {
    linear_[code] = static_cast<float>(decode(static_cast<double>(code) / 65535.0));
    lower_border_[code] = lower_border_of(code, 65535);
  }
  lower_border_[65536] = 2.0f;
  for (size_t bin = 0; bin <= kBins; ++bin) {
    const double start = static_cast<double>(bin) / static_cast<double>(kBins);
    bin_code_[bin] = static_cast<float>(encode(start) * 65535.0);
  }
  bin_code_[kBins + 1] = bin_code_[kBins];  // read, times nothing, for a value of 1
}

const Srgb16Tables& Srgb16Tables::get() {
  static const Srgb16Tables tables;
  return tables;
}

}  // namespace tessera
