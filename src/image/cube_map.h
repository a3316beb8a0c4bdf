// Cube maps of one picture. Faces are the layers of an image in the order +X, -X, +Y, -Y, +Z, -Z,
// each as graphics interfaces see it from within the cube.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// What a picture of a cube map is, by the proportions of its sides.
enum class CubeShape : uint8_t {
  kFaces,        // square: a face, or with layers, several
  kCrossAcross,  // 4:3, unfolded: -X, +Z, +X, -Z from left to right, +Y above +Z and -Y below it
  kCrossDown,    // 3:4, likewise, but -Z is below -Y and stands on its head
  kPanorama,     // 2:1, longitudes across and latitudes down, with +Z in the middle, +Y on top
};
std::optional<CubeShape> cube_shape_of(const ImageInfo& picture);

// The six faces of a picture that is a cross or a panorama. A panorama's faces have sides of
// `size`, or of a quarter of its width; each texel is the mean of several places, as light. Fails
// for other pictures.
Result<Image> make_cube_map(const ImageView& picture, std::optional<uint32_t> size);

}  // namespace tessera
