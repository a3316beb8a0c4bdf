// BC1 in the plainest possible code.
#include "bc1_reference.h"

#include <algorithm>
#include <cmath>

namespace tessera::reference {
namespace {

struct Range {
  int low = 255;
  int high = 0;
};

std::array<int, 3> expand(int color) {
  const int r = color >> 11;
  const int g = (color >> 5) & 63;
  const int b = color & 31;
  return {r * 8 + r / 4, g * 4 + g / 16, b * 8 + b / 4};
}

// n·Σxy − Σx·Σy
int64_t covariance(const Texels& texels, size_t a, size_t b) {
  int64_t products = 0, sum_a = 0, sum_b = 0;
  for (const auto& texel : texels) {
    products += texel[a] * texel[b];
    sum_a += texel[a];
    sum_b += texel[b];
  }
  return 16 * products - sum_a * sum_b;
}

int pack(const std::array<int, 3>& c) {
  return (c[0] << 11) | (c[1] << 5) | c[2];
}

}  // namespace

Texels block_texels(const ImageView& image, uint32_t block_x, uint32_t block_y) {
  Texels texels = {};
  for (uint32_t i = 0; i < 16; ++i) {
    const uint32_t x = std::min(block_x * 4 + i % 4, image.info.width - 1);
    const uint32_t y = std::min(block_y * 4 + i / 4, image.info.height - 1);
    for (size_t c = 0; c < 3; ++c) {
      texels[i][c] = image.row<uint8_t>(y)[x * 4 + c];
    }
  }
  return texels;
}

namespace {

std::array<Range, 3> bounding_box(const Texels& texels) {
  std::array<Range, 3> box;
  for (const auto& texel : texels) {
    for (size_t c = 0; c < 3; ++c) {
      box[c].low = std::min(box[c].low, texel[c]);
      box[c].high = std::max(box[c].high, texel[c]);
    }
  }
  return box;
}

size_t widest_channel(const std::array<Range, 3>& box) {
  size_t widest = 0;
  for (size_t c = 1; c < 3; ++c) {
    if (box[c].high - box[c].low > box[widest].high - box[widest].low) {
      widest = c;
    }
  }
  return widest;
}

// The selectors of a block whose colours differ. `sorted_as_found`: color0 is the end that came
// first before sorting.
uint32_t nearest_selectors(const Texels& texels, int color0, int color1, bool sorted_as_found) {
  const auto start = expand(color0), end = expand(color1);
  uint32_t selectors = 0;
  for (size_t i = 16; i-- > 0;) {
    int64_t along = 0, length = 0;
    for (size_t c = 0; c < 3; ++c) {
      along += (texels[i][c] - start[c]) * (end[c] - start[c]);
      length += (end[c] - start[c]) * (end[c] - start[c]);
    }
    // Nearest of the four palette positions; which one at an exact middle is the product's choice
    // (towards the end that came first before sorting), so ask for it from that side.
    const double position = 3.0 * static_cast<double>(along) / static_cast<double>(length);
    const double rounded = sorted_as_found ? std::floor(position + 0.5) : std::ceil(position - 0.5);
    const int third = static_cast<int>(std::clamp(rounded, 0.0, 3.0));
    constexpr uint32_t kSelectorOfThird[] = {0, 2, 3, 1};
    selectors = (selectors << 2) | kSelectorOfThird[third];
  }
  return selectors;
}

std::array<uint8_t, 8> block_of(int color0, int color1, uint32_t selectors) {
  std::array<uint8_t, 8> block = {};
  for (size_t i = 0; i < 2; ++i) {
    block[i] = static_cast<uint8_t>(color0 >> (8 * i));
    block[2 + i] = static_cast<uint8_t>(color1 >> (8 * i));
  }
  for (size_t i = 0; i < 4; ++i) {
    block[4 + i] = static_cast<uint8_t>(selectors >> (8 * i));
  }
  return block;
}

}  // namespace

std::array<uint8_t, 8> encode_bounds(const Texels& texels) {
  const std::array<Range, 3> box = bounding_box(texels);
  const size_t widest = widest_channel(box);
  std::array<int, 3> first = {}, second = {};
  for (size_t c = 0; c < 3; ++c) {
    const int levels = c == 1 ? 63 : 31;
    const double extent = box[c].high - box[c].low;
    const auto quantize = [&](double value) {
      return static_cast<int>(std::floor(value * levels / 255.0 + 0.5));
    };
    first[c] = quantize(box[c].high - extent * 5 / 64);
    second[c] = quantize(box[c].low + extent * 5 / 64);
    if (c != widest && covariance(texels, c, widest) < 0) {
      std::swap(first[c], second[c]);
    }
  }
  const int color0 = std::max(pack(first), pack(second));
  const int color1 = std::min(pack(first), pack(second));
  const uint32_t selectors =
      color0 == color1 ? 0 : nearest_selectors(texels, color0, color1, color0 == pack(first));
  return block_of(color0, color1, selectors);
}

std::array<std::array<int, 4>, 4> palette(const std::array<uint8_t, 8>& block) {
  const int color0 = block[0] + 256 * block[1];
  const int color1 = block[2] + 256 * block[3];
  const auto a = expand(color0), b = expand(color1);
  std::array<std::array<int, 4>, 4> colors = {};
  for (size_t c = 0; c < 3; ++c) {
    colors[0][c] = a[c];
    colors[1][c] = b[c];
    colors[2][c] = color0 > color1 ? (2 * a[c] + b[c]) / 3 : (a[c] + b[c]) / 2;
    colors[3][c] = color0 > color1 ? (a[c] + 2 * b[c]) / 3 : 0;
  }
  colors[0][3] = colors[1][3] = colors[2][3] = 255;
  colors[3][3] = color0 > color1 ? 255 : 0;
  return colors;
}

}  // namespace tessera::reference
