// Blocks for tests: any 128 bits, or legal ones that make use of every feature.
#pragma once

#include <cstdint>

#include "astc/format/block128.h"
#include "astc/format/block_size.h"
#include "astc/format/symbolic_block.h"

namespace tessera::astc {

// A small generator (SplitMix64) that gives the same numbers everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t next();
  unsigned below(unsigned limit) { return static_cast<unsigned>(next() % limit); }
  bool one_in(unsigned n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

Block128 random_bits(Random& random);

// A legal block with weights: all features with about equal odds.
SymbolicBlock random_weighted_block(Random& random, BlockSize size);

// A legal void extent, LDR or HDR (finite colours), with or without extents.
SymbolicBlock random_void_extent(Random& random, BlockSize size);

// Bits of a kind drawn at random: any bits, void extents (some illegal), mostly legal blocks.
Block128 random_mixed_block(Random& random, BlockSize size);

}  // namespace tessera::astc
