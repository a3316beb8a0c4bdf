// Blocks that repeat earlier ones, so that a byte compressor (zstd, deflate) makes less of the
// texture: a block is replaced by one of those before it where that costs little for the bits it
// saves.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "astc/format/block_size.h"
#include "image/image.h"

namespace tessera::astc {

struct RepeatSettings {
  float lambda = 0;                                     // squared error that a saved bit may cost
  std::array<float, 4> channel_weights = {1, 1, 1, 1};  // of errors
};

// Block rows that are looked at together, for a picture of so many blocks across. Other rows do not
// matter to them.
uint32_t rows_repeated_together(uint64_t blocks_across);

// A part of a picture, of such rows: its texels, what its blocks decode to (both of four 8-bit
// channels and one slice), and the blocks, which are changed.
void repeat_blocks(const ImageView& source, const ImageView& decoded, BlockSize size,
                   const RepeatSettings& settings, std::span<uint8_t> blocks);

}  // namespace tessera::astc
