// The words that kernels are written with, for the target that is being compiled. All that a kernel
// file needs to know of compilers and instruction sets is here and in for_each_target.h:
//
//   TESSERA_TARGET            the namespace of the target, to be used as the innermost one
//   TESSERA_TARGET_BEGIN();   before that namespace: code that follows may use the target's
//   TESSERA_TARGET_END();     instructions; after it
//   TESSERA_INLINE            a function that must become part of its caller
//   TESSERA_NOINLINE          a function that must not
//   TESSERA_LAMBDA            after a lambda's parameters, for it may use the instructions as well
//   TESSERA_RESTRICT          a pointer to what no other pointer reaches
//   TESSERA_ALIGN             an array that whole vectors are loaded from and stored to
//   TESSERA_LIKELY(condition) a condition that nearly always holds
//   TESSERA_UNROLL            before a loop whose indices must be known early: on devices, arrays
//                             with other indices do not stay in registers
#if defined(TESSERA_SPMD_TARGET_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_TARGET_INL_H_
#undef TESSERA_SPMD_TARGET_INL_H_
#else
#define TESSERA_SPMD_TARGET_INL_H_
#endif

#include "spmd/target_list.h"

#ifndef TESSERA_INLINE
#ifdef __CUDACC__
#define TESSERA_INLINE __device__ __forceinline__
// Arrays stay in registers where no call needs their address, at the price of a long compilation.
#ifdef TESSERA_KERNEL_INLINES
#define TESSERA_NOINLINE __device__ __forceinline__
#define TESSERA_UNROLL _Pragma("unroll")
// But a kernel that does not fit into the cache of instructions waits for them most of the time:
// what is long, and wanted in many places, is called, and loops around it stay loops.
#define TESSERA_CALLED inline __device__ __noinline__
#define TESSERA_LOOP _Pragma("unroll 1")
#define TESSERA_LOOP_IF(condition) TESSERA_PRAGMA(unroll((condition) ? 1 : 4))
#define TESSERA_PRAGMA(text) _Pragma(#text)
#else
#define TESSERA_UNROLL
#define TESSERA_LOOP
#define TESSERA_LOOP_IF(condition)
#define TESSERA_NOINLINE inline __device__ __noinline__
#define TESSERA_CALLED TESSERA_INLINE
#endif
#else
#define TESSERA_UNROLL
#define TESSERA_LOOP
#define TESSERA_LOOP_IF(condition)
// Inlining by force without optimisation makes code that compilers choke on, and the compiler's own
// choice makes code a quarter smaller, and halves the time to compile it where speed does not
// matter (TESSERA_PLAIN_INLINE).
#if defined(__OPTIMIZE__) && !defined(TESSERA_PLAIN_INLINE) && \
    (!defined(TESSERA_SMALL_CODE) || defined(TESSERA_HOT_CODE))
#define TESSERA_INLINE inline __attribute__((always_inline))
#else
#define TESSERA_INLINE inline
#endif
#define TESSERA_NOINLINE inline __attribute__((noinline))
#define TESSERA_CALLED TESSERA_INLINE
#endif  // __CUDACC__
// Where code is to be small, what is SHARED is long and has many callers, so that there is one copy
// of it; what is RARE is wanted by few blocks, and made as small as can be.
#ifdef TESSERA_SMALL_CODE
#define TESSERA_SHARED TESSERA_NOINLINE
#define TESSERA_RARE TESSERA_NOINLINE __attribute__((minsize))
#else
#define TESSERA_SHARED TESSERA_INLINE
#define TESSERA_RARE TESSERA_NOINLINE
#endif
#define TESSERA_RESTRICT __restrict__
#define TESSERA_LIKELY(condition) __builtin_expect(!!(condition), 1)
#endif  // TESSERA_INLINE

#undef TESSERA_TARGET
#undef TESSERA_TARGET_BEGIN
#undef TESSERA_TARGET_END
#undef TESSERA_LAMBDA
#undef TESSERA_ALIGN

#ifdef TESSERA_SCALAR_LANES

// Plain lanes may be compiled in several ways, too, each with a name.
#ifdef TESSERA_SCALAR_NAME
#define TESSERA_TARGET TESSERA_SCALAR_NAME
#else
#define TESSERA_TARGET N_SCALAR
#endif
#define TESSERA_TARGET_BEGIN() static_assert(true, "a semicolon follows")
#define TESSERA_TARGET_END() static_assert(true, "a semicolon follows")
#ifdef __CUDACC__
#define TESSERA_LAMBDA __device__
#else
#define TESSERA_LAMBDA
#endif
#define TESSERA_ALIGN alignas(16)

#else

#include "hwy/highway.h"

#define TESSERA_TARGET HWY_NAMESPACE
#define TESSERA_TARGET_BEGIN() HWY_BEFORE_NAMESPACE()
#define TESSERA_TARGET_END() HWY_AFTER_NAMESPACE()
#define TESSERA_LAMBDA HWY_ATTR
#define TESSERA_ALIGN HWY_ALIGN

#endif  // TESSERA_SCALAR_LANES

#endif  // TESSERA_SPMD_TARGET_INL_H_
