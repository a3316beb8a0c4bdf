// Pixels as JavaScript gives them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "image/image.h"

namespace tessera::web {

// Four 8-bit channels per pixel, rows without gaps.
inline ImageView view_of(const uint8_t* pixels, uint32_t width, uint32_t height) {
  ImageView view;
  view.data = pixels;
  view.info.width = width;
  view.info.height = height;
  view.row_stride = size_t{width} * 4;
  view.slice_stride = view.row_stride * height;
  return view;
}

}  // namespace tessera::web
