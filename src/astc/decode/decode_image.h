// ASTC payloads to pictures: blocks in raster order (x, then y, then z, then layers) become RGBA
// pixels of any sample type. Texels beyond the picture's edges are dropped.
#pragma once

#include <cstdint>

#include "astc/decode/decode_mode.h"
#include "astc/format/block_size.h"
#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera::astc {

// Blocks that cover a picture.
struct BlockCounts {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t z = 0;  // of one layer
  uint32_t layers = 0;

  // Rows of blocks in the whole texture: the unit in which work can be split.
  uint64_t rows() const { return uint64_t{y} * z * layers; }
};

BlockCounts block_counts(const ImageInfo& info, BlockSize size);

// Bytes of the payload; fails when they do not fit 64 bits.
Result<uint64_t> payload_bytes(const ImageInfo& info, BlockSize size);

// Decodes the block rows [first_row, end_row) of block_counts().rows(). `blocks` is the whole
// payload; `image` has 4 channels. Different rows may be decoded at the same time.
//
// Samples: UNORM results become 8 bits by rounding (of the half float that the standard defines),
// 16 bits as they are, halves by the standard, floats exactly from those; 8-bit results
// (decode_unorm8, sRGB) are v, v·257 and v/255; HDR results are clamped to 0…1 (NaN: 0) when
// samples are integers.
void decode_block_rows(ByteSpan blocks, BlockSize size, DecodeMode mode, uint64_t first_row,
                       uint64_t end_row, const MutableImageView& image);

// A whole picture of info's extents and sample type (its channels and colour space are set here: 4,
// and sRGB for DecodeMode::kSrgb, else linear). Fails when the payload is not exactly as long as
// that needs, or the block size is none of ASTC's.
Result<Image> decode_image(ByteSpan blocks, const ImageInfo& info, BlockSize size, DecodeMode mode);

}  // namespace tessera::astc
