// Compiles a file once per target (target_list.h). The file begins with
//
//   #define TESSERA_TARGET_FILE "folder/file.cc"  // itself
//   #include "spmd/for_each_target.h"
//   #include "spmd/lanes-inl.h"                   // and others that end in -inl.h
//
// then come its kernels, in namespace …::TESSERA_TARGET, and last, under #if TESSERA_ONCE, what is
// to be compiled once: TESSERA_EXPORT(kernel) and functions that call TESSERA_DISPATCH(kernel)
// (dispatch.h).
//
// Files that end in -inl.h are to be read once per target. TESSERA_TARGET_TOGGLE, which changes
// from defined to undefined and back with every target, is how their include guards know.
#ifndef TESSERA_SPMD_FOR_EACH_TARGET_H_
#define TESSERA_SPMD_FOR_EACH_TARGET_H_

#include "spmd/dispatch.h"
#include "spmd/target_list.h"

#ifdef HWY_HIGHWAY_INCLUDED
#error "include spmd/for_each_target.h before every file that ends in -inl.h"
#endif

#define TESSERA_ONCE 0

#if TESSERA_HAS_AVX2
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX2
#include TESSERA_TARGET_FILE  // NOLINT(bugprone-suspicious-include): that is the purpose
#include "spmd/toggle_target.h"
#endif

#if TESSERA_HAS_AVX3
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3
#include TESSERA_TARGET_FILE  // NOLINT(bugprone-suspicious-include): that is the purpose
#include "spmd/toggle_target.h"
#endif

#if TESSERA_HAS_AVX3_DL
#undef HWY_TARGET
#define HWY_TARGET HWY_AVX3_DL
#include TESSERA_TARGET_FILE  // NOLINT(bugprone-suspicious-include): that is the purpose
#include "spmd/toggle_target.h"
#endif

// The baseline is what the rest of the file is compiled for.
#ifndef TESSERA_SCALAR_LANES
#undef HWY_TARGET
#define HWY_TARGET HWY_STATIC_TARGET
#endif
#undef TESSERA_ONCE
#define TESSERA_ONCE 1

#endif  // TESSERA_SPMD_FOR_EACH_TARGET_H_
