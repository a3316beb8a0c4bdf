// Converts RGB to luma and chroma planes and back.
#include "fractal/color_planes.h"

#include <algorithm>

namespace tessera::fractal {
namespace {

constexpr int kHalf = 1 << 15;
constexpr int kGrey = 128;

uint8_t clamp_pixel(int value) {
  return static_cast<uint8_t>(std::clamp(value, 0, 255));
}

// Weights times 65536.
uint8_t luma(const uint8_t* rgb) {
  return static_cast<uint8_t>((19595 * rgb[0] + 38470 * rgb[1] + 7471 * rgb[2] + kHalf) >> 16);
}

// Chroma at a quarter of a sample's weight: the mean of four pixels.
void add_chroma(const uint8_t* rgb, int& cb, int& cr) {
  cb += -11059 * rgb[0] - 21709 * rgb[1] + 32768 * rgb[2];
  cr += 32768 * rgb[0] - 27439 * rgb[1] - 5329 * rgb[2];
}

// Twice as many samples along a row: three quarters of the nearer, one of the farther, times 4.
void widen(const Plane<uint8_t>& plane, uint32_t y, uint32_t width, std::vector<int>& out) {
  const uint8_t* __restrict row = plane.row(std::min(y, plane.height - 1));
  int* __restrict to = out.data();
  const uint32_t last = plane.width - 1;
  // Both samples of every source sample that has two neighbours.
  const uint32_t inner = std::min(width / 2, last);
  for (uint32_t i = 1; i < inner; ++i) {
    to[2 * i] = 3 * row[i] + row[i - 1];
    to[2 * i + 1] = 3 * row[i] + row[i + 1];
  }
  const auto edge = [&](uint32_t x) {
    const uint32_t near = std::min(x / 2, last);
    const uint32_t far = x % 2 == 0 ? (near == 0 ? 0 : near - 1) : std::min(near + 1, last);
    to[x] = 3 * row[near] + row[far];
  };
  for (uint32_t x = 0; x < std::min(width, 2u); ++x) {
    edge(x);
  }
  for (uint32_t x = std::max(2 * inner, 2u); x < width; ++x) {
    edge(x);
  }
}

// One full-size row of a chroma plane, times 16.
void upsample_row(const Plane<uint8_t>& plane, uint32_t y, uint32_t width, std::vector<int>& near,
                  std::vector<int>& far) {
  const uint32_t near_row = y / 2;
  const uint32_t far_row =
      y % 2 == 0 ? (near_row == 0 ? 0 : near_row - 1) : std::min(near_row + 1, plane.height - 1);
  widen(plane, near_row, width, near);
  widen(plane, far_row, width, far);
  for (uint32_t x = 0; x < width; ++x) {
    near[x] = 3 * near[x] + far[x];
  }
}

}  // namespace

ColorPlanes split_color(const ImageView& image, uint32_t x, uint32_t y, uint32_t width,
                        uint32_t height) {
  ColorPlanes planes = {Plane<uint8_t>(width, height),
                        Plane<uint8_t>((width + 1) / 2, (height + 1) / 2),
                        Plane<uint8_t>((width + 1) / 2, (height + 1) / 2)};
  for (uint32_t j = 0; j < height; ++j) {
    const uint8_t* row = image.row<uint8_t>(y + j) + size_t{x} * 3;
    for (uint32_t i = 0; i < width; ++i) {
      planes[0].at(i, j) = luma(row + size_t{i} * 3);
    }
  }
  for (uint32_t j = 0; j < planes[1].height; ++j) {
    const uint8_t* upper = image.row<uint8_t>(y + 2 * j) + size_t{x} * 3;
    const uint8_t* lower = image.row<uint8_t>(y + std::min(2 * j + 1, height - 1)) + size_t{x} * 3;
    for (uint32_t i = 0; i < planes[1].width; ++i) {
      const size_t left = size_t{2 * i} * 3;
      const size_t right = size_t{std::min(2 * i + 1, width - 1)} * 3;
      int cb = 0;
      int cr = 0;
      for (const uint8_t* pixel : {upper + left, upper + right, lower + left, lower + right}) {
        add_chroma(pixel, cb, cr);
      }
      planes[1].at(i, j) = clamp_pixel(((cb + 4 * kHalf / 2) >> 18) + kGrey);
      planes[2].at(i, j) = clamp_pixel(((cr + 4 * kHalf / 2) >> 18) + kGrey);
    }
  }
  return planes;
}

void join_color(const ColorPlanes& planes, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                const MutableImageView& image) {
  // Chroma beyond the picture is padding.
  std::vector<int> cb(width);
  std::vector<int> cr(width);
  std::vector<int> spare(width);
  for (uint32_t j = 0; j < height; ++j) {
    upsample_row(planes[1], j, width, cb, spare);
    upsample_row(planes[2], j, width, cr, spare);
    const uint8_t* row = planes[0].row(j);
    uint8_t* out = image.row<uint8_t>(y + j) + size_t{x} * 3;
    for (uint32_t i = 0; i < width; ++i, out += 3) {
      const int b = cb[i] - 16 * kGrey;
      const int r = cr[i] - 16 * kGrey;
      const int base = (row[i] << 20) + (1 << 19);
      out[0] = clamp_pixel((base + 91881 * r) >> 20);
      out[1] = clamp_pixel((base - 22554 * b - 46802 * r) >> 20);
      out[2] = clamp_pixel((base + 116130 * b) >> 20);
    }
  }
}

Plane<uint8_t> split_grey(const ImageView& image, uint32_t x, uint32_t y, uint32_t width,
                          uint32_t height) {
  Plane<uint8_t> plane(width, height);
  for (uint32_t j = 0; j < height; ++j) {
    std::copy_n(image.row<uint8_t>(y + j) + x, width, plane.row(j));
  }
  return plane;
}

void join_grey(const Plane<uint8_t>& plane, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
               const MutableImageView& image) {
  for (uint32_t j = 0; j < height; ++j) {
    std::copy_n(plane.row(j), width, image.row<uint8_t>(y + j) + x);
  }
}

}  // namespace tessera::fractal
