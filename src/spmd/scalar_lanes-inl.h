// One lane as plain numbers: see lanes-inl.h. For compilers that know no vectors of ours, for
// devices whose threads are lanes themselves, and as a second opinion in tests. Nothing here needs
// Highway, a library or memory of its own.
#if defined(TESSERA_SPMD_SCALAR_LANES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_SCALAR_LANES_INL_H_
#undef TESSERA_SPMD_SCALAR_LANES_INL_H_
#else
#define TESSERA_SPMD_SCALAR_LANES_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "base/bits.h"
#include "spmd/target-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

inline constexpr size_t kMaxLaneCount = 1;
TESSERA_INLINE size_t lane_count() {
  return 1;
}

struct LaneMask {
  bool value;
};

struct I32 {
  int32_t value;
};

struct F32 {
  float value;
};

struct I16x2 {
  int16_t low;
  int16_t high;
};

struct U8x4 {
  uint8_t bytes[4];
};

// Sums and products of integers keep their lowest bits, as those of vectors do.
TESSERA_INLINE uint32_t unsigned_of(I32 v) {
  return static_cast<uint32_t>(v.value);
}
TESSERA_INLINE I32 i32_of(uint32_t bits) {
  return {static_cast<int32_t>(bits)};
}
TESSERA_INLINE I16x2 i16x2_of(int32_t low, int32_t high) {
  return {static_cast<int16_t>(low), static_cast<int16_t>(high)};
}

TESSERA_INLINE I32 all_lanes(int32_t value) {
  return {value};
}
TESSERA_INLINE I16x2 all_lanes_i16x2(int16_t value) {
  return {value, value};
}

TESSERA_INLINE I32 as_i32(I16x2 v) {
  return i32_of(uint32_t{static_cast<uint16_t>(v.low)} | uint32_t{static_cast<uint16_t>(v.high)}
                                                             << 16);
}
TESSERA_INLINE I32 as_i32(U8x4 v) {
  return i32_of(uint32_t{v.bytes[0]} | uint32_t{v.bytes[1]} << 8 | uint32_t{v.bytes[2]} << 16 |
                uint32_t{v.bytes[3]} << 24);
}
TESSERA_INLINE I16x2 as_i16x2(I32 v) {
  return {static_cast<int16_t>(unsigned_of(v) & 0xFFFF),
          static_cast<int16_t>(unsigned_of(v) >> 16)};
}
TESSERA_INLINE I16x2 as_i16x2(U8x4 v) {
  return as_i16x2(as_i32(v));
}
TESSERA_INLINE U8x4 as_u8x4(I32 v) {
  const uint32_t bits = unsigned_of(v);
  return {{static_cast<uint8_t>(bits), static_cast<uint8_t>(bits >> 8),
           static_cast<uint8_t>(bits >> 16), static_cast<uint8_t>(bits >> 24)}};
}
TESSERA_INLINE U8x4 as_u8x4(I16x2 v) {
  return as_u8x4(as_i32(v));
}

// --- I32 ---
TESSERA_INLINE I32 operator+(I32 a, I32 b) {
  return i32_of(unsigned_of(a) + unsigned_of(b));
}
TESSERA_INLINE I32 operator-(I32 a, I32 b) {
  return i32_of(unsigned_of(a) - unsigned_of(b));
}
TESSERA_INLINE I32 operator*(I32 a, I32 b) {
  return i32_of(unsigned_of(a) * unsigned_of(b));
}
TESSERA_INLINE I32 operator&(I32 a, I32 b) {
  return {a.value & b.value};
}
TESSERA_INLINE I32 operator|(I32 a, I32 b) {
  return {a.value | b.value};
}
TESSERA_INLINE I32 operator^(I32 a, I32 b) {
  return {a.value ^ b.value};
}
TESSERA_INLINE I32 shift_left(I32 a, int bits) {
  return i32_of(unsigned_of(a) << bits);
}
TESSERA_INLINE I32 shift_right_logical(I32 a, int bits) {
  return i32_of(unsigned_of(a) >> bits);
}
template <int kBits>
TESSERA_INLINE I32 shift_left(I32 a) {
  return shift_left(a, kBits);
}
template <int kBits>
TESSERA_INLINE I32 shift_right_logical(I32 a) {
  return shift_right_logical(a, kBits);
}
template <int kBits>
TESSERA_INLINE I32 shift_right_arithmetic(I32 a) {
  return {a.value >> kBits};
}
TESSERA_INLINE I32 shift_right_logical(I32 a, I32 count) {
  return shift_right_logical(a, count.value);
}
TESSERA_INLINE I32 shift_left(I32 a, I32 count) {
  return shift_left(a, count.value);
}
TESSERA_INLINE LaneMask operator>(I32 a, I32 b) {
  return {a.value > b.value};
}
TESSERA_INLINE LaneMask operator<(I32 a, I32 b) {
  return {a.value < b.value};
}
TESSERA_INLINE LaneMask operator==(I32 a, I32 b) {
  return {a.value == b.value};
}
TESSERA_INLINE I32 select(LaneMask condition, I32 yes, I32 no) {
  return condition.value ? yes : no;
}
TESSERA_INLINE I32 zero_unless(LaneMask condition, I32 yes) {
  return condition.value ? yes : I32{0};
}
TESSERA_INLINE I32 min(I32 a, I32 b) {
  return a.value < b.value ? a : b;
}
TESSERA_INLINE I32 max(I32 a, I32 b) {
  return a.value > b.value ? a : b;
}
TESSERA_INLINE I32 absolute(I32 v) {
  return v.value < 0 ? I32{0} - v : v;
}
TESSERA_INLINE I32 load_i32(const int32_t* values) {
  return {*values};
}
TESSERA_INLINE void store(I32 v, int32_t* values) {
  *values = v.value;
}
TESSERA_INLINE I32 gather(const int32_t* table, I32 index) {
  return {table[index.value]};
}
TESSERA_INLINE I32 count_bits(I32 v) {
  return {std::popcount(unsigned_of(v))};
}
TESSERA_INLINE I32 look_up(const uint8_t table[16], I32 index) {
  return {table[index.value]};
}
TESSERA_INLINE I32 reverse_bits(I32 v) {
  uint32_t bits = static_cast<uint32_t>(v.value);
#ifdef __CUDA_ARCH__
  bits = __brev(bits);
#else
  bits = (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
  bits = (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
  bits = (bits >> 4 & 0x0F0F0F0F) | (bits & 0x0F0F0F0F) << 4;
  bits = (bits >> 8 & 0x00FF00FF) | (bits & 0x00FF00FF) << 8;
  bits = bits >> 16 | bits << 16;
#endif
  return {static_cast<int32_t>(bits)};
}
TESSERA_INLINE int32_t first_lane(I32 v) {
  return v.value;
}
TESSERA_INLINE I32 lane_numbers() {
  return {0};
}

// --- LaneMask ---
TESSERA_INLINE LaneMask operator&(LaneMask a, LaneMask b) {
  return {a.value && b.value};
}
TESSERA_INLINE LaneMask operator|(LaneMask a, LaneMask b) {
  return {a.value || b.value};
}
TESSERA_INLINE LaneMask operator!(LaneMask a) {
  return {!a.value};
}
TESSERA_INLINE I32 as_bits(LaneMask mask) {
  return {mask.value ? -1 : 0};
}
TESSERA_INLINE LaneMask every_lane(bool is_in) {
  return {is_in};
}
TESSERA_INLINE bool any_lane(LaneMask mask) {
  return mask.value;
}

// --- F32 ---
TESSERA_INLINE F32 all_lanes_f32(float value) {
  return {value};
}
TESSERA_INLINE F32 operator+(F32 a, F32 b) {
  return {a.value + b.value};
}
TESSERA_INLINE F32 operator-(F32 a, F32 b) {
  return {a.value - b.value};
}
TESSERA_INLINE F32 operator*(F32 a, F32 b) {
  return {a.value * b.value};
}
TESSERA_INLINE F32 operator/(F32 a, F32 b) {
  return {a.value / b.value};
}
TESSERA_INLINE F32 square_root(F32 a) {
#ifdef __CUDA_ARCH__
  return {__fsqrt_rn(a.value)};
#else
  return {__builtin_sqrtf(a.value)};
#endif
}
TESSERA_INLINE F32 min(F32 a, F32 b) {
  return a.value < b.value ? a : b;
}
TESSERA_INLINE F32 max(F32 a, F32 b) {
  return a.value > b.value ? a : b;
}
TESSERA_INLINE LaneMask operator>(F32 a, F32 b) {
  return {a.value > b.value};
}
TESSERA_INLINE LaneMask operator<(F32 a, F32 b) {
  return {a.value < b.value};
}
TESSERA_INLINE F32 select(LaneMask condition, F32 yes, F32 no) {
  return condition.value ? yes : no;
}
TESSERA_INLINE F32 zero_unless(LaneMask condition, F32 yes) {
  return condition.value ? yes : F32{0.0f};
}
TESSERA_INLINE F32 to_f32(I32 v) {
  return {static_cast<float>(v.value)};
}
TESSERA_INLINE F32 truncate(F32 v) {
#ifdef __CUDA_ARCH__
  return {truncf(v.value)};
#else
  return {__builtin_truncf(v.value)};
#endif
}
TESSERA_INLINE I32 truncate_to_i32(F32 v) {
  // What does not fit has no meaning in C++; here it has no use, and no consequences.
  const bool fits = v.value >= -2147483648.0f && v.value < 2147483648.0f;
  return {fits ? static_cast<int32_t>(v.value) : INT32_MIN};
}
TESSERA_INLINE I32 float_bits(F32 v) {
  return {bit_cast<int32_t>(v.value)};
}
TESSERA_INLINE F32 float_of_bits(I32 v) {
  return {bit_cast<float>(v.value)};
}
TESSERA_INLINE F32 absolute(F32 v) {
  return float_of_bits(float_bits(v) & I32{0x7FFFFFFF});
}
TESSERA_INLINE F32 load_f32(const float* values) {
  return {*values};
}
TESSERA_INLINE void store(F32 v, float* values) {
  *values = v.value;
}
TESSERA_INLINE F32 gather(const float* table, I32 index) {
  return {table[index.value]};
}
TESSERA_INLINE float first_lane(F32 v) {
  return v.value;
}

// --- I16x2 ---
TESSERA_INLINE I16x2 operator+(I16x2 a, I16x2 b) {
  return i16x2_of(a.low + b.low, a.high + b.high);
}
TESSERA_INLINE I16x2 operator-(I16x2 a, I16x2 b) {
  return i16x2_of(a.low - b.low, a.high - b.high);
}
TESSERA_INLINE I16x2 operator*(I16x2 a, I16x2 b) {
  return i16x2_of(a.low * b.low, a.high * b.high);
}
TESSERA_INLINE I16x2 operator&(I16x2 a, I16x2 b) {
  return i16x2_of(a.low & b.low, a.high & b.high);
}
template <int kBits>
TESSERA_INLINE I16x2 shift_right_logical(I16x2 a) {
  return i16x2_of(static_cast<uint16_t>(a.low) >> kBits, static_cast<uint16_t>(a.high) >> kBits);
}
template <int kBits>
TESSERA_INLINE I16x2 shift_right_arithmetic(I16x2 a) {
  return i16x2_of(a.low >> kBits, a.high >> kBits);
}
TESSERA_INLINE I16x2 min(I16x2 a, I16x2 b) {
  return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
TESSERA_INLINE I16x2 max(I16x2 a, I16x2 b) {
  return {a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}
TESSERA_INLINE I32 multiply_and_add_halves(I16x2 a, I16x2 b) {
  return I32{a.low * b.low} + I32{a.high * b.high};
}
TESSERA_INLINE I16x2 combine_halves(I16x2 high, I16x2 low) {
  return {low.low, high.high};
}
TESSERA_INLINE I32 accumulate_pairs(I32 sum, I16x2 a, I16x2 b) {
  return sum + multiply_and_add_halves(a, b);
}
TESSERA_INLINE I16x2 load_i16x2(const int16_t* values) {
  return {values[0], values[1]};
}
TESSERA_INLINE void store_low_halves(I32 v, int16_t* out) {
  *out = static_cast<int16_t>(v.value);
}

// --- U8x4 ---
TESSERA_INLINE U8x4 min(U8x4 a, U8x4 b) {
  for (int i = 0; i < 4; ++i) {
    a.bytes[i] = a.bytes[i] < b.bytes[i] ? a.bytes[i] : b.bytes[i];
  }
  return a;
}
TESSERA_INLINE U8x4 max(U8x4 a, U8x4 b) {
  for (int i = 0; i < 4; ++i) {
    a.bytes[i] = a.bytes[i] > b.bytes[i] ? a.bytes[i] : b.bytes[i];
  }
  return a;
}
TESSERA_INLINE U8x4 operator-(U8x4 a, U8x4 b) {
  for (int i = 0; i < 4; ++i) {
    a.bytes[i] = static_cast<uint8_t>(a.bytes[i] - b.bytes[i]);
  }
  return a;
}

TESSERA_INLINE void load_block_row(const uint32_t* TESSERA_RESTRICT row, U8x4 column[4]) {
  for (int x = 0; x < 4; ++x) {
    column[x] = as_u8x4(i32_of(row[x]));
  }
}
TESSERA_INLINE void load_row_of_blocks(const uint32_t* row, const int32_t* index, size_t stride,
                                       U8x4 column[4]) {
  load_block_row(row + static_cast<size_t>(*index) * stride, column);
}
TESSERA_INLINE void store_block_words(I32 low, I32 high, uint32_t* TESSERA_RESTRICT out) {
  out[0] = unsigned_of(low);
  out[1] = unsigned_of(high);
}
TESSERA_INLINE void store_block_words(I32 w0, I32 w1, I32 w2, I32 w3,
                                      uint32_t* TESSERA_RESTRICT out) {
  store_block_words(w0, w1, out);
  store_block_words(w2, w3, out + 2);
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_SPMD_SCALAR_LANES_INL_H_
