// Changes and compares pixels.
#include "pixels.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace tessera::astcenc {
namespace {

double half_value(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double mantissa = half & 1023;
  const double value = exponent == 0    ? std::ldexp(mantissa, -24)
                       : exponent == 31 ? (mantissa == 0 ? INFINITY : NAN)
                                        : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -value : value;
}

double sample_at(const uint8_t* place, Sample sample) {
  uint16_t word = 0;
  float number = 0;
  switch (sample) {
    case Sample::kU8:
      return *place / 255.0;
    case Sample::kU16:
      std::memcpy(&word, place, sizeof word);
      return word / 65535.0;
    case Sample::kF16:
      std::memcpy(&word, place, sizeof word);
      return half_value(word);
    case Sample::kF32:
      break;
  }
  std::memcpy(&number, place, sizeof number);
  return static_cast<double>(number);
}

size_t bytes_of(Sample sample) {
  return sample == Sample::kU8 ? 1 : sample == Sample::kF32 ? 4 : 2;
}

// Red, green, blue and alpha of a pixel with so many channels.
void read_pixel(const uint8_t* pixel, const Image& image, double* rgba) {
  const size_t step = bytes_of(image.sample);
  const bool has_color = image.channels >= 3;
  for (size_t c = 0; c < 3; ++c) {
    rgba[c] = sample_at(pixel + (has_color ? c : 0) * step, image.sample);
  }
  const bool has_alpha = image.channels == 2 || image.channels == 4;
  rgba[3] = has_alpha ? sample_at(pixel + (image.channels - 1) * step, image.sample) : 1.0;
}

double decibels(double error, double most, double count) {
  constexpr double kIdentical = 999;  // as astcenc says it
  return error == 0 ? kIdentical : 10 * std::log10(most * most * count / error);
}

// A value as a display shows it at an exposure: 0 to 255, with a gamma of 2.2.
double shown(double value, double stops) {
  const double light = std::max(value, 0.0) * std::exp2(stops);
  return std::clamp(255 * std::pow(light, 1 / 2.2), 0.0, 255.0);
}

double angle_between(const Pixels& a, const Pixels& b, size_t texel) {
  double dot = 0;
  double length_a = 0;
  double length_b = 0;
  for (size_t c = 0; c < 3; ++c) {
    const double x = a.get(texel, c) * 2 - 1;
    const double y = b.get(texel, c) * 2 - 1;
    dot += x * y;
    length_a += x * x;
    length_b += y * y;
  }
  const double length = std::sqrt(length_a * length_b);
  return length == 0 ? 0 : std::acos(std::clamp(dot / length, -1.0, 1.0)) * 180 / std::numbers::pi;
}

void measure_light(const Pixels& reference, const Pixels& test, const Arguments& arguments,
                   double rgb_error, ErrorSums& sums) {
  double shown_error = 0;
  double log_error = 0;
  const auto [low, high] = arguments.exposures;
  for (size_t i = 0; i < reference.texels(); ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const double a = reference.get(i, c);
      const double b = test.get(i, c);
      sums.peak = std::max(sums.peak, a);
      for (int stops = low; stops <= high; ++stops) {
        const double error = shown(a, stops) - shown(b, stops);
        shown_error += error * error;
      }
      constexpr double kLeast = 0x1p-127;  // of light whose logarithm is taken, as in astcenc
      const double stops = std::log2(std::max(a, kLeast) / std::max(b, kLeast));
      log_error += stops * stops;
    }
  }
  const double count = static_cast<double>(reference.texels()) * 3;
  sums.psnr_peak = decibels(rgb_error, sums.peak, count);
  sums.mpsnr = decibels(shown_error, 255, count * (high - low + 1));
  sums.log_rmse = std::sqrt(log_error / static_cast<double>(reference.texels()));
}

}  // namespace

double Pixels::get(size_t texel, size_t channel) const {
  return is_float ? static_cast<double>(floats[texel * 4 + channel])
                  : bytes[texel * 4 + channel] / 255.0;
}

void Pixels::set(size_t texel, size_t channel, double value) {
  if (is_float) {
    floats[texel * 4 + channel] = static_cast<float>(value);
  } else {
    bytes[texel * 4 + channel] =
        static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
  }
}

Image Pixels::image(bool is_srgb) const {
  Image image;
  image.pixels = is_float ? static_cast<const void*>(floats.data()) : bytes.data();
  image.width = width;
  image.height = height;
  image.depth = depth;
  image.sample = is_float ? Sample::kF32 : Sample::kU8;
  image.color_space = is_srgb ? ColorSpace::kSrgb : ColorSpace::kLinear;
  return image;
}

Result<Pixels> to_pixels(const Image& image) {
  Pixels pixels;
  pixels.width = image.width;
  pixels.height = image.height;
  pixels.depth = image.slices();
  pixels.is_float = image.sample == Sample::kF16 || image.sample == Sample::kF32;
  (pixels.is_float ? pixels.floats.resize(pixels.texels() * 4)
                   : pixels.bytes.resize(pixels.texels() * 4));
  const size_t pixel_bytes = bytes_of(image.sample) * image.channels;
  size_t texel = 0;
  for (uint32_t slice = 0; slice < pixels.depth; ++slice) {
    for (uint32_t y = 0; y < image.height; ++y) {
      const uint8_t* row = static_cast<const uint8_t*>(image.pixels) + slice * image.slice_stride +
                           y * image.row_stride;
      for (uint32_t x = 0; x < image.width; ++x, ++texel) {
        double rgba[4];
        read_pixel(row + x * pixel_bytes, image, rgba);
        for (size_t c = 0; c < 4; ++c) {
          pixels.set(texel, c, rgba[c]);
        }
      }
    }
  }
  return pixels;
}

Pixels first_slice(const Pixels& pixels, bool in_floats) {
  Pixels slice;
  slice.width = pixels.width;
  slice.height = pixels.height;
  slice.is_float = in_floats;
  const size_t values = slice.texels() * 4;
  (in_floats ? slice.floats.resize(values) : slice.bytes.resize(values));
  for (size_t i = 0; i < values; ++i) {
    slice.set(i / 4, i % 4, pixels.get(i / 4, i % 4));
  }
  return slice;
}

Pixels clamped(const Pixels& pixels) {
  Pixels result = pixels;
  for (float& value : result.floats) {
    value = value > 0 ? std::min(value, 1.0F) : 0;  // no number is not above 0
  }
  return result;
}

Result<Pixels> edited(const Pixels& pixels, const PictureEdits& edits, bool is_srgb) {
  const auto picture = edit_picture(pixels.image(is_srgb), edits);
  if (!picture) {
    return picture.error();
  }
  return to_pixels(picture->image());
}

void swizzle(Pixels& pixels, const DecodeSwizzle& channels) {
  if (channels == "rgba") {
    return;
  }
  for (size_t i = 0; i < pixels.texels(); ++i) {
    const double x = pixels.get(i, 0) * 2 - 1;
    const double y = pixels.get(i, 3) * 2 - 1;
    const double z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
    const double values[] = {
        pixels.get(i, 0), pixels.get(i, 1), pixels.get(i, 2), pixels.get(i, 3), 0, 1, z / 2 + 0.5};
    for (size_t c = 0; c < 4; ++c) {
      pixels.set(i, c, values[std::string("rgba01z").find(channels[c])]);
    }
  }
}

ErrorSums measure(const Pixels& reference, const Pixels& test, const Arguments& arguments) {
  ErrorSums sums;
  double rgb = 0;
  double alpha = 0;
  double weighted = 0;
  for (size_t i = 0; i < reference.texels(); ++i) {
    const double opacity = reference.get(i, 3);
    for (size_t c = 0; c < 3; ++c) {
      const double error = reference.get(i, c) - test.get(i, c);
      rgb += error * error;
      weighted += error * opacity * error * opacity;
    }
    const double error = opacity - test.get(i, 3);
    alpha += error * error;
    if (arguments.is_normal_map) {
      const double angle = angle_between(reference, test, i);
      sums.mean_angle += angle / static_cast<double>(reference.texels());
      sums.worst_angle = std::max(sums.worst_angle, angle);
    }
  }
  const auto texels = static_cast<double>(reference.texels());
  sums.psnr_rgba = decibels(rgb + alpha, 1, texels * 4);
  sums.psnr_alpha_weighted = decibels(weighted + alpha, 1, texels * 4);
  sums.psnr_rgb = decibels(rgb, 1, texels * 3);
  if (reference.is_float) {
    measure_light(reference, test, arguments, rgb, sums);
  }
  return sums;
}

}  // namespace tessera::astcenc
