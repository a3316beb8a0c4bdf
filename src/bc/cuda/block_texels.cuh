// The sixteen texels of a block, from and to a picture in memory of the device.
#pragma once

#include <cstdint>

#include "bc/bc1_format.h"
#include "bc/cuda/kernels.h"

namespace tessera::bc1 {

inline constexpr unsigned kThreadsPerGroup = 128;

// Which block a thread has.
struct BlockPlace {
  uint32_t number, x, y;
};

__device__ __forceinline__ BlockPlace block_place(const PictureShape& shape) {
  const uint32_t number = blockIdx.x * kThreadsPerGroup + threadIdx.x;
  const uint32_t y = number / shape.across;
  return {number, number - y * shape.across, y};
}

__device__ __forceinline__ bool is_whole(const PictureShape& shape, const BlockPlace& place) {
  return 4 * place.x + 4 <= shape.width && 4 * place.y + 4 <= shape.height;
}

// At the edges the last texels are repeated. Texels are read once, so they need not stay in caches.
__device__ __forceinline__ void load_texels(const PictureShape& shape, const uint8_t* picture,
                                            const BlockPlace& place,
                                            uint32_t texels[kBlockTexels]) {
  if (shape.has_aligned_rows && is_whole(shape, place)) {
#pragma unroll
    for (uint32_t y = 0; y < kBlockSide; ++y) {
      const uint8_t* row = picture + (4 * size_t{place.y} + y) * shape.row_bytes;
      const uint4 four = __ldcs(reinterpret_cast<const uint4*>(row) + place.x);
      texels[4 * y] = four.x;
      texels[4 * y + 1] = four.y;
      texels[4 * y + 2] = four.z;
      texels[4 * y + 3] = four.w;
    }
    return;
  }
#pragma unroll
  for (uint32_t i = 0; i < kBlockTexels; ++i) {
    const uint32_t x = min(4 * place.x + i % 4, shape.width - 1);
    const uint32_t y = min(4 * place.y + i / 4, shape.height - 1);
    texels[i] = reinterpret_cast<const uint32_t*>(picture + y * shape.row_bytes)[x];
  }
}

__device__ __forceinline__ void store_texels(const PictureShape& shape, uint8_t* picture,
                                             const BlockPlace& place,
                                             const uint32_t texels[kBlockTexels]) {
  if (shape.has_aligned_rows && is_whole(shape, place)) {
#pragma unroll
    for (uint32_t y = 0; y < kBlockSide; ++y) {
      uint8_t* row = picture + (4 * size_t{place.y} + y) * shape.row_bytes;
      __stcs(reinterpret_cast<uint4*>(row) + place.x,
             make_uint4(texels[4 * y], texels[4 * y + 1], texels[4 * y + 2], texels[4 * y + 3]));
    }
    return;
  }
#pragma unroll
  for (uint32_t i = 0; i < kBlockTexels; ++i) {
    const uint32_t x = 4 * place.x + i % 4, y = 4 * place.y + i / 4;
    if (x < shape.width && y < shape.height) {
      reinterpret_cast<uint32_t*>(picture + y * shape.row_bytes)[x] = texels[i];
    }
  }
}

inline unsigned group_count(const PictureShape& shape) {
  return (shape.blocks + kThreadsPerGroup - 1) / kThreadsPerGroup;
}

}  // namespace tessera::bc1
