// Stage 1b: blocks that need no search. Those of one colour are written at once, as are those that
// nobody sees; those that repeat another block of the chunk get its bytes in the end. All that
// later stages see is the rest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "astc/encode/chunk.h"
#include "astc/encode/presets.h"
#include "astc/format/block_size.h"

namespace tessera::astc {

class KnownBlocks {
 public:
  // Before the first block of a picture or of a part of it.
  void start();
  // After a chunk has been cleared: its blocks cannot be found any more.
  void forget_chunk();

  // Takes blocks from `first` on out of the chunk: those of one colour, which it writes, those of
  // alpha 0, which it writes as one colour where colours count by alpha, and, where
  // `reuses_blocks`, those that are the same as one before them. For texels of Rgba8Texels and
  // LnsTexels.
  template <class Texels>
  void take(BlockSize size, size_t first, bool reuses_blocks, const EncodeSettings& settings,
            ChunkBuffer<Texels>& chunk, uint8_t* out);

  // When all blocks have been written.
  void write_repeated_blocks(uint8_t* out) const;

  // Inside the picture, of blocks that were written as one colour since the start.
  float constant_texels() const { return constant_texels_; }

 private:
  // Whether a block that is about to be moved to the end of the chunk is already there. `hashed` is
  // its hash; are_same(a, b) compares the texels of two blocks.
  bool is_repeated(uint64_t hashed, size_t block, const Chunk& chunk, const auto& are_same);

  // What does not fit is searched again, which costs time alone.
  static constexpr size_t kSlots = 4096;
  static constexpr size_t kMaxRepeats = 32 * 1024;
  struct Repeat {
    uint32_t to;  // indices of the output
    uint32_t from;
  };

  // Small, so that the table stays in the processor's first cache.
  struct Slot {
    uint16_t block;  // index in the chunk
    uint16_t tag;    // a further part of the hash
  };

  std::array<Slot, kSlots> slots_;  // by a hash
  std::array<Repeat, kMaxRepeats> repeats_;
  size_t repeat_count_ = 0;
  float constant_texels_ = 0;
};

}  // namespace tessera::astc
