// The fitting kernels that a file compiles, or knows to be compiled elsewhere.
//   TESSERA_FIT_KERNELS(keyword)          all shapes
//   TESSERA_FIT_KERNELS_OF_n(keyword)     those of n stored channels
// The keyword is `template` or `extern template`.
#pragma once

#include "exec/cuda/cuda_machine.cuh"

#define TESSERA_FIT_KERNEL(keyword, slots, dual, parts)                                \
  keyword cudaError_t                                                                  \
  launch_items<astc::TESSERA_TARGET::FitJobsOfShape<astc::TESSERA_TARGET::DeviceShape< \
      astc::TESSERA_TARGET::FitShape<astc::PictureTexels, slots, dual, parts>>>>(      \
      const astc::TESSERA_TARGET::FitJobsOfShape<astc::TESSERA_TARGET::DeviceShape<    \
          astc::TESSERA_TARGET::FitShape<astc::PictureTexels, slots, dual, parts>>>&,  \
      uint32_t, cudaStream_t)

#define TESSERA_FIT_KERNELS_OF_1(keyword)   \
  TESSERA_FIT_KERNEL(keyword, 1, false, 1); \
  TESSERA_FIT_KERNEL(keyword, 1, false, 4)
#define TESSERA_FIT_KERNELS_OF_2(keyword)   \
  TESSERA_FIT_KERNEL(keyword, 2, false, 1); \
  TESSERA_FIT_KERNEL(keyword, 2, true, 1);  \
  TESSERA_FIT_KERNEL(keyword, 2, false, 4); \
  TESSERA_FIT_KERNEL(keyword, 2, true, 4)
#define TESSERA_FIT_KERNELS_OF_3(keyword)   \
  TESSERA_FIT_KERNEL(keyword, 3, false, 1); \
  TESSERA_FIT_KERNEL(keyword, 3, true, 1);  \
  TESSERA_FIT_KERNEL(keyword, 3, false, 2); \
  TESSERA_FIT_KERNEL(keyword, 3, false, 4)
#define TESSERA_FIT_KERNELS_OF_4(keyword)   \
  TESSERA_FIT_KERNEL(keyword, 4, false, 1); \
  TESSERA_FIT_KERNEL(keyword, 4, true, 1);  \
  TESSERA_FIT_KERNEL(keyword, 4, false, 2); \
  TESSERA_FIT_KERNEL(keyword, 4, true, 2);  \
  TESSERA_FIT_KERNEL(keyword, 4, false, 4)
#define TESSERA_FIT_KERNELS(keyword) \
  TESSERA_FIT_KERNELS_OF_1(keyword); \
  TESSERA_FIT_KERNELS_OF_2(keyword); \
  TESSERA_FIT_KERNELS_OF_3(keyword); \
  TESSERA_FIT_KERNELS_OF_4(keyword)
