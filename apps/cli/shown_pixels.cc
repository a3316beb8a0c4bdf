// Makes pixels that people look at.
#include "shown_pixels.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tessera::cli {
namespace {

double half_value(uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const double mantissa = half & 1023;
  const double value =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? 0.0 : value;
}

uint8_t shown_light(double light) {
  return static_cast<uint8_t>(std::lround(255 * std::pow(std::clamp(light, 0.0, 1.0), 1 / 2.2)));
}

// Alpha of high range is not coded.
uint8_t shown_sample(const uint8_t* place, Sample sample, bool is_alpha) {
  if (sample == Sample::kU8) {
    return *place;
  }
  double value = 0;
  if (sample == Sample::kF32) {
    float number = 0;
    std::memcpy(&number, place, sizeof number);
    value = static_cast<double>(number);
  } else {
    uint16_t word = 0;
    std::memcpy(&word, place, sizeof word);
    if (sample == Sample::kU16) {
      return static_cast<uint8_t>((word + 128) / 257);
    }
    value = half_value(word);
  }
  return is_alpha ? static_cast<uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)))
                  : shown_light(value);
}

size_t sample_bytes(Sample sample) {
  return sample == Sample::kU8 ? 1 : sample == Sample::kF32 ? 4 : 2;
}

std::array<uint8_t, 3> heat_color(double value) {
  const double t = std::min(value, 255.0) / 255;
  const auto byte = [](double part) {
    return static_cast<uint8_t>(std::lround(255 * std::clamp(part, 0.0, 1.0)));
  };
  return {byte(t * 2.2), byte(t * 2.2 - 0.7), byte(t * 3 - 2)};
}

// "#rrggbb".
std::array<uint8_t, 3> color_of(const std::string& text) {
  const unsigned long number = std::strtoul(text.c_str() + 1, nullptr, 16);
  return {static_cast<uint8_t>(number >> 16), static_cast<uint8_t>(number >> 8),
          static_cast<uint8_t>(number)};
}

ShownPixels opaque_pixels(uint32_t width, uint32_t height) {
  ShownPixels pixels;
  pixels.width = width;
  pixels.height = height;
  pixels.rgba.assign(size_t{width} * height * 4, 255);
  return pixels;
}

}  // namespace

Image ShownPixels::image() const {
  Image image;
  image.pixels = rgba.data();
  image.width = width;
  image.height = height;
  return image;
}

ShownPixels shown_pixels(const Image& image, const Window& window) {
  ShownPixels pixels = opaque_pixels(window.width, window.height);
  const size_t step = sample_bytes(image.sample);
  const bool has_color = image.channels >= 3;
  const bool has_alpha = image.channels == 2 || image.channels == 4;
  uint8_t* out = pixels.rgba.data();
  for (uint32_t y = 0; y < window.height; ++y) {
    const uint8_t* pixel = static_cast<const uint8_t*>(image.pixels) +
                           (window.y + y) * image.row_stride +
                           size_t{window.x} * image.channels * step;
    for (uint32_t x = 0; x < window.width; ++x, out += 4, pixel += image.channels * step) {
      for (size_t c = 0; c < 3; ++c) {
        out[c] = shown_sample(pixel + (has_color ? c : 0) * step, image.sample, false);
      }
      if (has_alpha) {
        out[3] = shown_sample(pixel + (image.channels - 1) * step, image.sample, true);
      }
    }
  }
  return pixels;
}

ShownPixels swizzled(ShownPixels pixels, const std::string& swizzle) {
  constexpr std::string_view kLetters = "rgba01";
  for (size_t i = 0; i < pixels.rgba.size() && swizzle != "rgba"; i += 4) {
    uint8_t* const pixel = pixels.rgba.data() + i;
    const std::array<uint8_t, 6> values = {pixel[0], pixel[1], pixel[2], pixel[3], 0, 255};
    for (size_t c = 0; c < 4; ++c) {
      pixel[c] = values[kLetters.find(swizzle[c])];
    }
  }
  return pixels;
}

bool has_transparent_pixels(const Image& image) {
  if (image.channels != 2 && image.channels != 4) {
    return false;
  }
  for (uint32_t y = 0; y < image.height; ++y) {
    const ShownPixels row = shown_pixels(image, {0, y, image.width, 1});
    for (size_t i = 3; i < row.rgba.size(); i += 4) {
      if (row.rgba[i] != 255) {
        return true;
      }
    }
  }
  return false;
}

ShownPixels error_map(const ShownPixels& reference, const ShownPixels& test, double gain) {
  ShownPixels map = opaque_pixels(reference.width, reference.height);
  for (size_t i = 0; i < map.rgba.size(); i += 4) {
    int error = 0;
    for (size_t c = 0; c < 4; ++c) {
      error = std::max(error, std::abs(reference.rgba[i + c] - test.rgba[i + c]));
    }
    const auto color = heat_color(error * gain);
    std::copy(color.begin(), color.end(), map.rgba.begin() + static_cast<ptrdiff_t>(i));
  }
  return map;
}

ShownPixels kind_map(const Json& legend, std::span<const uint8_t> kinds, const Window& window) {
  std::vector<std::array<uint8_t, 3>> colors;
  for (const Json& kind : legend["kinds"]) {
    colors.push_back(color_of(kind["color"].get<std::string>()));
  }
  const auto across = legend["across"].get<uint32_t>();
  const auto block_width = legend["block_width"].get<uint32_t>();
  const auto block_height = legend["block_height"].get<uint32_t>();
  ShownPixels map = opaque_pixels(window.width, window.height);
  for (uint32_t y = 0; y < window.height; ++y) {
    for (uint32_t x = 0; x < window.width; ++x) {
      const size_t block =
          size_t{(window.y + y) / block_height} * across + (window.x + x) / block_width;
      const auto& color = colors[kinds[block]];
      std::copy(color.begin(), color.end(),
                map.rgba.begin() + static_cast<ptrdiff_t>((size_t{y} * window.width + x) * 4));
    }
  }
  return map;
}

std::vector<BlockError> worst_blocks(const ShownPixels& reference, const ShownPixels& test,
                                     uint32_t block_width, uint32_t block_height, size_t count) {
  std::vector<BlockError> blocks;
  for (uint32_t top = 0; top < reference.height; top += block_height) {
    for (uint32_t left = 0; left < reference.width; left += block_width) {
      const uint32_t right = std::min(left + block_width, reference.width);
      const uint32_t bottom = std::min(top + block_height, reference.height);
      double sum = 0;
      for (uint32_t y = top; y < bottom; ++y) {
        for (size_t i = (size_t{y} * reference.width + left) * 4;
             i < (size_t{y} * reference.width + right) * 4; ++i) {
          const double error = reference.rgba[i] - test.rgba[i];
          sum += error * error;
        }
      }
      const double samples = 4.0 * (right - left) * (bottom - top);
      blocks.push_back({left / block_width, top / block_height, sum / samples});
    }
  }
  const auto is_worse = [](const BlockError& a, const BlockError& b) {
    return a.mean_square > b.mean_square;
  };
  std::stable_sort(blocks.begin(), blocks.end(), is_worse);
  blocks.resize(std::min(blocks.size(), count));
  return blocks;
}

std::string base64(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(bytes.size() - i, 3);
    uint32_t bits = uint32_t{bytes[i]} << 16;
    bits |= left > 1 ? uint32_t{bytes[i + 1]} << 8 : 0;
    bits |= left > 2 ? uint32_t{bytes[i + 2]} : 0;
    for (size_t digit = 0; digit < 4; ++digit) {
      text += digit <= left ? kDigits[(bits >> (18 - 6 * digit)) & 63] : '=';
    }
  }
  return text;
}

}  // namespace tessera::cli
