// The part of an image that one call encodes.
#pragma once

#include <cstdint>

#include "image/image.h"

namespace tessera::bc1 {

// Block rows [first_row, end_row) of one slice.
struct RowRange {
  const ImageView& image;
  uint32_t slice = 0;
  uint32_t first_row = 0;
  uint32_t end_row = 0;
};

}  // namespace tessera::bc1
