// BC1 in the plainest possible code: the oracle for the kernels.
#pragma once

#include <array>
#include <cstdint>

#include "image/image.h"

namespace tessera::reference {

using Texels = std::array<std::array<int, 3>, 16>;  // RGB of a block, row by row

// The block at (block_x, block_y), texels beyond the edge repeated.
Texels block_texels(const ImageView& image, uint32_t block_x, uint32_t block_y);

// The eight bytes that the bounding-box method must give.
std::array<uint8_t, 8> encode_bounds(const Texels& texels);

// The four palette colours (RGBA), written without the product's code.
std::array<std::array<int, 4>, 4> palette(const std::array<uint8_t, 8>& block);

}  // namespace tessera::reference
