// RGBA8 texels to BC1 blocks, by the method that the settings name.
#pragma once

#include <cstdint>
#include <span>

#include "bc/bc1_presets.h"
#include "image/image.h"

namespace tessera::bc1 {

// Encodes the block rows [first_row, end_row) of one slice of an RGBA8 image of any size (the last
// texels are repeated to whole blocks; alpha matters to punch-through only). `out` receives
// (end_row - first_row)·ceil(width / 4) blocks. Safe to call from several threads at once.
void encode_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                 const Settings& settings, std::span<uint8_t> out);

}  // namespace tessera::bc1
