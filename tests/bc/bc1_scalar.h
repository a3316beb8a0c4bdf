// The plain C of the OpenCL kernels, compiled as C++: the oracle of the vector kernels.
#pragma once

#include <array>
#include <cstdint>

#include "bc/bc1_presets.h"
#include "image/image.h"

namespace tessera::reference {

// The RGBA texels of the block at (block_x, block_y), texels beyond the edge repeated.
std::array<uint32_t, 16> block_rgba(const ImageView& image, uint32_t block_x, uint32_t block_y);

// The eight bytes that the settings must give.
std::array<uint8_t, 8> encode_block(const std::array<uint32_t, 16>& texels,
                                    const bc1::Settings& settings);

}  // namespace tessera::reference
