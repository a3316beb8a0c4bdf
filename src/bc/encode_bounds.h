// BC1 by bounding box. See encode_bounds-inl.h for the method.
#pragma once

#include <cstdint>
#include <span>

#include "image/image.h"

namespace tessera::bc1 {

// As encode_rows in bc1_encode.h.
void encode_rows_bounds(const ImageView& image, uint32_t slice, uint32_t first_row,
                        uint32_t end_row, std::span<uint8_t> out);

}  // namespace tessera::bc1
