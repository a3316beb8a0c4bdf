// Measures the angles between the normals of two normal maps.
#include "image/normal_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "image/sample.h"

namespace tessera {
namespace {

std::array<double, 3> normal_of(const uint8_t* texel) {
  const double x = texel[0] / 127.5 - 1;
  const double y = texel[3] / 127.5 - 1;
  // Rounding can leave the unit circle.
  const double length = std::max(1.0, std::sqrt(x * x + y * y));
  return {x / length, y / length, normal_z(x, y)};
}

}  // namespace

void AngleSum::add(double cosine) {
  const double degrees = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi;
  sum_ += degrees;
  max_ = std::max(max_, degrees);
  ++count_;
}

AngularError AngleSum::error() const {
  return {count_ == 0 ? 0 : sum_ / static_cast<double>(count_), max_};
}

double normal_z(double x, double y) {
  return std::sqrt(std::max(0.0, 1 - x * x - y * y));
}

Result<AngularError> angular_error(const ImageView& reference, const ImageView& test) {
  const ImageInfo& a = reference.info;
  const ImageInfo& b = test.info;
  const bool comparable = a.width == b.width && a.height == b.height && a.depth == b.depth &&
                          a.layers == b.layers && a.channels == 4 && b.channels == 4 &&
                          a.sample == SampleType::kU8 && b.sample == SampleType::kU8;
  if (!comparable) {
    return invalid_error("only normal maps of the same size and of 8 bits can be compared");
  }
  AngleSum angles;
  for (uint32_t slice = 0; slice < a.slices(); ++slice) {
    for (uint32_t y = 0; y < a.height; ++y) {
      const uint8_t* p = reference.row<uint8_t>(y, slice);
      const uint8_t* q = test.row<uint8_t>(y, slice);
      for (uint32_t x = 0; x < a.width; ++x) {
        const auto n = normal_of(p + size_t{4} * x);
        const auto m = normal_of(q + size_t{4} * x);
        angles.add(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]);
      }
    }
  }
  return angles.error();
}

Result<Image> rebuild_normals(const ImageView& map) {
  if (map.info.channels != 4) {
    return invalid_error("a normal map of two values has them in red and alpha");
  }
  ImageInfo info = map.info;
  info.channels = 3;
  info.color_space = ColorSpace::kLinear;
  TESSERA_ASSIGN_OR_RETURN(Image normals, Image::create(info));
  with_sample_type(info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    for (uint32_t slice = 0; slice < info.slices(); ++slice) {
      for (uint32_t row = 0; row < info.height; ++row) {
        const auto* texel = map.row<typename Sample::Storage>(row, slice);
        auto* out = normals.row<typename Sample::Storage>(row, slice);
        for (uint32_t column = 0; column < info.width; ++column, texel += 4, out += 3) {
          const double x = Sample::to_double(texel[0]) * 2 - 1;
          const double y = Sample::to_double(texel[3]) * 2 - 1;
          out[0] = texel[0];
          out[1] = texel[3];
          out[2] = Sample::from_double(normal_z(x, y) / 2 + 0.5);
        }
      }
    }
  });
  return normals;
}

}  // namespace tessera
