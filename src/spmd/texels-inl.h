// "One lane = one texel": for decoders, where neighbouring blocks have too little in common to
// share a vector.
//
// - TexelU16, TexelI16: one 16-bit number per texel, of up to 32 texels at once;
// - WordIndex: one entry per texel of tables that hold eight 16-bit words;
// - Bytes16, Words8: 16 bytes or eight 16-bit words, on every target.
//
// There are two implementations with the same names and the same results.
//
// Include this file inside a file that is compiled once per target (spmd/for_each_target.h).
#if defined(TESSERA_SPMD_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_TEXELS_INL_H_
#undef TESSERA_SPMD_TEXELS_INL_H_
#else
#define TESSERA_SPMD_TEXELS_INL_H_
#endif

#include "spmd/target-inl.h"
#ifdef TESSERA_SCALAR_LANES
#include "spmd/scalar_texels-inl.h"
#else
#include "spmd/highway_texels-inl.h"
#endif

#endif  // TESSERA_SPMD_TEXELS_INL_H_
