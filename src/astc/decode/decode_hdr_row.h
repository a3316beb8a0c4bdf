// The quick decoder of HDR: rows of blocks to four half floats for each texel, 2D and 3D, in the
// mode DecodeMode::kHdr. Same results as the plain one, bit by bit.
#pragma once

#include <cstdint>

#include "astc/decode/row_target.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

// Decodes ⌈width / size.width⌉ blocks.
void decode_hdr_row(const uint8_t* blocks, BlockSize size, const RowTarget& target);

}  // namespace tessera::astc
