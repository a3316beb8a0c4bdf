// Encoding of single rectangles as they come: for programs that compress what they have just drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// All memory is taken when it is made; encode() does not allocate.
class TileEncoder {
 public:
  virtual ~TileEncoder() = default;

  // Bytes of the blocks of a tile.
  virtual size_t tile_bytes(uint32_t width, uint32_t height) const = 0;
  // A tile of four 8-bit channels; `out` has tile_bytes(). Any number of threads may call it.
  virtual Status encode(const ImageView& tile, std::span<uint8_t> out) = 0;
};

}  // namespace tessera
