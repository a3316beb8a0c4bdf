// Where the quick decoders write to.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::astc {

// Where a row of blocks goes: the pixel of its first texel, and how much of it is in the picture.
struct RowTarget {
  uint8_t* pixels = nullptr;
  size_t row_stride = 0;    // bytes
  size_t slice_stride = 0;  // bytes
  uint32_t width = 0;       // texels of the whole row
  uint32_t height = 0;      // texels of a block that are inside
  uint32_t depth = 0;
};

}  // namespace tessera::astc
