// Encodes rows of blocks with a warp of the CPU's.
#include "astc/fgac/fgac_encode.h"

#include <algorithm>

#include "astc/fgac/host_warp.h"
#include "base/bytes.h"

namespace tessera::astc {

void encode_fgac_rows(const ImageView& image, uint32_t slice, uint32_t first_row, uint32_t end_row,
                      const FgacSettings& settings, std::span<uint8_t> out) {
  const auto across = static_cast<uint32_t>(divide_round_up(image.info.width, 4));
  HostWarp warp;
  for (uint32_t row = first_row; row < end_row; ++row) {
    // A picture of one block row: only its own texels are looked at.
    const Picture picture = {image.row<uint32_t>(4 * row, slice),
                             image.row_stride / 4,
                             image.info.width,
                             std::min(4u, image.info.height - 4 * row),
                             across,
                             false};
    for (uint32_t i = 0; i < across; ++i) {
      Block128 block;
      FgacEncoder<HostWarp>(warp, fgac_tables(), settings).encode(picture, i, block);
      store_block(block, out.data() + (size_t{row - first_row} * across + i) * kBlockBytes);
    }
  }
}

}  // namespace tessera::astc
