// Hashes and smooth noise for the pictures made by code.
#include "image/synthetic_noise.h"

#include <array>
#include <cmath>

namespace tessera {
namespace {

struct Direction {
  float x, y;
};

// Unit vectors, near enough, all around the circle.
constexpr std::array<Direction, 16> kDirections = {{{1.0f, 0.0f},
                                                    {0.924f, 0.383f},
                                                    {0.707f, 0.707f},
                                                    {0.383f, 0.924f},
                                                    {0.0f, 1.0f},
                                                    {-0.383f, 0.924f},
                                                    {-0.707f, 0.707f},
                                                    {-0.924f, 0.383f},
                                                    {-1.0f, 0.0f},
                                                    {-0.924f, -0.383f},
                                                    {-0.707f, -0.707f},
                                                    {-0.383f, -0.924f},
                                                    {0.0f, -1.0f},
                                                    {0.383f, -0.924f},
                                                    {0.707f, -0.707f},
                                                    {0.924f, -0.383f}}};

// A plane through 0 at a lattice point, with a random slope.
float slope_at(int32_t column, int32_t row, float dx, float dy, uint32_t seed) {
  const uint32_t bits = hash_bits(static_cast<uint32_t>(column), static_cast<uint32_t>(row), seed);
  const Direction& direction = kDirections[bits >> 28];
  return direction.x * dx + direction.y * dy;
}

int32_t floor_of(float value) {
  const auto truncated = static_cast<int32_t>(value);
  return static_cast<float>(truncated) > value ? truncated - 1 : truncated;
}

// Value, first and second derivative are continuous from cell to cell.
float fade(float t) {
  return t * t * t * (t * (t * 6.0f - 15.0f) + 10.0f);
}

template <typename Shape>
float sum_octaves(float x, float y, uint32_t seed, int octaves, float gain, Shape shape) {
  float sum = 0.0f;
  float strength = 1.0f;
  float total = 0.0f;
  for (int octave = 0; octave < octaves; ++octave) {
    sum += strength * shape(gradient_noise(x, y, seed + static_cast<uint32_t>(octave) * 131u));
    total += strength;
    strength *= gain;
    // Twice as fine, and turned by the angle of a 3-4-5 triangle to hide the lattice.
    const float turned_x = 2.0f * (0.8f * x + 0.6f * y) + 17.3f;
    y = 2.0f * (0.8f * y - 0.6f * x) + 5.9f;
    x = turned_x;
  }
  return sum / total;
}

}  // namespace

float gradient_noise(float x, float y, uint32_t seed) {
  const int32_t column = floor_of(x);
  const int32_t row = floor_of(y);
  const float dx = x - static_cast<float>(column);
  const float dy = y - static_cast<float>(row);
  const float fade_x = fade(dx);
  const float top = mix(slope_at(column, row, dx, dy, seed),
                        slope_at(column + 1, row, dx - 1.0f, dy, seed), fade_x);
  const float bottom = mix(slope_at(column, row + 1, dx, dy - 1.0f, seed),
                           slope_at(column + 1, row + 1, dx - 1.0f, dy - 1.0f, seed), fade_x);
  constexpr float kToUnitRange = 1.4f;
  return mix(top, bottom, fade(dy)) * kToUnitRange;
}

float fractal_noise(float x, float y, uint32_t seed, int octaves, float gain) {
  return sum_octaves(x, y, seed, octaves, gain, [](float noise) { return noise; });
}

float ridged_noise(float x, float y, uint32_t seed, int octaves, float gain) {
  return sum_octaves(x, y, seed, octaves, gain,
                     [](float noise) { return 0.6f - 2.0f * std::abs(noise); });
}

}  // namespace tessera
