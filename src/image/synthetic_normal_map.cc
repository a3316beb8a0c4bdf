// Tangent-space normals of a wall: rough stones set in mortar. Every texel is a unit vector n,
// stored as n·0.5 + 0.5.
#include <algorithm>
#include <cmath>
#include <vector>

#include "image/synthetic_color.h"
#include "image/synthetic_noise.h"
#include "image/synthetic_pictures.h"

namespace tessera {
namespace {

constexpr float kCourse = 56.0f;  // height of a row of stones, in texels
constexpr float kStone = 104.0f;  // average width of a stone, in texels

// Distances of a place from the nearest joints, in texels, and the stone it is on.
struct StonePlace {
  float sideways, upright;
  uint32_t stone;
};

StonePlace stone_at(float x, float y, uint32_t seed) {
  const auto course = static_cast<uint32_t>(y / kCourse);
  const float in_course = y - static_cast<float>(course) * kCourse;
  const float shifted = x + kStone * (1.0f + hash_unit(course, 0, seed));
  const auto column = static_cast<uint32_t>(shifted / kStone);
  // The joint at either end of the stone is moved at random.
  const float left = (static_cast<float>(column) + 0.3f * hash_unit(column, course, seed)) * kStone;
  const float right =
      (static_cast<float>(column + 1) + 0.3f * hash_unit(column + 1, course, seed)) * kStone;
  const bool before = shifted < left;
  const float sideways = before ? left - shifted : std::min(shifted - left, right - shifted);
  const float upright = std::min(in_course, kCourse - in_course);
  return {sideways, upright, hash_bits(before ? column - 1 : column, course, seed + 1)};
}

// Height of the wall in texels.
float height_at(float x, float y, uint32_t seed) {
  const float ragged = 3.0f * fractal_noise(x / 24.0f, y / 24.0f, seed + 2, 3);
  const StonePlace place = stone_at(x + 400.0f, y + 400.0f, seed);
  const float raised = smooth_step(2.0f, 15.0f, place.sideways + ragged) *
                       smooth_step(2.0f, 15.0f, place.upright + ragged);
  const uint32_t stone_seed = seed + 10u + (place.stone & 15u);
  const float rough = 5.0f * fractal_noise(x / 36.0f, y / 36.0f, stone_seed, 5, 0.42f);
  const float mortar = 0.8f * fractal_noise(x / 7.0f, y / 7.0f, seed + 40, 3, 0.5f);
  return mix(mortar, 7.0f + rough, raised);
}

}  // namespace

void paint_normal_map(const MutableImageView& image, uint32_t seed) {
  const uint32_t width = image.info.width;
  std::vector<float> above(size_t{width} + 1);
  std::vector<float> here(size_t{width} + 1);
  const auto fill_row = [&](std::vector<float>& heights, uint32_t y) {
    for (uint32_t x = 0; x <= width; ++x) {
      heights[x] = height_at(static_cast<float>(x), static_cast<float>(y), seed);
    }
  };
  fill_row(here, 0);
  for (uint32_t y = 0; y < image.info.height; ++y) {
    std::swap(above, here);
    fill_row(here, y + 1);
    auto* row = image.row<uint8_t>(y);
    for (uint32_t x = 0; x < width; ++x) {
      const float slope_x = above[x + 1] - above[x];
      const float slope_y = here[x] - above[x];
      const float length = std::sqrt(slope_x * slope_x + slope_y * slope_y + 1.0f);
      row[size_t{3} * x] = to_byte(0.5f - 0.5f * slope_x / length);
      row[size_t{3} * x + 1] = to_byte(0.5f + 0.5f * slope_y / length);  // green points up
      row[size_t{3} * x + 2] = to_byte(0.5f + 0.5f / length);
    }
  }
}

}  // namespace tessera
