// Which targets kernels are compiled for. A target is a set of instructions; on x86-64 there are up
// to four of them and the processor is asked at run time, elsewhere there is the baseline only.
//
//   TESSERA_SCALAR_LANES  defined: plain code with one lane and nothing else (scalar_lanes-inl.h)
//   TESSERA_ONE_TARGET    defined: the baseline and nothing else
//   TESSERA_WANT_AVX3_DL  defined: also the one that has an instruction for sums of products of
//                         16-bit pairs
#pragma once

#ifdef TESSERA_SCALAR_LANES

#define TESSERA_HAS_AVX2 0
#define TESSERA_HAS_AVX3 0
#define TESSERA_HAS_AVX3_DL 0

#else

#include "hwy/detect_targets.h"

// The baseline (HWY_STATIC_TARGET) is what the compiler's own options allow; lower bits are better.
#if HWY_ARCH_X86 && !defined(TESSERA_ONE_TARGET)
#define TESSERA_HAS_TARGET(bit) (HWY_STATIC_TARGET > (bit) && HWY_ENABLED(bit) != 0)
#else
#define TESSERA_HAS_TARGET(bit) 0
#endif

#define TESSERA_HAS_AVX2 TESSERA_HAS_TARGET(HWY_AVX2)
#define TESSERA_HAS_AVX3 TESSERA_HAS_TARGET(HWY_AVX3)
#ifdef TESSERA_WANT_AVX3_DL
#define TESSERA_HAS_AVX3_DL TESSERA_HAS_TARGET(HWY_AVX3_DL)
#else
#define TESSERA_HAS_AVX3_DL 0
#endif

#endif  // TESSERA_SCALAR_LANES
