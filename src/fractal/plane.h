// One channel of samples in memory, rows without padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::fractal {

// Samples that somebody else owns, perhaps in memory of a device.
template <typename T>
struct PlaneView {
  const T* samples = nullptr;
  uint32_t width = 0;
  uint32_t height = 0;

  constexpr const T* row(uint32_t y) const { return samples + size_t{y} * width; }
  constexpr const T& at(uint32_t x, uint32_t y) const { return row(y)[x]; }
};

template <typename T>
struct Plane {
  uint32_t width = 0;
  uint32_t height = 0;
  std::vector<T> samples;

  Plane() = default;
  Plane(uint32_t width_, uint32_t height_, T value = T{})
      : width(width_), height(height_), samples(size_t{width_} * height_, value) {}

  T* row(uint32_t y) { return samples.data() + size_t{y} * width; }
  const T* row(uint32_t y) const { return samples.data() + size_t{y} * width; }
  T& at(uint32_t x, uint32_t y) { return row(y)[x]; }
  const T& at(uint32_t x, uint32_t y) const { return row(y)[x]; }
  PlaneView<T> view() const { return {samples.data(), width, height}; }
};

// The sum of the 2x2 samples at (2x, 2y).
constexpr uint16_t sum_of_four(const PlaneView<uint8_t>& full, uint32_t x, uint32_t y) {
  const uint8_t* upper = full.row(2 * y) + 2 * x;
  const uint8_t* lower = full.row(2 * y + 1) + 2 * x;
  return static_cast<uint16_t>(upper[0] + upper[1] + lower[0] + lower[1]);
}

// Sums of 2x2 samples, 0…1020: the image at half resolution, times four and exact. Both sides of
// the plane must be even.
inline Plane<uint16_t> sums_of_four(const Plane<uint8_t>& full) {
  Plane<uint16_t> half(full.width / 2, full.height / 2);
  for (uint32_t y = 0; y < half.height; ++y) {
    const uint8_t* upper = full.row(2 * y);
    const uint8_t* lower = full.row(2 * y + 1);
    uint16_t* out = half.row(y);
    for (uint32_t x = 0; x < half.width; ++x) {
      out[x] =
          static_cast<uint16_t>(upper[2 * x] + upper[2 * x + 1] + lower[2 * x] + lower[2 * x + 1]);
    }
  }
  return half;
}

}  // namespace tessera::fractal
