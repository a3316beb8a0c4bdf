// BC1 blocks to RGBA8 texels: a palette of four a block, then sixteen look-ups.
#pragma once

#include <cstdint>

#include "base/bytes.h"
#include "bc/bc1_presets.h"
#include "image/image.h"

namespace tessera::bc1 {

// Decodes the block rows [first_row, end_row) of one slice. `blocks` holds that slice's blocks, all
// rows of it; `image` is RGBA8 of the texture's size (texels beyond its edge are dropped).
void decode_rows(ByteSpan blocks, uint32_t first_row, uint32_t end_row, uint32_t slice,
                 const MutableImageView& image, Rounding rounding = Rounding::kIdeal);

}  // namespace tessera::bc1
