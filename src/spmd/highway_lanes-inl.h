// Lanes as Highway's vectors: see lanes-inl.h.
#if defined(TESSERA_SPMD_HIGHWAY_LANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_HIGHWAY_LANES_INL_H_
#undef TESSERA_SPMD_HIGHWAY_LANES_INL_H_
#else
#define TESSERA_SPMD_HIGHWAY_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "spmd/target-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

namespace hn = hwy::HWY_NAMESPACE;

using TagI32 = hn::ScalableTag<int32_t>;
using TagU32 = hn::Repartition<uint32_t, TagI32>;
using TagF32 = hn::Repartition<float, TagI32>;
using TagI16 = hn::Repartition<int16_t, TagI32>;
using TagU16 = hn::Repartition<uint16_t, TagI32>;
using TagU8 = hn::Repartition<uint8_t, TagI32>;

// Blocks handled at once, and the most that it can be.
inline constexpr size_t kMaxLaneCount = hn::MaxLanes(TagI32());
TESSERA_INLINE size_t lane_count() {
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

TESSERA_INLINE I32 all_lanes(int32_t value) {
  return {hn::Set(TagI32(), value)};
}
TESSERA_INLINE I16x2 all_lanes_i16x2(int16_t value) {
  return {hn::Set(TagI16(), value)};
}

// The same bits, read otherwise.
TESSERA_INLINE I32 as_i32(I16x2 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
TESSERA_INLINE I32 as_i32(U8x4 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
TESSERA_INLINE I16x2 as_i16x2(I32 v) {
  return {hn::BitCast(TagI16(), v.raw)};
}
TESSERA_INLINE I16x2 as_i16x2(U8x4 v) {
  return {hn::BitCast(TagI16(), v.raw)};
}
TESSERA_INLINE U8x4 as_u8x4(I32 v) {
  return {hn::BitCast(TagU8(), v.raw)};
}
TESSERA_INLINE U8x4 as_u8x4(I16x2 v) {
  return {hn::BitCast(TagU8(), v.raw)};
}

// --- I32 ---
TESSERA_INLINE I32 operator+(I32 a, I32 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE I32 operator-(I32 a, I32 b) {
  return {hn::Sub(a.raw, b.raw)};
}
TESSERA_INLINE I32 operator*(I32 a, I32 b) {
  return {hn::Mul(a.raw, b.raw)};
}
TESSERA_INLINE I32 operator&(I32 a, I32 b) {
  return {hn::And(a.raw, b.raw)};
}
TESSERA_INLINE I32 operator|(I32 a, I32 b) {
  return {hn::Or(a.raw, b.raw)};
}
TESSERA_INLINE I32 operator^(I32 a, I32 b) {
  return {hn::Xor(a.raw, b.raw)};
}
template <int kBits>
TESSERA_INLINE I32 shift_left(I32 a) {
  return {hn::ShiftLeft<kBits>(a.raw)};
}
// Zeros come in at the top.
template <int kBits>
TESSERA_INLINE I32 shift_right_logical(I32 a) {
  return {hn::BitCast(TagI32(), hn::ShiftRight<kBits>(hn::BitCast(TagU32(), a.raw)))};
}
// The same with a count, 0 to 31, that is known at run time only. What copies a count to all lanes
// must not be moved out of a loop: LLVM 15 does not see any more then that all lanes shift by the
// same, and takes vectors of WebAssembly apart.
TESSERA_INLINE int keep_count_here(int bits) {
#if HWY_TARGET == HWY_WASM
  __asm__ volatile("" : "+r"(bits));
#endif
  return bits;
}
TESSERA_INLINE I32 shift_left(I32 a, int bits) {
  return {hn::ShiftLeftSame(a.raw, keep_count_here(bits))};
}
TESSERA_INLINE I32 shift_right_logical(I32 a, int bits) {
  return {hn::BitCast(TagI32(),
                      hn::ShiftRightSame(hn::BitCast(TagU32(), a.raw), keep_count_here(bits)))};
}
TESSERA_INLINE LaneMask operator>(I32 a, I32 b) {
  return {hn::Gt(a.raw, b.raw)};
}
TESSERA_INLINE LaneMask operator<(I32 a, I32 b) {
  return {hn::Lt(a.raw, b.raw)};
}
TESSERA_INLINE LaneMask operator==(I32 a, I32 b) {
  return {hn::Eq(a.raw, b.raw)};
}
TESSERA_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
  return {hn::And(a.raw, b.raw)};
}
// condition ? yes : no
TESSERA_INLINE I32 select(LaneMask condition, I32 yes, I32 no) {
  return {hn::IfThenElse(condition.raw, yes.raw, no.raw)};
}
TESSERA_INLINE I32 zero_unless(LaneMask condition, I32 yes) {
  return {hn::IfThenElseZero(condition.raw, yes.raw)};
}
// All ones where true.
TESSERA_INLINE I32 as_bits(LaneMask mask) {
  return {hn::VecFromMask(TagI32(), mask.raw)};
}

TESSERA_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
  return {hn::Or(a.raw, b.raw)};
}
TESSERA_INLINE LaneMask operator!(LaneMask a) {
  return {hn::Not(a.raw)};
}
// All lanes, or none.
TESSERA_INLINE LaneMask every_lane(bool is_in) {
  const TagI32 d;
  return {hn::Eq(hn::Set(d, is_in ? 1 : 0), hn::Set(d, 1))};
}
TESSERA_INLINE bool any_lane(LaneMask mask) {
#if HWY_TARGET == HWY_WASM
  // Highway 1.0.3 takes the vector apart, for which there is an instruction.
  return wasm_v128_any_true(mask.raw.raw);
#else
  return !hn::AllFalse(TagI32(), mask.raw);
#endif
}
// Each lane by its own count, 0 to 31; zeros come in at the top.
TESSERA_INLINE I32 shift_right_logical(I32 a, I32 count) {
  return {hn::BitCast(TagI32(),
                      hn::Shr(hn::BitCast(TagU32(), a.raw), hn::BitCast(TagU32(), count.raw)))};
}
// Each lane by its own count, 0 to 31.
TESSERA_INLINE I32 shift_left(I32 a, I32 count) {
  return {hn::Shl(a.raw, count.raw)};
}
// Copies of the sign come in at the top.
template <int kBits>
TESSERA_INLINE I32 shift_right_arithmetic(I32 a) {
  return {hn::ShiftRight<kBits>(a.raw)};
}
TESSERA_INLINE I32 min(I32 a, I32 b) {
  return {hn::Min(a.raw, b.raw)};
}
TESSERA_INLINE I32 max(I32 a, I32 b) {
  return {hn::Max(a.raw, b.raw)};
}
TESSERA_INLINE I32 absolute(I32 v) {
  return {hn::Abs(v.raw)};
}
// lane_count() values from any address.
TESSERA_INLINE I32 load_i32(const int32_t* values) {
  return {hn::LoadU(TagI32(), values)};
}
TESSERA_INLINE void store(I32 v, int32_t* values) {
  hn::StoreU(v.raw, TagI32(), values);
}
// table[index] of each lane.
#if HWY_TARGET == HWY_WASM
// Highway 1.0.3 gathers through memory.
TESSERA_INLINE v128_t gather_words(const void* table, I32 index) {
  const auto* const words = static_cast<const uint32_t*>(table);
  const v128_t i = index.raw.raw;
  v128_t result = wasm_v128_load32_zero(words + wasm_i32x4_extract_lane(i, 0));
  result = wasm_v128_load32_lane(words + wasm_i32x4_extract_lane(i, 1), result, 1);
  result = wasm_v128_load32_lane(words + wasm_i32x4_extract_lane(i, 2), result, 2);
  return wasm_v128_load32_lane(words + wasm_i32x4_extract_lane(i, 3), result, 3);
}
TESSERA_INLINE I32 gather(const int32_t* table, I32 index) {
  return {hn::Vec<TagI32>{gather_words(table, index)}};
}
#else
TESSERA_INLINE I32 gather(const int32_t* table, I32 index) {
  return {hn::GatherIndex(TagI32(), table, index.raw)};
}
#endif
// Number of bits that are set.
TESSERA_INLINE I32 count_bits(I32 v) {
  return {hn::BitCast(TagI32(), hn::PopulationCount(hn::BitCast(TagU32(), v.raw)))};
}
// table[index] of each byte, for indices of 0 to 15. Highway 1.0.3 does it byte by byte for
// WebAssembly, whose instruction was new then.
template <class Bytes>
TESSERA_INLINE Bytes look_up(Bytes table, Bytes index) {
#if HWY_ARCH_WASM
  return Bytes{wasm_i8x16_swizzle(table.raw, index.raw)};
#else
  return hn::TableLookupBytes(table, index);
#endif
}

// table[index] of each lane, for indices of 0 to 15; table[0] must be 0.
TESSERA_INLINE I32 look_up(const uint8_t table[16], I32 index) {
  const TagU8 d;
  return {hn::BitCast(TagI32(), look_up(hn::LoadDup128(d, table), hn::BitCast(d, index.raw)))};
}
// Bit 31 becomes bit 0.
TESSERA_INLINE I32 reverse_bits(I32 v) {
  const TagU8 d;
  // What four bits are in reverse, as the upper and as the lower half of a byte.
  alignas(16) static constexpr uint8_t kHalves[2][16] = {
      {0x00, 0x80, 0x40, 0xC0, 0x20, 0xA0, 0x60, 0xE0, 0x10, 0x90, 0x50, 0xD0, 0x30, 0xB0, 0x70,
       0xF0},
      {0x0, 0x8, 0x4, 0xC, 0x2, 0xA, 0x6, 0xE, 0x1, 0x9, 0x5, 0xD, 0x3, 0xB, 0x7, 0xF}};
  alignas(16) static constexpr uint8_t kFromLast[16] = {3,  2,  1, 0, 7,  6,  5,  4,
                                                        11, 10, 9, 8, 15, 14, 13, 12};
  const auto half = hn::Set(d, uint8_t{15});
  const auto bytes = look_up(hn::BitCast(d, v.raw), hn::LoadDup128(d, kFromLast));
  const auto low = hn::And(bytes, half);
  const auto high = hn::And(hn::BitCast(d, hn::ShiftRight<4>(hn::BitCast(TagU32(), bytes))), half);
  return {hn::BitCast(TagI32(), hn::Or(look_up(hn::LoadDup128(d, kHalves[0]), low),
                                       look_up(hn::LoadDup128(d, kHalves[1]), high)))};
}
TESSERA_INLINE int32_t first_lane(I32 v) {
  return hn::GetLane(v.raw);
}
// Lane i holds i.
TESSERA_INLINE I32 lane_numbers() {
  return {hn::Iota(TagI32(), 0)};
}

// --- F32 ---
TESSERA_INLINE F32 all_lanes_f32(float value) {
  return {hn::Set(TagF32(), value)};
}
TESSERA_INLINE F32 operator+(F32 a, F32 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE F32 operator-(F32 a, F32 b) {
  return {hn::Sub(a.raw, b.raw)};
}
TESSERA_INLINE F32 operator*(F32 a, F32 b) {
  return {hn::Mul(a.raw, b.raw)};
}
TESSERA_INLINE F32 operator/(F32 a, F32 b) {
  return {hn::Div(a.raw, b.raw)};
}
TESSERA_INLINE F32 square_root(F32 a) {
  return {hn::Sqrt(a.raw)};
}
// Not for NaN: targets differ there.
TESSERA_INLINE F32 min(F32 a, F32 b) {
  return {hn::Min(a.raw, b.raw)};
}
TESSERA_INLINE F32 max(F32 a, F32 b) {
  return {hn::Max(a.raw, b.raw)};
}
TESSERA_INLINE LaneMask operator>(F32 a, F32 b) {
  return {hn::RebindMask(TagI32(), hn::Gt(a.raw, b.raw))};
}
TESSERA_INLINE LaneMask operator<(F32 a, F32 b) {
  return {hn::RebindMask(TagI32(), hn::Lt(a.raw, b.raw))};
}
TESSERA_INLINE F32 select(LaneMask condition, F32 yes, F32 no) {
  return {hn::IfThenElse(hn::RebindMask(TagF32(), condition.raw), yes.raw, no.raw)};
}
TESSERA_INLINE F32 zero_unless(LaneMask condition, F32 yes) {
  return {hn::IfThenElseZero(hn::RebindMask(TagF32(), condition.raw), yes.raw)};
}
TESSERA_INLINE F32 to_f32(I32 v) {
  return {hn::ConvertTo(TagF32(), v.raw)};
}
// Towards zero. What stays a number is one instruction, and a conversion to integers and back would
// be two, in WebAssembly six.
TESSERA_INLINE F32 truncate(F32 v) {
  return {hn::Trunc(v.raw)};
}
// Towards zero; the value must be less than 2^22 away from it. Highway's conversion takes three
// more instructions on x86, and WebAssembly's four more, to treat what does not fit.
TESSERA_INLINE I32 truncate_to_i32(F32 v) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return {hn::Vec<TagI32>{_mm512_cvttps_epi32(v.raw.raw)}};
#elif HWY_TARGET == HWY_AVX2
  return {hn::Vec<TagI32>{_mm256_cvttps_epi32(v.raw.raw)}};
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return {hn::Vec<TagI32>{_mm_cvttps_epi32(v.raw.raw)}};
#elif HWY_TARGET == HWY_WASM
  // Sums with this are whole numbers in the lowest bits of a float.
  constexpr float kWhole = 12582912.0F;  // 1.5 · 2^23
  const TagI32 d;
  const auto sum = hn::Add(hn::Trunc(v.raw), hn::Set(TagF32(), kWhole));
  return {hn::Sub(hn::BitCast(d, sum), hn::BitCast(d, hn::Set(TagF32(), kWhole)))};
#else
  return {hn::ConvertTo(TagI32(), v.raw)};
#endif
}
// The bits of a float, and back.
TESSERA_INLINE I32 float_bits(F32 v) {
  return {hn::BitCast(TagI32(), v.raw)};
}
TESSERA_INLINE F32 float_of_bits(I32 v) {
  return {hn::BitCast(TagF32(), v.raw)};
}
TESSERA_INLINE F32 absolute(F32 v) {
  return {hn::Abs(v.raw)};
}
TESSERA_INLINE F32 load_f32(const float* values) {
  return {hn::LoadU(TagF32(), values)};
}
TESSERA_INLINE void store(F32 v, float* values) {
  hn::StoreU(v.raw, TagF32(), values);
}
TESSERA_INLINE F32 gather(const float* table, I32 index) {
#if HWY_TARGET == HWY_WASM
  return {hn::Vec<TagF32>{gather_words(table, index)}};
#else
  return {hn::GatherIndex(TagF32(), table, index.raw)};
#endif
}
TESSERA_INLINE float first_lane(F32 v) {
  return hn::GetLane(v.raw);
}

// --- I16x2 ---
TESSERA_INLINE I16x2 operator+(I16x2 a, I16x2 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE I16x2 operator-(I16x2 a, I16x2 b) {
  return {hn::Sub(a.raw, b.raw)};
}
TESSERA_INLINE I16x2 operator*(I16x2 a, I16x2 b) {
  return {hn::Mul(a.raw, b.raw)};
}
TESSERA_INLINE I16x2 operator&(I16x2 a, I16x2 b) {
  return {hn::And(a.raw, b.raw)};
}
// Zeros come in at the top.
template <int kBits>
TESSERA_INLINE I16x2 shift_right_logical(I16x2 a) {
  return {hn::BitCast(TagI16(), hn::ShiftRight<kBits>(hn::BitCast(TagU16(), a.raw)))};
}
TESSERA_INLINE I16x2 min(I16x2 a, I16x2 b) {
  return {hn::Min(a.raw, b.raw)};
}
TESSERA_INLINE I16x2 max(I16x2 a, I16x2 b) {
  return {hn::Max(a.raw, b.raw)};
}
// Copies of the sign come in at the top.
template <int kBits>
TESSERA_INLINE I16x2 shift_right_arithmetic(I16x2 a) {
  return {hn::ShiftRight<kBits>(a.raw)};
}
// a.low·b.low + a.high·b.high, exact in 32 bits.
TESSERA_INLINE I32 multiply_and_add_halves(I16x2 a, I16x2 b) {
  auto odd_sum = hn::Zero(TagI32());
  const auto even_sum =
      hn::ReorderWidenMulAccumulate(TagI32(), a.raw, b.raw, hn::Zero(TagI32()), odd_sum);
  return {hn::RearrangeToOddPlusEven(even_sum, odd_sum)};
}
// Low half of `low`, high half of `high`.
TESSERA_INLINE I16x2 combine_halves(I16x2 high, I16x2 low) {
  return {hn::OddEven(high.raw, low.raw)};
}
// sum + a.low·b.low + a.high·b.high in each lane.
TESSERA_INLINE I32 accumulate_pairs(I32 sum, I16x2 a, I16x2 b) {
#if HWY_TARGET == HWY_AVX3_DL
  // Highway 1.0.3 neither uses the instruction that does it all nor tells the compiler that this
  // target has it.
  __asm__("vpdpwssd %2, %1, %0" : "+v"(sum.raw.raw) : "v"(a.raw.raw), "v"(b.raw.raw));
  return sum;
#else
  return sum + multiply_and_add_halves(a, b);
#endif
}

TESSERA_INLINE I16x2 load_i16x2(const int16_t* values) {
  return {hn::LoadU(TagI16(), values)};
}

// The lower 16 bits of lanes that fit 16 bits with sign, one after the other.
TESSERA_INLINE void store_low_halves(I32 v, int16_t* out) {
  const hn::Rebind<int16_t, TagI32> half;
  hn::StoreU(hn::DemoteTo(half, v.raw), half, out);
}

// --- U8x4 ---
TESSERA_INLINE U8x4 min(U8x4 a, U8x4 b) {
  return {hn::Min(a.raw, b.raw)};
}
TESSERA_INLINE U8x4 max(U8x4 a, U8x4 b) {
  return {hn::Max(a.raw, b.raw)};
}
TESSERA_INLINE U8x4 operator-(U8x4 a, U8x4 b) {
  return {hn::Sub(a.raw, b.raw)};
}

// Texels 0…3 of a row of lane_count() blocks that lie side by side: `row` points to
// 4·lane_count() RGBA texels, column[x] receives texel x of every block.
TESSERA_INLINE void load_block_row(const uint32_t* TESSERA_RESTRICT row, U8x4 column[4]) {
  hn::Vec<TagU32> v0, v1, v2, v3;
  hn::LoadInterleaved4(TagU32(), row, v0, v1, v2, v3);
  column[0] = {hn::BitCast(TagU8(), v0)};
  column[1] = {hn::BitCast(TagU8(), v1)};
  column[2] = {hn::BitCast(TagU8(), v2)};
  column[3] = {hn::BitCast(TagU8(), v3)};
}

// The vector whose 16 bytes number b are those at address(first + 4·b).
template <class D, class Address>
TESSERA_INLINE hn::Vec<D> load_every_fourth(D d, size_t first, const Address& address) {
  constexpr size_t kLanes = hn::MaxLanes(D());
  if constexpr (kLanes == 4) {
    return hn::LoadU(d, address(first));
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_every_fourth(half, first + kLanes / 2, address),
                       load_every_fourth(half, first, address));
  }
}

// Texels 0…3 of a row of any lane_count() blocks: those of lane i begin at row + index[i] · stride.
// Half the time of gathering each texel.
TESSERA_SHARED void load_row_of_blocks(const uint32_t* row, const int32_t* index, size_t stride,
                                       U8x4 column[4]) {
  const auto address = [&](size_t lane) { return row + static_cast<size_t>(index[lane]) * stride; };
  const TagU32 d;
  const auto v0 = load_every_fourth(d, 0, address), v1 = load_every_fourth(d, 1, address),
             v2 = load_every_fourth(d, 2, address), v3 = load_every_fourth(d, 3, address);
  // A transposition of four by four within each 16 bytes.
  const hn::Repartition<uint64_t, TagU32> pairs;
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, v0, v1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, v2, v3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, v0, v1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, v2, v3));
  column[0] = {hn::BitCast(TagU8(), hn::InterleaveLower(pairs, low01, low23))};
  column[1] = {hn::BitCast(TagU8(), hn::InterleaveUpper(pairs, low01, low23))};
  column[2] = {hn::BitCast(TagU8(), hn::InterleaveLower(pairs, high01, high23))};
  column[3] = {hn::BitCast(TagU8(), hn::InterleaveUpper(pairs, high01, high23))};
}

// Writes low[i], high[i] of each lane i one after the other: 8 bytes per block.
TESSERA_INLINE void store_block_words(I32 low, I32 high, uint32_t* TESSERA_RESTRICT out) {
  hn::StoreInterleaved2(hn::BitCast(TagU32(), low.raw), hn::BitCast(TagU32(), high.raw), TagU32(),
                        out);
}

// Writes four words of each lane one after the other: 16 bytes per block.
TESSERA_INLINE void store_block_words(I32 w0, I32 w1, I32 w2, I32 w3,
                                      uint32_t* TESSERA_RESTRICT out) {
  const TagU32 d;
  hn::StoreInterleaved4(hn::BitCast(d, w0.raw), hn::BitCast(d, w1.raw), hn::BitCast(d, w2.raw),
                        hn::BitCast(d, w3.raw), d, out);
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_SPMD_HIGHWAY_LANES_INL_H_
