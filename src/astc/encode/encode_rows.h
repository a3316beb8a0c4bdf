// Pictures to ASTC blocks: LDR, 2D block sizes.
//
// A few hundred blocks at a time go through the stages, each of which is a file: load_blocks,
// analyse and rank (in lanes, one block a lane), then blocks with the same mode are fitted and
// packed together (fit, pack, in lanes). A block's bytes depend on its own texels only, and are the
// same on every instruction set.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "astc/encode/presets.h"
#include "astc/format/block_size.h"
#include "image/image.h"

namespace tessera::astc {

// Working memory of encode_rows, about 0.7 MB; one a thread.
class EncodeScratch {
 public:
  EncodeScratch();
  ~EncodeScratch();
  EncodeScratch(EncodeScratch&&) noexcept;
  EncodeScratch& operator=(EncodeScratch&&) noexcept;

  struct Buffers;
  Buffers& buffers() { return *buffers_; }

 private:
  std::unique_ptr<Buffers> buffers_;
};

// Encodes the block rows [first_block_row, end_block_row) of one slice of an image of four 8-bit
// channels. `size` is one of the 2D block sizes; `out` receives 16 bytes a block, row by row. Can
// run on many threads, each with a scratch of its own, and does not allocate (apart from tables
// made at first use). Vectors fill well from about 2,000 blocks a call on.
void encode_rows(const ImageView& image, BlockSize size, uint32_t slice, uint32_t first_block_row,
                 uint32_t end_block_row, const EncodeSettings& settings, EncodeScratch& scratch,
                 std::span<uint8_t> out);

}  // namespace tessera::astc
