// A BC1 block in plain C (bc/device/*.cl) as device code. A file that includes this one says first
// with BC1_INLINE whether functions become part of their callers.
#pragma once

#include <cstdint>

namespace tessera::bc1::device {

// What OpenCL C has and CUDA does not.
using uint = uint32_t;
using ulong = uint64_t;
#define BC1_TABLE const int* __restrict__
#define BC1_SCRATCH float*
__device__ __forceinline__ float as_float(int bits) {
  return __int_as_float(bits);
}
__device__ __forceinline__ int as_int(float value) {
  return __float_as_int(value);
}
__device__ __forceinline__ int popcount(uint value) {
  return __popc(value);
}
__device__ __forceinline__ int popcount(ulong value) {
  return __popcll(value);
}

// Each needs the one before; the blank lines keep them in order.
#include "bc/device/bc1_block.cl"

#include "bc/device/bc1_methods.cl"

#include "bc/device/bc1_encode_block.cl"

}  // namespace tessera::bc1::device
