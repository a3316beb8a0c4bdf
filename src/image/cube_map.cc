// Cuts crosses into the faces of a cube, and samples panorama pictures for them.
#include "image/cube_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

#include "image/mip_samples.h"

namespace tessera {
namespace {

constexpr uint32_t kFaces = 6;

struct Direction {
  double x, y, z;
};

// Through the face at `a` and `b`, which go from -1 to 1, to the right and down.
Direction direction_of(uint32_t face, double a, double b) {
  switch (face) {
    case 0:
      return {1, -b, -a};
    case 1:
      return {-1, -b, a};
    case 2:
      return {a, 1, b};
    case 3:
      return {a, -1, -b};
    case 4:
      return {a, -b, 1};
    default:
      return {-a, -b, -1};
  }
}

// The arc tangent of 0 to 1, as Abramowitz and Stegun have it (4.4.49): off by 2e-8 at most, which
// is far below a texel, and the same on every machine, which libm's is not.
double arc_tangent_of_fraction(double t) {
  const double s = t * t;
  double sum = 0.0028662257;
  for (const double coefficient : {-0.0161657367, 0.0429096138, -0.0752896400, 0.1065626393,
                                   -0.1420889944, 0.1999355085, -0.3333314528, 1.0}) {
    sum = sum * s + coefficient;
  }
  return sum * t;
}

// From -pi to pi, as atan2.
double arc_tangent(double y, double x) {
  const double across = std::abs(x), up = std::abs(y);
  const double largest = std::max(across, up);
  if (largest == 0) {
    return 0;
  }
  double angle = arc_tangent_of_fraction(std::min(across, up) / largest);
  angle = up > across ? std::numbers::pi / 2 - angle : angle;
  angle = x < 0 ? std::numbers::pi - angle : angle;
  return y < 0 ? -angle : angle;
}

// Sums of a panorama's texels.
template <typename Samples>
class PanoramaSums {
 public:
  using Storage = typename Samples::Storage;
  using Real = typename Samples::Real;

  explicit PanoramaSums(const ImageView& picture) : picture_(picture) {}

  // What is seen in a direction: the mean of the four texels around the place, by its distance from
  // each.
  void add(const Direction& direction) {
    const double longitude = arc_tangent(direction.x, direction.z);
    const double level =
        std::sqrt(direction.x * direction.x + direction.z * direction.z);  // along the horizon
    const double latitude = arc_tangent(direction.y, level);
    const double x = (longitude / (2 * std::numbers::pi) + 0.5) * picture_.info.width - 0.5;
    const double y = (0.5 - latitude / std::numbers::pi) * picture_.info.height - 0.5;
    const double left = std::floor(x), top = std::floor(y);
    const double right_part = x - left, lower_part = y - top;
    const auto column = static_cast<int64_t>(left), row = static_cast<int64_t>(top);
    add_texel(column, row, (1 - right_part) * (1 - lower_part));
    add_texel(column + 1, row, right_part * (1 - lower_part));
    add_texel(column, row + 1, (1 - right_part) * lower_part);
    add_texel(column + 1, row + 1, right_part * lower_part);
    ++count_;
  }

  // Writes the mean, and begins again.
  void write(Storage* texel) {
    const uint32_t channels = picture_.info.channels;
    for (uint32_t c = 0; c < channels; ++c) {
      const Real mean = sums_[c] / static_cast<Real>(count_);
      texel[c] = is_alpha(c) ? samples_.write_alpha(mean) : samples_.write_color(mean);
    }
    sums_ = {};
    count_ = 0;
  }

 private:
  bool is_alpha(uint32_t channel) const {
    return picture_.info.has_alpha() && channel + 1 == picture_.info.channels;
  }

  void add_texel(int64_t column, int64_t row, double weight) {
    const int64_t width = picture_.info.width;
    const int64_t last_row = int64_t{picture_.info.height} - 1;
    const int64_t wrapped = column < 0 ? column + width : column >= width ? column - width : column;
    const auto y = static_cast<uint32_t>(std::clamp<int64_t>(row, 0, last_row));
    const uint32_t channels = picture_.info.channels;
    const Storage* texel =
        picture_.row<Storage>(y) + static_cast<size_t>(wrapped) * size_t{channels};
    for (uint32_t c = 0; c < channels; ++c) {
      const Real value =
          is_alpha(c) ? samples_.read_alpha(texel[c]) : samples_.read_color(texel[c]);
      sums_[c] += value * static_cast<Real>(weight);
    }
  }

  const ImageView& picture_;
  Samples samples_;
  std::array<Real, 4> sums_ = {};
  uint32_t count_ = 0;
};

// Two places along each side of a texel, and more where texels of the panorama are smaller, so that
// none of them is passed over.
uint32_t places_along(const ImageInfo& panorama, uint32_t size) {
  constexpr uint64_t kMost = 32;
  const uint64_t texels = (uint64_t{panorama.width} / 2 + size - 1) / size;
  return static_cast<uint32_t>(std::clamp<uint64_t>(texels, 2, kMost));
}

template <typename Samples>
void sample_panorama(const ImageView& picture, Image& faces) {
  PanoramaSums<Samples> sums(picture);
  const uint32_t size = faces.width();
  const uint32_t places = places_along(picture.info, size);
  const double step = 2.0 / (double{1} * size * places);
  for (uint32_t face = 0; face < kFaces; ++face) {
    for (uint32_t y = 0; y < size; ++y) {
      auto* texel = faces.row<typename Samples::Storage>(y, face);
      for (uint32_t x = 0; x < size; ++x, texel += picture.info.channels) {
        for (uint32_t place = 0; place < places * places; ++place) {
          const uint64_t column = uint64_t{x} * places + place % places;
          const uint64_t row = uint64_t{y} * places + place / places;
          sums.add(direction_of(face, (static_cast<double>(column) + 0.5) * step - 1,
                                (static_cast<double>(row) + 0.5) * step - 1));
        }
        sums.write(texel);
      }
    }
  }
}

struct Place {
  uint32_t column, row;  // in faces
};
constexpr std::array<Place, kFaces> kAcross = {{{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {3, 1}}};
constexpr std::array<Place, kFaces> kDown = {{{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {1, 3}}};

// The last face of a cross that goes down stands on its head.
void cut_cross(const ImageView& picture, CubeShape shape, Image& faces) {
  const uint32_t size = faces.width();
  const size_t texel_bytes = picture.info.pixel_bytes();
  for (uint32_t face = 0; face < kFaces; ++face) {
    const bool is_turned = shape == CubeShape::kCrossDown && face == kFaces - 1;
    const Place place = shape == CubeShape::kCrossDown ? kDown[face] : kAcross[face];
    for (uint32_t y = 0; y < size; ++y) {
      const uint8_t* from =
          picture.row<uint8_t>(place.row * size + y) + size_t{place.column} * size * texel_bytes;
      uint8_t* const to = faces.row<uint8_t>(is_turned ? size - 1 - y : y, face);
      if (!is_turned) {
        std::memcpy(to, from, size * texel_bytes);
        continue;
      }
      for (uint32_t x = 0; x < size; ++x) {
        std::memcpy(to + (size - 1 - x) * texel_bytes, from + x * texel_bytes, texel_bytes);
      }
    }
  }
}

}  // namespace

std::optional<CubeShape> cube_shape_of(const ImageInfo& picture) {
  const uint64_t width = picture.width, height = picture.height;
  if (width == height) {
    return CubeShape::kFaces;
  }
  if (width * 3 == height * 4) {
    return CubeShape::kCrossAcross;
  }
  if (width * 4 == height * 3) {
    return CubeShape::kCrossDown;
  }
  return width == height * 2 ? std::optional(CubeShape::kPanorama) : std::nullopt;
}

Result<Image> make_cube_map(const ImageView& picture, std::optional<uint32_t> size) {
  const auto shape = cube_shape_of(picture.info);
  if (!shape || *shape == CubeShape::kFaces || picture.info.slices() != 1) {
    return invalid_error(
        "a cube map is made of six square pictures, or of one with sides of 4:3 "
        "or 3:4 (a cross) or 2:1 (a panorama), and this one has " +
        std::to_string(picture.info.width) + "x" + std::to_string(picture.info.height) + " pixels");
  }
  const bool is_panorama = *shape == CubeShape::kPanorama;
  if (size && !is_panorama) {
    return usage_error(
        "--cube-size is for panoramas: the faces of a cross have the size that they "
        "have");
  }
  ImageInfo info = picture.info;
  info.width = is_panorama ? size.value_or(std::max(1u, picture.info.width / 4))
                           : std::min(picture.info.width, picture.info.height) / 3;
  info.height = info.width;
  info.layers = kFaces;
  info.faces = kFaces;
  TESSERA_ASSIGN_OR_RETURN(Image faces, Image::create(info));
  if (is_panorama) {
    with_mip_samples(picture.info,
                     [&](auto samples) { sample_panorama<decltype(samples)>(picture, faces); });
  } else {
    cut_cross(picture, *shape, faces);
  }
  return faces;
}

}  // namespace tessera
