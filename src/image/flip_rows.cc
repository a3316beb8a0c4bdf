// Turns pictures upside down.
#include "image/flip_rows.h"

#include <algorithm>

namespace tessera {

void flip_rows(Image& image) {
  const ImageInfo& info = image.info();
  const size_t row_bytes = info.width * info.pixel_bytes();
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height / 2; ++y) {
      uint8_t* const upper = image.row<uint8_t>(y, slice);
      std::swap_ranges(upper, upper + row_bytes, image.row<uint8_t>(info.height - 1 - y, slice));
    }
  }
}

}  // namespace tessera
