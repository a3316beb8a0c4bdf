// BC1 by any method with any settings. One kernel holds all methods; calls keep it small.
#include <bit>

#define BC1_INLINE static __device__ __noinline__
#include "bc/cuda/block_source.cuh"
#include "bc/cuda/block_texels.cuh"
#include "bc/device/bc1_tables.h"

namespace tessera::bc1 {
namespace {

__global__ void __launch_bounds__(kThreadsPerGroup)
    encode_any(const __grid_constant__ PictureShape shape, const uint8_t* picture,
               const __grid_constant__ device::Bc1Settings settings, const int32_t* tables,
               uint2* blocks) {
  // Tail sums of cluster fit. Neighbouring threads use neighbouring words: no bank conflicts.
  __shared__ float scratch[3 * 17 * kThreadsPerGroup];
  const BlockPlace place = block_place(shape);
  if (place.number >= shape.blocks) {
    return;
  }
  uint32_t texels[kBlockTexels];
  load_texels(shape, picture, place, texels);
  const device::Bc1Words words = device::bc1_encode_block(
      texels, &settings, tables, scratch + threadIdx.x, static_cast<int>(kThreadsPerGroup));
  blocks[place.number] = make_uint2(words.colors, words.selectors);
}

}  // namespace

void encode_with_any_settings(const PictureShape& shape, const uint8_t* texels,
                              const Settings& settings, const int32_t* tables, void* blocks,
                              cudaStream_t stream) {
  encode_any<<<group_count(shape), kThreadsPerGroup, 0, stream>>>(
      shape, texels, std::bit_cast<device::Bc1Settings>(kernel_settings(settings)), tables,
      static_cast<uint2*>(blocks));
}

}  // namespace tessera::bc1
