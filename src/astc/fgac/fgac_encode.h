// The method fgac on the CPU.
#pragma once

#include <cstdint>
#include <span>

#include "astc/fgac/fgac_block-inl.h"
#include "image/image.h"

namespace tessera::astc {

// Block rows [first_row, end_row) of a slice of an RGBA8 image, 16 bytes per block into `out`.
void encode_fgac_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                      const FgacSettings& settings, std::span<uint8_t> out);

}  // namespace tessera::astc
