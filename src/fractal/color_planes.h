// RGB as luma and two chroma planes of half the size in each direction (BT.601, full range), in
// integers.
#pragma once

#include <array>

#include "fractal/plane.h"
#include "image/image.h"

namespace tessera::fractal {

using ColorPlanes = std::array<Plane<uint8_t>, 3>;  // Y, Cb, Cr

// The part of an RGB image from (x, y) on, with the given size.
ColorPlanes split_color(const ImageView& image, uint32_t x, uint32_t y, uint32_t width,
                        uint32_t height);
// Back into an RGB image; the planes may be larger than needed.
void join_color(const ColorPlanes& planes, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
                const MutableImageView& image);

Plane<uint8_t> split_grey(const ImageView& image, uint32_t x, uint32_t y, uint32_t width,
                          uint32_t height);
void join_grey(const Plane<uint8_t>& plane, uint32_t x, uint32_t y, uint32_t width, uint32_t height,
               const MutableImageView& image);

}  // namespace tessera::fractal
