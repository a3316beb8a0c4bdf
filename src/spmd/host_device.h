// The words of code that both the host's compiler and that of CUDA devices see. On the host such
// code is compiled to be tested, or because it is what the CPU does as well.
//   TESSERA_HOST_DEVICE   a function that both may call
//   TESSERA_DEVICE_CODE   a function of a kernel; it becomes part of its caller
//   TESSERA_UNROLLED      before a loop of a known length whose arrays must stay in registers
#pragma once

#ifdef __CUDACC__
#define TESSERA_HOST_DEVICE __host__ __device__
#define TESSERA_DEVICE_CODE __device__ __forceinline__
#define TESSERA_UNROLLED _Pragma("unroll")
#else
#define TESSERA_HOST_DEVICE
#define TESSERA_DEVICE_CODE inline
#define TESSERA_UNROLLED
#endif
