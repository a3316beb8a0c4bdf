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
  bool alpha_weight = false;  // errors of colours count by the source's alpha
};

// A part of a picture, of block rows that are optimised together (base/rate_rows.h): its texels,
// what its blocks decode to (both of four 8-bit channels and one slice), and the blocks, which are
// changed. Returns about how many bits they have once they are compressed.
double repeat_blocks(const ImageView& source, const ImageView& decoded, BlockSize size,
                     const RepeatSettings& settings, std::span<uint8_t> blocks);

}  // namespace tessera::astc
