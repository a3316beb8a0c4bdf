// Sums of products of 16-bit pairs: the inner step of integer matrix products. Exact as long as the
// sum fits 32 bits.
#if defined(TESSERA_SPMD_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_DOT_INL_H_
#undef TESSERA_SPMD_DOT_INL_H_
#else
#define TESSERA_SPMD_DOT_INL_H_
#endif

#include "hwy/highway.h"
#include "spmd/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::HWY_NAMESPACE {

// sum + a.low·b.low + a.high·b.high in each lane.
HWY_INLINE I32 accumulate_pairs(I32 sum, I16x2 a, I16x2 b) {
#if HWY_TARGET == HWY_AVX3_DL
  // Highway 1.0.3 neither uses the instruction that does it all nor tells the compiler that this
  // target has it.
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum.raw.raw) : "v"(a.raw.raw), "v"(b.raw.raw));
  return sum;
#else
  return sum + multiply_and_add_halves(a, b);
#endif
}

HWY_INLINE I16x2 load_i16x2(const int16_t* values) {
  return {hn::LoadU(TagI16(), values)};
}

// The same pair of 16-bit values in every lane.
HWY_INLINE I16x2 broadcast_pair(const int32_t* pair) {
  return as_i16x2(all_lanes(*pair));
}

// The lower 16 bits of lanes that fit 16 bits with sign, one after the other.
HWY_INLINE void store_low_halves(I32 v, int16_t* out) {
  const hn::Rebind<int16_t, TagI32> half;
  hn::StoreU(hn::DemoteTo(half, v.raw), half, out);
}

HWY_INLINE I32 absolute(I32 v) {
  return {hn::Abs(v.raw)};
}

}  // namespace tessera::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_SPMD_DOT_INL_H_
