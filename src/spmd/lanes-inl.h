// "One lane = one block": vectors in which every lane of 32 bits belongs to another block. A kernel
// written with these types does in each lane what plain code would do for one block; how many lanes
// there are is the target's business. No operation mixes lanes, so a block's result does not depend
// on the vector's width.
//
// Four readings of a lane's 32 bits:
//   I32    one signed integer
//   F32    one float; sums, products, quotients and roots are rounded as IEEE asks, nothing is
//   fused I16x2  two signed 16-bit integers (low half first) U8x4   four bytes, such as an RGBA
//   texel (red in the lowest byte)
//
// Include inside a file that is compiled once a target (hwy/foreach_target.h).
#if defined(TESSERA_SPMD_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_LANES_INL_H_
#undef TESSERA_SPMD_LANES_INL_H_
#else
#define TESSERA_SPMD_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using TagI32 = hn::ScalableTag<int32_t>;
using TagU32 = hn::Repartition<uint32_t, TagI32>;
using TagF32 = hn::Repartition<float, TagI32>;
using TagI16 = hn::Repartition<int16_t, TagI32>;
using TagU16 = hn::Repartition<uint16_t, TagI32>;
using TagU8 = hn::Repartition<uint8_t, TagI32>;

// Blocks handled at once, and the most that it can be.
inline constexpr size_t kMaxLaneCount = hn::MaxLanes(TagI32());
HWY_INLINE size_t lane_count() {
  return hn::Lanes(TagI32());
}

// Per-lane truth.
struct LaneMask {
  hn::Mask<TagI32> raw;
};

struct I32 {
  hn::Vec<TagI32> raw;
};

struct F32 {
  hn::Vec<TagF32> raw;
};

struct I16x2 {
  hn::Vec<TagI16> raw;
};

struct U8x4 {
  hn::Vec<TagU8> raw;
};

HWY_INLINE I32 all_lanes(int32_t value) {
  return {hn::Set(TagI32(), value)};
}
HWY_INLINE I16x2 all_lanes_i16x2(int16_t value) {
  return {hn::Set(TagI16(), value)};
}

// The same bits, read otherwise.
HWY_INLINE I32 as_i32(I16x2 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
HWY_INLINE I32 as_i32(U8x4 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
HWY_INLINE I16x2 as_i16x2(I32 v) {
  return {hn::BitCast(TagI16(), v.raw)};
}
HWY_INLINE I16x2 as_i16x2(U8x4 v) {
  return {hn::BitCast(TagI16(), v.raw)};
}
HWY_INLINE U8x4 as_u8x4(I32 v) {
  return {hn::BitCast(TagU8(), v.raw)};
}
HWY_INLINE U8x4 as_u8x4(I16x2 v) {
  return {hn::BitCast(TagU8(), v.raw)};
}

// --- I32 ---
HWY_INLINE I32 operator+(I32 a, I32 b) {
  return {hn::Add(a.raw, b.raw)};
}
HWY_INLINE I32 operator-(I32 a, I32 b) {
  return {hn::Sub(a.raw, b.raw)};
}
HWY_INLINE I32 operator*(I32 a, I32 b) {
  return {hn::Mul(a.raw, b.raw)};
}
HWY_INLINE I32 operator&(I32 a, I32 b) {
  return {hn::And(a.raw, b.raw)};
}
HWY_INLINE I32 operator|(I32 a, I32 b) {
  return {hn::Or(a.raw, b.raw)};
}
HWY_INLINE I32 operator^(I32 a, I32 b) {
  return {hn::Xor(a.raw, b.raw)};
}
template <int kBits>
HWY_INLINE I32 shift_left(I32 a) {
  return {hn::ShiftLeft<kBits>(a.raw)};
}
// Zeros come in at the top.
template <int kBits>
HWY_INLINE I32 shift_right_logical(I32 a) {
  return {hn::BitCast(TagI32(), hn::ShiftRight<kBits>(hn::BitCast(TagU32(), a.raw)))};
}
// The same with a count, 0 to 31, that is known at run time only.
HWY_INLINE I32 shift_left(I32 a, int bits) {
  return {hn::ShiftLeftSame(a.raw, bits)};
}
HWY_INLINE I32 shift_right_logical(I32 a, int bits) {
  return {hn::BitCast(TagI32(), hn::ShiftRightSame(hn::BitCast(TagU32(), a.raw), bits))};
}
HWY_INLINE LaneMask operator>(I32 a, I32 b) {
  return {hn::Gt(a.raw, b.raw)};
}
HWY_INLINE LaneMask operator<(I32 a, I32 b) {
  return {hn::Lt(a.raw, b.raw)};
}
HWY_INLINE LaneMask operator==(I32 a, I32 b) {
  return {hn::Eq(a.raw, b.raw)};
}
HWY_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
  return {hn::And(a.raw, b.raw)};
}
// condition ? yes : no
HWY_INLINE I32 select(LaneMask condition, I32 yes, I32 no) {
  return {hn::IfThenElse(condition.raw, yes.raw, no.raw)};
}
HWY_INLINE I32 zero_unless(LaneMask condition, I32 yes) {
  return {hn::IfThenElseZero(condition.raw, yes.raw)};
}
// All ones where true.
HWY_INLINE I32 as_bits(LaneMask mask) {
  return {hn::VecFromMask(TagI32(), mask.raw)};
}

HWY_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
  return {hn::Or(a.raw, b.raw)};
}
HWY_INLINE LaneMask operator!(LaneMask a) {
  return {hn::Not(a.raw)};
}
// All lanes, or none.
HWY_INLINE LaneMask every_lane(bool is_in) {
  const TagI32 d;
  return {hn::Eq(hn::Set(d, is_in ? 1 : 0), hn::Set(d, 1))};
}
HWY_INLINE bool any_lane(LaneMask mask) {
  return !hn::AllFalse(TagI32(), mask.raw);
}
// Each lane by its own count, 0 to 31; zeros come in at the top.
HWY_INLINE I32 shift_right_logical(I32 a, I32 count) {
  return {hn::BitCast(TagI32(),
                      hn::Shr(hn::BitCast(TagU32(), a.raw), hn::BitCast(TagU32(), count.raw)))};
}
// Each lane by its own count, 0 to 31.
HWY_INLINE I32 shift_left(I32 a, I32 count) {
  return {hn::Shl(a.raw, count.raw)};
}
// Copies of the sign come in at the top.
template <int kBits>
HWY_INLINE I32 shift_right_arithmetic(I32 a) {
  return {hn::ShiftRight<kBits>(a.raw)};
}
HWY_INLINE I32 min(I32 a, I32 b) {
  return {hn::Min(a.raw, b.raw)};
}
HWY_INLINE I32 max(I32 a, I32 b) {
  return {hn::Max(a.raw, b.raw)};
}
// lane_count() values from any address.
HWY_INLINE I32 load_i32(const int32_t* values) {
  return {hn::LoadU(TagI32(), values)};
}
HWY_INLINE void store(I32 v, int32_t* values) {
  hn::StoreU(v.raw, TagI32(), values);
}
// table[index] of each lane.
HWY_INLINE I32 gather(const int32_t* table, I32 index) {
  return {hn::GatherIndex(TagI32(), table, index.raw)};
}
// Number of bits that are set.
HWY_INLINE I32 count_bits(I32 v) {
  return {hn::BitCast(TagI32(), hn::PopulationCount(hn::BitCast(TagU32(), v.raw)))};
}
// Lane i holds i.
HWY_INLINE I32 lane_numbers() {
  return {hn::Iota(TagI32(), 0)};
}

// --- F32 ---
HWY_INLINE F32 all_lanes_f32(float value) {
  return {hn::Set(TagF32(), value)};
}
HWY_INLINE F32 operator+(F32 a, F32 b) {
  return {hn::Add(a.raw, b.raw)};
}
HWY_INLINE F32 operator-(F32 a, F32 b) {
  return {hn::Sub(a.raw, b.raw)};
}
HWY_INLINE F32 operator*(F32 a, F32 b) {
  return {hn::Mul(a.raw, b.raw)};
}
HWY_INLINE F32 operator/(F32 a, F32 b) {
  return {hn::Div(a.raw, b.raw)};
}
HWY_INLINE F32 square_root(F32 a) {
  return {hn::Sqrt(a.raw)};
}
// Not for NaN: targets differ there.
HWY_INLINE F32 min(F32 a, F32 b) {
  return {hn::Min(a.raw, b.raw)};
}
HWY_INLINE F32 max(F32 a, F32 b) {
  return {hn::Max(a.raw, b.raw)};
}
HWY_INLINE LaneMask operator>(F32 a, F32 b) {
  return {hn::RebindMask(TagI32(), hn::Gt(a.raw, b.raw))};
}
HWY_INLINE LaneMask operator<(F32 a, F32 b) {
  return {hn::RebindMask(TagI32(), hn::Lt(a.raw, b.raw))};
}
HWY_INLINE F32 select(LaneMask condition, F32 yes, F32 no) {
  return {hn::IfThenElse(hn::RebindMask(TagF32(), condition.raw), yes.raw, no.raw)};
}
HWY_INLINE F32 zero_unless(LaneMask condition, F32 yes) {
  return {hn::IfThenElseZero(hn::RebindMask(TagF32(), condition.raw), yes.raw)};
}
HWY_INLINE F32 to_f32(I32 v) {
  return {hn::ConvertTo(TagF32(), v.raw)};
}
// Towards zero; the value must fit 32 bits. Highway's conversion takes three more instructions on
// x86 to treat values that do not.
HWY_INLINE I32 truncate_to_i32(F32 v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return {hn::Vec<TagI32>{_mm512_cvttps_epi32(v.raw.raw)}};
#elif HWY_TARGET == HWY_AVX2
  return {hn::Vec<TagI32>{_mm256_cvttps_epi32(v.raw.raw)}};
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return {hn::Vec<TagI32>{_mm_cvttps_epi32(v.raw.raw)}};
#else
  return {hn::ConvertTo(TagI32(), v.raw)};
#endif
}
// The bits of a float, and back.
HWY_INLINE I32 float_bits(F32 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
HWY_INLINE F32 float_of_bits(I32 v) {
  return {hn::BitCast(TagF32(), v.raw)};
}
HWY_INLINE F32 absolute(F32 v) {
  return {hn::Abs(v.raw)};
}
HWY_INLINE F32 load_f32(const float* values) {
  return {hn::LoadU(TagF32(), values)};
}
HWY_INLINE void store(F32 v, float* values) {
  hn::StoreU(v.raw, TagF32(), values);
}
HWY_INLINE F32 gather(const float* table, I32 index) {
  return {hn::GatherIndex(TagF32(), table, index.raw)};
}

// 1 / v to about five digits, for positive v, by a guess and two Newton steps: a third of the time
// of a division, and unlike the processors' own approximations the same number everywhere.
HWY_INLINE F32 quick_reciprocal(F32 v) {
  const F32 two = all_lanes_f32(2);
  F32 guess = float_of_bits(all_lanes(0x7EF311C3) - float_bits(v));
  guess = guess * (two - v * guess);
  return guess * (two - v * guess);
}

// --- I16x2 ---
HWY_INLINE I16x2 operator+(I16x2 a, I16x2 b) {
  return {hn::Add(a.raw, b.raw)};
}
HWY_INLINE I16x2 operator-(I16x2 a, I16x2 b) {
  return {hn::Sub(a.raw, b.raw)};
}
HWY_INLINE I16x2 operator*(I16x2 a, I16x2 b) {
  return {hn::Mul(a.raw, b.raw)};
}
HWY_INLINE I16x2 operator&(I16x2 a, I16x2 b) {
  return {hn::And(a.raw, b.raw)};
}
// Zeros come in at the top.
template <int kBits>
HWY_INLINE I16x2 shift_right_logical(I16x2 a) {
  return {hn::BitCast(TagI16(), hn::ShiftRight<kBits>(hn::BitCast(TagU16(), a.raw)))};
}
HWY_INLINE I16x2 min(I16x2 a, I16x2 b) {
  return {hn::Min(a.raw, b.raw)};
}
HWY_INLINE I16x2 max(I16x2 a, I16x2 b) {
  return {hn::Max(a.raw, b.raw)};
}
// Copies of the sign come in at the top.
template <int kBits>
HWY_INLINE I16x2 shift_right_arithmetic(I16x2 a) {
  return {hn::ShiftRight<kBits>(a.raw)};
}
// a.low·b.low + a.high·b.high, exact in 32 bits.
HWY_INLINE I32 multiply_and_add_halves(I16x2 a, I16x2 b) {
  auto odd_sum = hn::Zero(TagI32());
  const auto even_sum =
      hn::ReorderWidenMulAccumulate(TagI32(), a.raw, b.raw, hn::Zero(TagI32()), odd_sum);
  return {hn::RearrangeToOddPlusEven(even_sum, odd_sum)};
}
// a·b for values of 0…32767: cheaper than a full 32-bit product.
HWY_INLINE I32 multiply_low_halves(I32 a, I32 b) {
  return multiply_and_add_halves(as_i16x2(a), as_i16x2(b));
}
// Low half of `low`, high half of `high`.
HWY_INLINE I16x2 combine_halves(I16x2 high, I16x2 low) {
  return {hn::OddEven(high.raw, low.raw)};
}

// --- U8x4 ---
HWY_INLINE U8x4 min(U8x4 a, U8x4 b) {
  return {hn::Min(a.raw, b.raw)};
}
HWY_INLINE U8x4 max(U8x4 a, U8x4 b) {
  return {hn::Max(a.raw, b.raw)};
}
HWY_INLINE U8x4 operator-(U8x4 a, U8x4 b) {
  return {hn::Sub(a.raw, b.raw)};
}

// Texels 0…3 of a row of lane_count() blocks that lie side by side: `row` points to
// 4·lane_count() RGBA texels, column[x] receives texel x of every block.
HWY_INLINE void load_block_row(const uint32_t* HWY_RESTRICT row, U8x4 column[4]) {
  hn::Vec<TagU32> v0, v1, v2, v3;
  hn::LoadInterleaved4(TagU32(), row, v0, v1, v2, v3);
  column[0] = {hn::BitCast(TagU8(), v0)};
  column[1] = {hn::BitCast(TagU8(), v1)};
  column[2] = {hn::BitCast(TagU8(), v2)};
  column[3] = {hn::BitCast(TagU8(), v3)};
}

// Writes low[i], high[i] of each lane i one after the other: 8 bytes a block.
HWY_INLINE void store_block_words(I32 low, I32 high, uint32_t* HWY_RESTRICT out) {
  hn::StoreInterleaved2(hn::BitCast(TagU32(), low.raw), hn::BitCast(TagU32(), high.raw), TagU32(),
                        out);
}

// Writes four words of each lane one after the other: 16 bytes a block.
HWY_INLINE void store_block_words(I32 w0, I32 w1, I32 w2, I32 w3, uint32_t* HWY_RESTRICT out) {
  const TagU32 d;
  hn::StoreInterleaved4(hn::BitCast(d, w0.raw), hn::BitCast(d, w1.raw), hn::BitCast(d, w2.raw),
                        hn::BitCast(d, w3.raw), d, out);
}

}  // namespace tessera::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_SPMD_LANES_INL_H_
