// A warp of a CUDA device with its matrix unit, and running warps.
#pragma once

#include "exec/cuda/cuda_machine.cuh"
#include "fractal/cuda/tile_product-inl.h"

namespace tessera::fractal::device {

struct TensorWarp : CudaWarp {
  __device__ __forceinline__ static void multiply(const PerLane<StepWords>& words,
                                                  PerLane<TileSums>& sums) {
    const uint32_t* rows = words.value.rows.word;
#pragma unroll
    for (unsigned n = 0; n < kColumnSlots; ++n) {
      const uint32_t column = words.value.columns[n / 4].word[n % 4];
#pragma unroll
      for (unsigned m = 0; m < 2; ++m) {
        int32_t* c = sums.value.sums[m][n];
#if __CUDA_ARCH__ >= 800
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
            "{%0, %1, %2, %3};"
            : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
            : "r"(rows[2 * m]), "r"(rows[2 * m + 1]), "r"(column));
#else
        const unsigned lane = threadIdx.x % kLanes, t = lane % 4;
        for (unsigned k = 0; k < 4; ++k) {
          const uint32_t upper = __shfl_sync(kAll, rows[2 * m], lane - t + k);
          const uint32_t lower = __shfl_sync(kAll, rows[2 * m + 1], lane - t + k);
          for (unsigned part = 0; part < 2; ++part) {
            const uint32_t other = __shfl_sync(kAll, column, (2 * t + part) * 4 + k);
            c[part] = static_cast<int32_t>(__dp4a(upper, other, static_cast<uint32_t>(c[part])));
            c[2 + part] =
                static_cast<int32_t>(__dp4a(lower, other, static_cast<uint32_t>(c[2 + part])));
          }
        }
#endif
      }
    }
  }
};

inline constexpr unsigned kTileWarpsPerGroup = 4;

// Neighbouring items share what they read, so a group of threads has them side by side.
template <class Work>
__global__ void __launch_bounds__(kTileWarpsPerGroup* CudaWarp::kLanes)
    run_tile_items(const __grid_constant__ Work work, uint32_t items, uint32_t floats_per_warp) {
  extern __shared__ float tile_floats[];
  const uint32_t own = threadIdx.x / CudaWarp::kLanes;
  TensorWarp warp;
  warp.shared = tile_floats + own * floats_per_warp;
  const uint32_t item = blockIdx.x * kTileWarpsPerGroup + own;
  if (item < items) {
    work(item, warp);
  }
}

}  // namespace tessera::fractal::device
