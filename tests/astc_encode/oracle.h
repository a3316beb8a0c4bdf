// A slow, plain search for the best 128 bits of one LDR block, to tell how much the encoder's
// short cuts cost. It shares the format's tables with the encoder and nothing else: every usable
// partition pattern, every block mode and every way to store colours that suits the block is
// fitted, not estimated.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "astc/format/block128.h"
#include "astc/format/block_size.h"

namespace tessera::astc::oracle {

using Rgba = std::array<uint8_t, 4>;

struct Options {
  unsigned max_partitions = 4;             // of blocks with one plane of weights
  unsigned max_dual_plane_partitions = 2;  // of blocks with two
  // Leaves out what the bounds of oracle_lines.h say cannot be better than the best so far, and
  // spends less on fits that begin with twice its error.
  bool prune = true;
  // So many of the best fits are improved by single steps of weights and colours.
  unsigned refined = 64;
  // And so many of those by larger steps, each followed by small ones.
  unsigned polished = 24;
};

struct Found {
  uint32_t error = UINT32_MAX;  // sum of squared differences of all 8-bit channels
  Block128 bits;
  uint64_t fits = 0;  // how many were tried
};

// `texels`, x running fastest, are decoded as DecodeMode::kLdrFloat16. The block must not be all of
// one colour: such blocks need no search.
Found search_block(std::span<const Rgba> texels, BlockSize size, const Options& options = {});

// Of any block, by the reference decoder.
uint32_t squared_error(const Block128& bits, std::span<const Rgba> texels, BlockSize size);

}  // namespace tessera::astc::oracle
