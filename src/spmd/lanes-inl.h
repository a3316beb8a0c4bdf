// "One lane = one block": vectors in which every lane of 32 bits belongs to another block. A kernel
// written with these types does in each lane what plain code would do for one block; how many lanes
// there are is the target's business. No operation mixes lanes, so a block's result does not depend
// on the vector's width.
//
// There are four ways to read the 32 bits of a lane:
//
// - I32: one signed integer;
// - F32: one float. Sums, products, quotients and roots are rounded as IEEE 754 demands, and no two
//   operations are fused into one;
// - I16x2: two signed 16-bit integers, the low half first;
// - U8x4: four bytes, such as an RGBA texel with red in the lowest byte.
//
// There are two implementations with the same names and the same results.
//
// Include this file inside a file that is compiled once per target (spmd/for_each_target.h).
#if defined(TESSERA_SPMD_LANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_LANES_INL_H_
#undef TESSERA_SPMD_LANES_INL_H_
#else
#define TESSERA_SPMD_LANES_INL_H_
#endif

#include <cstdint>

#include "spmd/target-inl.h"
#ifdef TESSERA_SCALAR_LANES
#include "spmd/scalar_lanes-inl.h"
#else
#include "spmd/highway_lanes-inl.h"
#endif

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

// 1 / v to about five digits, for positive v, by a guess and two Newton steps: a third of the time
// of a division, and unlike the processors' own approximations the same number everywhere.
TESSERA_INLINE F32 quick_reciprocal(F32 v) {
  const F32 two = all_lanes_f32(2);
  F32 guess = float_of_bits(all_lanes(0x7EF311C3) - float_bits(v));
  guess = guess * (two - v * guess);
  return guess * (two - v * guess);
}

// To the left by one count, 0 to 31, which many values share.
class LeftShift {
 public:
#if !defined(TESSERA_SCALAR_LANES) && HWY_TARGET == HWY_WASM
  // Browsers look at the count of each shift anew, in four instructions; a product is one or two.
  TESSERA_INLINE explicit LeftShift(unsigned bits) : factor_(all_lanes(1 << bits)) {}
  TESSERA_INLINE I32 operator()(I32 v) const {
    return v * factor_;
  }

 private:
  I32 factor_;
#else
  TESSERA_INLINE explicit LeftShift(unsigned bits) : bits_(static_cast<int>(bits)) {}
  TESSERA_INLINE I32 operator()(I32 v) const {
    return shift_left(v, bits_);
  }

 private:
  int bits_;
#endif
};

// a·b for values of 0…32767: cheaper than a full 32-bit product.
TESSERA_INLINE I32 multiply_low_halves(I32 a, I32 b) {
  return multiply_and_add_halves(as_i16x2(a), as_i16x2(b));
}

// The same pair of 16-bit values in every lane.
TESSERA_INLINE I16x2 broadcast_pair(const int32_t* pair) {
  return as_i16x2(all_lanes(*pair));
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_SPMD_LANES_INL_H_
