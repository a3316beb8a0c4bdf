// Warps that encode blocks by the method fgac.
#include "astc/cuda/fgac.h"

#include "exec/cuda/cuda_machine.cuh"

namespace tessera::astc {
namespace {

struct FgacWarp : CudaWarp {
  __device__ __forceinline__ static PerLane<float> sum(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return a + b; });
  }
  __device__ __forceinline__ static PerLane<float> least(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return b < a ? b : a; });
  }
  __device__ __forceinline__ static PerLane<float> most(const PerLane<float>& values) {
    return combined(values, [](float a, float b) { return b > a ? b : a; });
  }

 private:
  template <class Combine>
  __device__ __forceinline__ static PerLane<float> combined(PerLane<float> values,
                                                            const Combine& combine) {
#pragma unroll
    for (unsigned distance = 8; distance > 0; distance /= 2) {
      values.value = combine(values.value, __shfl_xor_sync(kAll, values.value, distance));
    }
    return values;
  }
};

constexpr unsigned kFgacWarpsPerGroup = 4;

__global__ void __launch_bounds__(kFgacWarpsPerGroup* CudaWarp::kLanes)
    encode_fgac(const __grid_constant__ EncodeFgac work, uint32_t blocks) {
  __shared__ float floats[kFgacWarpsPerGroup][kFgacSharedFloats];
  const uint32_t own = threadIdx.x / CudaWarp::kLanes;
  FgacWarp warp;
  warp.shared = floats[own];
  const uint32_t block = blockIdx.x * kFgacWarpsPerGroup + own;
  if (block < blocks) {
    work(block, warp);
  }
}

}  // namespace

Status CudaFgac::encode(const Picture& picture, const FgacSettings& settings, void* out,
                        cudaStream_t stream) {
  if (tables_.bytes() == 0) {
    CudaDeviceBuffer filled;
    TESSERA_RETURN_IF_ERROR(fill_with_tables(&fgac_tables(), sizeof(FgacTables), filled));
    tables_ = std::move(filled);
  }
  const uint32_t blocks = picture.across * ((picture.height + 3) / 4);
  encode_fgac<<<(blocks + kFgacWarpsPerGroup - 1) / kFgacWarpsPerGroup,
                kFgacWarpsPerGroup * CudaWarp::kLanes, 0, stream>>>(
      EncodeFgac{picture, tables_.as<const FgacTables>(), settings, static_cast<Block128*>(out)},
      blocks);
  return cuda_status(cudaGetLastError(), "cannot start a kernel");
}

}  // namespace tessera::astc
