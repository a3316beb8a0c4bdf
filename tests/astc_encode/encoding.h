// What the tests of the ASTC encoder share: pictures, encoding, and looking at the result.
#pragma once

#include <cstdint>
#include <functional>

#include "astc/encode/encode_rows.h"
#include "astc/encode/encode_tables.h"
#include "astc/format/symbolic_block.h"
#include "base/bytes.h"
#include "image/image.h"
#include "image/synthetic.h"

namespace tessera::astc {

Image synthetic_rgba(SyntheticKind kind, uint32_t width, uint32_t height, uint32_t seed);

// Texels from a function of x and y, as 0xAABBGGRR.
Image drawn_rgba(uint32_t width, uint32_t height,
                 const std::function<uint32_t(uint32_t, uint32_t)>& texel);

// The same of x, y and z.
Image drawn_volume(uint32_t width, uint32_t height, uint32_t depth,
                   const std::function<uint32_t(uint32_t, uint32_t, uint32_t)>& texel);

inline constexpr uint32_t rgba(uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
  return r | (g << 8) | (b << 16) | (a << 24);
}

// The whole picture or volume, with a new scratch.
Bytes encode(const ImageView& image, BlockSize size, const EncodeSettings& settings = {});

// All that any preset needs, and the tables with it.
TableNeeds all_needs(BlockSize size);
const EncodeTables& all_tables(BlockSize size);

SymbolicBlock block_at(const Bytes& blocks, size_t index, BlockSize size);

// Mean squared difference of 8-bit channels between the picture or volume and its decoded blocks.
double mean_squared_error(const ImageView& image, const Bytes& blocks, BlockSize size,
                          DecodeMode mode);

double psnr(double mean_squared_error);

}  // namespace tessera::astc
