// Encoding of single rectangles as they come: for programs that compress what they have just drawn.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "astc/encode/encode_rows.h"
#include "astc/encode/presets.h"
#include "astc/format/block_size.h"
#include "base/result.h"

namespace tessera::astc {

// A rectangle of a larger picture of four 8-bit channels (red first).
struct Tile {
  const uint8_t* rgba = nullptr;  // its upper left texel
  size_t row_stride = 0;          // bytes from a row of the picture to the next
  uint32_t width = 0;             // texels; need not be multiples of the block's edges
  uint32_t height = 0;
};

// Blocks of a tile take 16 bytes each, row by row.
constexpr size_t tile_bytes(uint32_t width, uint32_t height, BlockSize size) {
  return ((size_t{width} + size.width - 1) / size.width) *
         ((size_t{height} + size.height - 1) / size.height) * 16;
}

class TileEncoder {
 public:
  // `size` is a 2D one. All memory and tables are made here, for up to `concurrency` calls at once.
  TileEncoder(BlockSize size, const EncodeSettings& settings, unsigned concurrency);

  // Can be called from any number of threads; those above the concurrency wait their turn. Does not
  // allocate. Fails when the tile is empty or `out` is not tile_bytes() long.
  Status encode(const Tile& tile, std::span<uint8_t> out);

 private:
  EncodeScratch* take_scratch();
  void give_back(EncodeScratch* scratch);

  BlockSize size_;
  EncodeSettings settings_;
  std::vector<EncodeScratch> scratches_;
  std::mutex mutex_;
  std::condition_variable has_free_;
  std::vector<EncodeScratch*> free_;  // never more than scratches_
};

}  // namespace tessera::astc
