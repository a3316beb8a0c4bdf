// Which targets kernels are compiled for. A target is a set of instructions; on x86-64 there are up
// to four of them and the processor is asked at run time, elsewhere there is the baseline only.
//
//   TESSERA_SCALAR_LANES  defined: plain code with one lane and nothing else (scalar_lanes-inl.h);
//                         also where Highway knows no vectors of the processor
//   TESSERA_ONE_TARGET    defined: the baseline and nothing else
//   TESSERA_WANT_AVX3_DL  defined: also the one that has an instruction for sums of products of
//                         16-bit pairs
#pragma once

#ifndef TESSERA_SCALAR_LANES
#include "hwy/detect_targets.h"
// The baseline (HWY_STATIC_TARGET) is what the compiler's own options allow. Highway's own
// emulations serve processors without vectors; the slow one has lanes that cannot be read as bytes,
// and the other takes as long to compile as all vectors together.
#if HWY_STATIC_TARGET == HWY_SCALAR || HWY_STATIC_TARGET == HWY_EMU128
#define TESSERA_SCALAR_LANES
#endif
#endif

// Lower bits are better targets.
#if !defined(TESSERA_SCALAR_LANES) && !defined(TESSERA_ONE_TARGET) && HWY_ARCH_X86
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
