// Tests cube maps that are made of one picture.
#include "image/cube_map.h"

#include <array>
#include <numbers>

#include "image/mipmap.h"
#include "image_helpers.h"

namespace tessera {
namespace {

struct Vector {
  double x, y, z;
};

// OpenGL 4.6, table 8.19, turned around: which direction a place of a face is seen in.
Vector seen_at(uint32_t face, double s, double t) {
  const double sc = 2 * s - 1, tc = 2 * t - 1;
  const std::array<Vector, 6> directions = {
      {{1, -tc, -sc}, {-1, -tc, sc}, {sc, 1, tc}, {sc, -1, -tc}, {sc, -tc, 1}, {-sc, -tc, -1}}};
  const Vector v = directions[face];
  const double length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
  return {v.x / length, v.y / length, v.z / length};
}

// A soft light that differs in all directions.
double light_of(const Vector& v, uint32_t channel) {
  const double along = channel == 0 ? v.x : channel == 1 ? v.y : v.z;
  return 0.5 + 0.4 * along;
}

Image panorama(uint32_t width, const ImageInfo& like) {
  ImageInfo info = like;
  info.width = width;
  info.height = width / 2;
  Image image = make_image(info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t channel, uint32_t) {
    const double longitude = ((x + 0.5) / width - 0.5) * 2 * std::numbers::pi;
    const double latitude = (0.5 - (y + 0.5) / info.height) * std::numbers::pi;
    const Vector v = {std::sin(longitude) * std::cos(latitude), std::sin(latitude),
                      std::cos(longitude) * std::cos(latitude)};
    set(image, x, y, channel, light_of(v, channel));
  });
  return image;
}

TEST(CubeMap, ShapesAreToldByTheSides) {
  EXPECT_EQ(cube_shape_of(make_info(8, 8, 3)), CubeShape::kFaces);
  EXPECT_EQ(cube_shape_of(make_info(8, 6, 3)), CubeShape::kCrossAcross);
  EXPECT_EQ(cube_shape_of(make_info(6, 8, 3)), CubeShape::kCrossDown);
  EXPECT_EQ(cube_shape_of(make_info(8, 4, 3)), CubeShape::kPanorama);
  EXPECT_EQ(cube_shape_of(make_info(9, 4, 3)), std::nullopt);
  EXPECT_EQ(cube_shape_of(make_info(8, 7, 3)), std::nullopt);
}

TEST(CubeMap, APanoramaIsSeenInTheRightDirections) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image source = panorama(128, make_info(0, 0, 3, sample));
    const Image faces = make_cube_map(source.view(), std::nullopt).value();
    EXPECT_EQ(faces.width(), 32u) << "a quarter of the width";
    EXPECT_EQ(faces.info().layers, 6u);
    EXPECT_EQ(faces.info().faces, 6u);
    double worst = 0;
    for_each_sample(faces.info(), [&](uint32_t x, uint32_t y, uint32_t channel, uint32_t face) {
      const double expected = light_of(seen_at(face, (x + 0.5) / 32, (y + 0.5) / 32), channel);
      worst = std::max(worst, std::abs(get(faces.view(), x, y, channel, face) - expected));
    });
    EXPECT_LT(worst, 0.006);
  }
}

TEST(CubeMap, LightIsAveragedNotCodes) {
  // Black and white columns: the mean light is a half, whose sRGB code is 188.
  ImageInfo info = make_info(64, 32, 1, SampleType::kU8, ColorSpace::kSrgb);
  Image source = make_image(info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
    set(source, x, y, c, x % 2 == 0 ? 1.0 : 0.0);
  });
  const Image face = make_cube_map(source.view(), 2).value();
  EXPECT_NEAR(get(face.view(), 0, 0, 0, 4) * 255, 188, 8);
  source.set_color_space(ColorSpace::kLinear);
  const Image linear = make_cube_map(source.view(), 2).value();
  EXPECT_NEAR(get(linear.view(), 0, 0, 0, 4) * 255, 128, 8);
}

TEST(CubeMap, SmallFacesPassNoTexelOver) {
  // One bright texel of 64x32, seen by the face +X, is not lost in faces of 2x2.
  Image source = make_image(make_info(64, 32, 1, SampleType::kF32));
  set(source, 48, 16, 0, 100.0);
  const Image faces = make_cube_map(source.view(), 2).value();
  double total = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    total += get(faces.view(), i % 2, i / 2, 0, 0);
  }
  EXPECT_GT(total, 0.1);
}

// Face numbers where a cross has them; 9 is nothing.
Image cross(const std::vector<std::vector<int>>& rows, uint32_t size, const Image& faces) {
  ImageInfo info = make_info(static_cast<uint32_t>(rows[0].size()) * size,
                             static_cast<uint32_t>(rows.size()) * size, 3);
  Image image = make_image(info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
    const int face = rows[y / size][x / size];
    if (face != 9) {
      const bool is_turned = rows.size() == 4 && face == 5;
      const uint32_t u = is_turned ? size - 1 - x % size : x % size;
      const uint32_t v = is_turned ? size - 1 - y % size : y % size;
      set(image, x, y, c, get(faces.view(), u, v, c, static_cast<uint32_t>(face)));
    }
  });
  return image;
}

TEST(CubeMap, CrossesAreCut) {
  ImageInfo info = make_info(5, 5, 3);
  info.layers = 6;
  info.faces = 6;
  const Image faces = random_image(info, 1);
  const Image across = cross({{9, 2, 9, 9}, {1, 4, 0, 5}, {9, 3, 9, 9}}, 5, faces);
  EXPECT_TRUE(same_samples(make_cube_map(across.view(), {}).value().view(), faces.view()));
  const Image down = cross({{9, 2, 9}, {1, 4, 0}, {9, 3, 9}, {9, 5, 9}}, 5, faces);
  const OddlyStridedCopy strided(down);
  EXPECT_TRUE(same_samples(make_cube_map(strided.view(), {}).value().view(), faces.view()));
}

// Texels at both sides of an edge are neighbours, so that a soft sky has no steps.
TEST(CubeMap, FacesMeetAtTheirEdges) {
  const Image source = panorama(256, make_info(0, 0, 3, SampleType::kF32));
  const Image faces = make_cube_map(source.view(), 64).value();
  const auto at = [&](uint32_t face, uint32_t x, uint32_t y) {
    return get(faces.view(), x, y, 0, face);
  };
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_NEAR(at(4, 63, i), at(0, 0, i), 0.02) << "+Z and +X";
    EXPECT_NEAR(at(4, i, 0), at(2, i, 63), 0.02) << "+Z and +Y";
    EXPECT_NEAR(at(4, i, 63), at(3, i, 0), 0.02) << "+Z and -Y";
    EXPECT_NEAR(at(5, 63, i), at(1, 0, i), 0.02) << "-Z and -X, where the panorama ends";
  }
}

TEST(CubeMap, WhatIsNoneIsRefused) {
  const Image odd = make_image(make_info(9, 4, 3));
  EXPECT_EQ(make_cube_map(odd.view(), {}).error().code, ErrorCode::kInvalid);
  const Image square = make_image(make_info(4, 4, 3));
  EXPECT_EQ(make_cube_map(square.view(), {}).error().code, ErrorCode::kInvalid);
  const Image across = make_image(make_info(8, 6, 3));
  EXPECT_EQ(make_cube_map(across.view(), 2).error().code, ErrorCode::kUsage) << "--cube-size";
}

}  // namespace
}  // namespace tessera
