// The blocks that go through the stages together, as structure of arrays: index
// [..][block]. A chunk is long enough for blocks of equal work to fill vectors,
// and short enough for the cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "astc/encode/candidates.h"

namespace tessera::astc {

inline constexpr size_t kMaxChunkBlocks = 2048;
inline constexpr size_t kChunkTexels = 128 * 1024;
// Vectors may be read and written past the last block.
inline constexpr size_t kChunkPadding = 64;
inline constexpr size_t kChunkStride = kMaxChunkBlocks + kChunkPadding;

// Blocks of one colour need no fit.
inline constexpr int32_t kConstantBlock = -1;

struct Chunk {
  size_t count = 0;
  bool has_edges = false;  // a block of the chunk reaches over the picture's edge

  size_t capacity = 0;  // blocks, by the block size
  // RGBA, at [texel · (capacity + kChunkPadding) + block]
  alignas(64) std::array<uint32_t, kChunkTexels + kMaxTexels2d * kChunkPadding> texels;

  void start(unsigned texel_count) {
    count = 0;
    has_edges = false;
    capacity =
        kChunkTexels / texel_count < kMaxChunkBlocks ? kChunkTexels / texel_count : kMaxChunkBlocks;
  }
  int32_t* texel_row(size_t texel) {
    return reinterpret_cast<int32_t*>(texels.data() + texel * (capacity + kChunkPadding));
  }
  const int32_t* texel_row(size_t texel) const {
    return reinterpret_cast<const int32_t*>(texels.data() + texel * (capacity + kChunkPadding));
  }

  // Texels inside the picture are those with x < inside_x and y < inside_y.
  alignas(64) std::array<int32_t, kChunkStride> inside_x;
  alignas(64) std::array<int32_t, kChunkStride> inside_y;
  std::array<uint32_t, kChunkStride> output;  // index of the block in the output

  // Results of the ranking: list (CandidateTable::list_index) or
  // kConstantBlock, and candidate.
  alignas(64) std::array<int32_t, kChunkStride> list;
  alignas(64) std::array<int32_t, kChunkStride> candidate;
  alignas(64) std::array<int32_t, kChunkStride> plane2_channel;
  // Direction of the first plane's channels (in RGBA order; 0 for channels
  // outside it).
  alignas(64) std::array<std::array<float, kChunkStride>, 4> axis;
  alignas(64) std::array<float, kChunkStride> error;  // estimated, of the choice
  // Blocks for which two planes are worth a look.
  std::array<int32_t, kChunkStride> two_plane_blocks;
};

}  // namespace tessera::astc
