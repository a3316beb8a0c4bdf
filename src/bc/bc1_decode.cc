// Decodes BC1 blocks to RGBA8 texels.
#include "bc/bc1_decode.h"

#include <algorithm>
#include <cstring>

#include "bc/bc1_format.h"
#include "bc/bc1_rounding.h"

namespace tessera::bc1 {
namespace {

using BlockPixels = std::array<std::array<Rgba8, kBlockSide>, kBlockSide>;

BlockPixels decode_block(const uint8_t* bytes, Rounding rounding) {
  const Block block = load_block(bytes);
  const std::array<Rgba8, 4> colors =
      rounding == Rounding::kIdeal ? palette(block) : palette(block, rounding);
  BlockPixels pixels;
  uint32_t selectors = block.selectors;
  for (auto& row : pixels) {
    for (Rgba8& texel : row) {
      texel = colors[selectors & 3];
      selectors >>= 2;
    }
  }
  return pixels;
}

}  // namespace

void decode_rows(ByteSpan blocks, uint32_t first_row, uint32_t end_row, uint32_t slice,
                 const MutableImageView& image, Rounding rounding) {
  const uint32_t width = image.info.width;
  const uint32_t height = image.info.height;
  const auto blocks_across = static_cast<size_t>(divide_round_up(width, kBlockSide));
  for (uint32_t block_row = first_row; block_row < end_row; ++block_row) {
    const uint32_t y0 = block_row * kBlockSide;
    const uint32_t rows = std::min(kBlockSide, height - y0);
    const uint8_t* bytes = blocks.data() + block_row * blocks_across * kBlockBytes;
    for (uint32_t x0 = 0; x0 < width; x0 += kBlockSide, bytes += kBlockBytes) {
      const BlockPixels pixels = decode_block(bytes, rounding);
      const size_t columns = std::min(kBlockSide, width - x0);
      for (uint32_t y = 0; y < rows; ++y) {
        std::memcpy(image.row<uint8_t>(y0 + y, slice) + x0 * kTexelBytes, pixels[y].data(),
                    columns * kTexelBytes);
      }
    }
  }
}

}  // namespace tessera::bc1
