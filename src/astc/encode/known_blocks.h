// Stage 1b: blocks that need no search. Those of one colour are written at once; those that repeat
// another block of the chunk get its bytes in the end. All that later stages see is the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "astc/encode/chunk.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

class KnownBlocks {
 public:
  // Before the first block of a picture or of a part of it.
  void start();
  // After a chunk has been cleared: its blocks cannot be found any more.
  void forget_chunk();

  // Takes those of the chunk's blocks from `first` on that are of one colour out of the chunk, and
  // writes them.
  void take_constant_blocks(BlockSize size, size_t first, ChunkBuffer<Rgba8Texels>& chunk,
                            uint8_t* out);
  // Takes those out that are the same as one before them.
  void take_repeated_blocks(BlockSize size, size_t first, ChunkBuffer<Rgba8Texels>& chunk);

  // When all blocks have been written.
  void write_repeated_blocks(uint8_t* out) const;

  // Inside the picture, of blocks of one colour since the start.
  float constant_texels() const { return constant_texels_; }

 private:
  // What does not fit is searched again, which costs time alone.
  static constexpr size_t kSlots = 4096;
  static constexpr size_t kMaxRepeats = 32 * 1024;
  struct Repeat {
    uint32_t to;  // indices of the output
    uint32_t from;
  };

  std::array<uint32_t, kSlots> slots_{};  // by a hash: index in the chunk, below the chunk's number
  uint32_t chunk_number_ = 0;
  std::array<Repeat, kMaxRepeats> repeats_;
  size_t repeat_count_ = 0;
  float constant_texels_ = 0;
};

}  // namespace tessera::astc
