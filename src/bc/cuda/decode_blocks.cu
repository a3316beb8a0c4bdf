// BC1 blocks back to texels, a block per thread.
#define BC1_INLINE __device__ __forceinline__
#include "bc/cuda/block_source.cuh"
#include "bc/cuda/block_texels.cuh"

namespace tessera::bc1 {
namespace {

__global__ void __launch_bounds__(kThreadsPerGroup)
    decode(const uint2* blocks, int rounding, const __grid_constant__ PictureShape shape,
           uint8_t* picture) {
  const BlockPlace place = block_place(shape);
  if (place.number >= shape.blocks) {
    return;
  }
  const uint2 words = __ldcs(blocks + place.number);
  uint32_t palette[4];
  device::bc1_palette(words.x, rounding, palette);
  uint32_t texels[kBlockTexels];
#pragma unroll
  for (uint32_t i = 0; i < kBlockTexels; ++i) {
    texels[i] = device::bc1_pick(palette, words.y, i);
  }
  store_texels(shape, picture, place, texels);
}

}  // namespace

void decode_blocks(const void* blocks, Rounding rounding, const PictureShape& shape,
                   uint8_t* texels, cudaStream_t stream) {
  decode<<<group_count(shape), kThreadsPerGroup, 0, stream>>>(
      static_cast<const uint2*>(blocks), static_cast<int>(rounding), shape, texels);
}

}  // namespace tessera::bc1
