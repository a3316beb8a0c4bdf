// Cuts a picture into BC1 blocks for rivals that encode one block at a time.
#include "block_rival.h"

#include <algorithm>
#include <cstring>

#include "bc/bc1_decode.h"
#include "bc/bc1_format.h"

namespace tessera::bench {
namespace {

// Copies a block's texels; at the edges the last ones are repeated.
void load_texels(const ImageView& image, uint32_t x0, uint32_t y0, uint8_t* texels) {
  const uint32_t columns = std::min(bc1::kBlockSide, image.info.width - x0);
  for (uint32_t y = 0; y < bc1::kBlockSide; ++y) {
    const uint8_t* row = image.row<uint8_t>(std::min(y0 + y, image.info.height - 1));
    if (columns == bc1::kBlockSide) {
      std::memcpy(texels + y * 16, row + x0 * 4, 16);
      continue;
    }
    for (uint32_t x = 0; x < bc1::kBlockSide; ++x) {
      std::memcpy(texels + y * 16 + x * 4, row + (x0 + std::min(x, columns - 1)) * 4, 4);
    }
  }
}

}  // namespace

Result<double> BlockRival::encode(const BenchImage& image) {
  const ImageView view = image.rgba.view();
  blocks_.resize(divide_round_up(view.info.width, bc1::kBlockSide) *
                 divide_round_up(view.info.height, bc1::kBlockSide) * bc1::kBlockBytes);
  const auto start = std::chrono::steady_clock::now();
  uint8_t* out = blocks_.data();
  for (uint32_t y = 0; y < view.info.height; y += bc1::kBlockSide) {
    for (uint32_t x = 0; x < view.info.width; x += bc1::kBlockSide, out += bc1::kBlockBytes) {
      uint8_t texels[64];
      load_texels(view, x, y, texels);
      encode_block_(texels, out);
    }
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Result<Image> BlockRival::decode(const BenchImage& image) {
  ImageInfo info = image.rgba.info();
  TESSERA_ASSIGN_OR_RETURN(Image decoded, Image::create(info));
  const auto rows = static_cast<uint32_t>(divide_round_up(info.height, bc1::kBlockSide));
  bc1::decode_rows(blocks_, 0, rows, 0, decoded.mutable_view());
  return decoded;
}

}  // namespace tessera::bench
