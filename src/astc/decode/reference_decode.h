// The plain decoder: each texel straight from the standard's formulae, all modes, 2D and 3D. It is
// what faster ones are tested against.
#pragma once

#include <array>
#include <span>

#include "astc/decode/decode_mode.h"
#include "astc/format/block_size.h"
#include "astc/format/symbolic_block.h"

namespace tessera::astc {

// Writes size.texel_count() texels, x running fastest, then y, then z.
void decode_symbolic_block(const SymbolicBlock& block, BlockSize size, DecodeMode mode,
                           std::span<Texel> texels);

// The same from a block's bits.
void decode_block(const Block128& block, BlockSize size, DecodeMode mode, std::span<Texel> texels);

// The endpoints of each partition of a block with weights.
std::array<EndpointPair, kMaxPartitions> block_endpoints(const SymbolicBlock& block);

}  // namespace tessera::astc
