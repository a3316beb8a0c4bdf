// Every operation of src/spmd as a function on arrays: see lane_operations.h. Compiled once for the
// targets of the build and once for plain lanes (TESSERA_SCALAR_LANES).
#include "lane_operations.h"

#include <array>
#include <cstring>

#undef TESSERA_TARGET_FILE
#define TESSERA_TARGET_FILE "lane_operations.cc"
#include "spmd/for_each_target.h"
// for_each_target.h comes first: it includes this file again for every target.
#include "lane_memory_checks-inl.h"
#include "spmd/lanes-inl.h"
#include "spmd/texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

TESSERA_INLINE I32 bits_of(I32 v) {
  return v;
}
TESSERA_INLINE I32 bits_of(F32 v) {
  return float_bits(v);
}
TESSERA_INLINE I32 bits_of(I16x2 v) {
  return as_i32(v);
}
TESSERA_INLINE I32 bits_of(U8x4 v) {
  return as_i32(v);
}
TESSERA_INLINE I32 bits_of(LaneMask v) {
  return as_bits(v);
}

// Operands by their reading: a as I32, fa as F32, ha as I16x2, ua as U8x4.
// clang-format off
#define TESSERA_LANE_OPERATIONS(X)                                                              \
  X(all_lanes, all_lanes(-7))                                                                   \
  X(all_lanes_f32, all_lanes_f32(-2.5f))                                                        \
  X(all_lanes_i16x2, all_lanes_i16x2(-3))                                                       \
  X(as_u8x4_of_i16x2, as_u8x4(ha))                                                              \
  X(as_i16x2_of_u8x4, as_i16x2(ua))                                                             \
  X(add_i32, a + b)                                                                             \
  X(subtract_i32, a - b)                                                                        \
  X(multiply_i32, a * b)                                                                        \
  X(and_i32, a & b)                                                                             \
  X(or_i32, a | b)                                                                              \
  X(xor_i32, a ^ b)                                                                             \
  X(shift_left_0, shift_left<0>(a))                                                             \
  X(shift_left_7, shift_left<7>(a))                                                             \
  X(shift_left_31, shift_left<31>(a))                                                           \
  X(shift_right_logical_0, shift_right_logical<0>(a))                                           \
  X(shift_right_logical_7, shift_right_logical<7>(a))                                           \
  X(shift_right_logical_31, shift_right_logical<31>(a))                                         \
  X(shift_right_arithmetic_0, shift_right_arithmetic<0>(a))                                     \
  X(shift_right_arithmetic_7, shift_right_arithmetic<7>(a))                                     \
  X(shift_right_arithmetic_31, shift_right_arithmetic<31>(a))                                   \
  X(shift_left_same, shift_left(a, first_lane(c) & 31))                                         \
  X(shift_left_shared, LeftShift(static_cast<unsigned>(first_lane(c) & 31))(a))                 \
  X(shift_right_logical_same, shift_right_logical(a, first_lane(c) & 31))                       \
  X(shift_left_each, shift_left(a, b & all_lanes(31)))                                          \
  X(shift_right_logical_each, shift_right_logical(a, b & all_lanes(31)))                        \
  X(greater_i32, a > b)                                                                         \
  X(less_i32, a < b)                                                                            \
  X(equal_i32, a == b)                                                                          \
  X(select_i32, select(a > b, a, c))                                                            \
  X(zero_unless_i32, zero_unless(a > b, a))                                                     \
  X(min_i32, min(a, b))                                                                         \
  X(max_i32, max(a, b))                                                                         \
  X(absolute_i32, absolute(a))                                                                  \
  X(gather_i32, gather(gather_table(), a & all_lanes(kGatherEntries - 1)))                      \
  X(gather_f32, gather(gather_table_f32(), a & all_lanes(kGatherEntries - 1)))                  \
  X(look_up, look_up(kByteTable, a & all_lanes(15)))                                            \
  X(reverse_bits, reverse_bits(a))                                                              \
  X(count_bits, count_bits(a))                                                                  \
  X(mask_and, (a > b) & (b < all_lanes(0)))                                                     \
  X(mask_or, (a > b) | (b < all_lanes(0)))                                                      \
  X(mask_not, !(a > b))                                                                         \
  X(every_lane_true, every_lane(true))                                                          \
  X(every_lane_false, every_lane(false))                                                        \
  X(add_f32, fa + fb)                                                                           \
  X(subtract_f32, fa - fb)                                                                      \
  X(multiply_f32, fa * fb)                                                                      \
  X(divide_f32, fa / fb)                                                                        \
  X(multiply_then_add_f32, fa * fb + fc)                                                        \
  X(square_root, square_root(fa))                                                               \
  X(min_f32, min(fa, fb))                                                                       \
  X(max_f32, max(fa, fb))                                                                       \
  X(greater_f32, fa > fb)                                                                       \
  X(less_f32, fa < fb)                                                                          \
  X(select_f32, select(fa > fb, fa, fc))                                                        \
  X(zero_unless_f32, zero_unless(fa < fb, fa))                                                  \
  X(to_f32, to_f32(a))                                                                          \
  X(truncate, truncate(fa))                                                                     \
  X(truncate_to_i32, truncate_to_i32(fa))                                                       \
  X(absolute_f32, absolute(fa))                                                                 \
  X(quick_reciprocal, quick_reciprocal(fa))                                                     \
  X(add_i16x2, ha + hb)                                                                         \
  X(subtract_i16x2, ha - hb)                                                                    \
  X(multiply_i16x2, ha * hb)                                                                    \
  X(and_i16x2, ha & hb)                                                                         \
  X(shift_right_logical_i16x2, shift_right_logical<5>(ha))                                      \
  X(shift_right_arithmetic_i16x2, shift_right_arithmetic<5>(ha))                                \
  X(min_i16x2, min(ha, hb))                                                                     \
  X(max_i16x2, max(ha, hb))                                                                     \
  X(multiply_and_add_halves, multiply_and_add_halves(ha, hb))                                   \
  X(multiply_low_halves, multiply_low_halves(a & all_lanes(32767), b & all_lanes(32767)))       \
  X(combine_halves, combine_halves(ha, hb))                                                     \
  X(accumulate_pairs, accumulate_pairs(c, ha, hb))                                              \
  X(min_u8x4, min(ua, ub))                                                                      \
  X(max_u8x4, max(ua, ub))                                                                      \
  X(subtract_u8x4, ua - ub)
// clang-format on

inline const int32_t* gather_table() {
  static const auto table = [] {
    std::array<int32_t, kGatherEntries> entries;
    for (int32_t i = 0; i < kGatherEntries; ++i) {
      entries[static_cast<size_t>(i)] = gather_entry(i);
    }
    return entries;
  }();
  return table.data();
}

inline const float* gather_table_f32() {
  static const auto table = [] {
    std::array<float, kGatherEntries> entries;
    std::memcpy(entries.data(), gather_table(), sizeof entries);
    return entries;
  }();
  return table.data();
}

#define TESSERA_DEFINE_LANE_OPERATION(name, ...)                                              \
  void lane_##name(const int32_t* a_values, const int32_t* b_values, const int32_t* c_values, \
                   int32_t* out, size_t count) {                                              \
    for (size_t i = 0; i < count; i += lane_count()) {                                        \
      const I32 a = load_i32(a_values + i), b = load_i32(b_values + i),                       \
                c = load_i32(c_values + i);                                                   \
      const F32 fa = float_of_bits(a), fb = float_of_bits(b), fc = float_of_bits(c);          \
      const I16x2 ha = as_i16x2(a), hb = as_i16x2(b);                                         \
      const U8x4 ua = as_u8x4(a), ub = as_u8x4(b);                                            \
      static_cast<void>(fa), static_cast<void>(fb), static_cast<void>(fc);                    \
      static_cast<void>(ha), static_cast<void>(hb), static_cast<void>(ua);                    \
      static_cast<void>(ub), static_cast<void>(c);                                            \
      store(bits_of(__VA_ARGS__), out + i);                                                   \
    }                                                                                         \
  }
TESSERA_LANE_OPERATIONS(TESSERA_DEFINE_LANE_OPERATION)

// 16-bit numbers of texels are made of two bytes, as there is no way to load them.
struct TexelBytes {
  uint8_t low[32];
  uint8_t high[32];
};

TESSERA_INLINE TexelBytes bytes_of(const uint16_t* values) {
  TexelBytes bytes{};
  for (size_t i = 0; i < texel_count(); ++i) {
    bytes.low[i] = static_cast<uint8_t>(values[i]);
    bytes.high[i] = static_cast<uint8_t>(values[i] >> 8);
  }
  return bytes;
}
TESSERA_INLINE TexelU16 load_u16(const TexelBytes& bytes) {
  return load_texel_bytes_u16(bytes.low) | shift_left<8>(load_texel_bytes_u16(bytes.high));
}
TESSERA_INLINE TexelI16 load_i16(const TexelBytes& bytes) {
  return load_texel_bytes_i16(bytes.low) + shift_left<8>(load_texel_bytes_i16(bytes.high));
}
TESSERA_INLINE TexelU16 texel_bits_of(TexelU16 v) {
  return v;
}
TESSERA_INLINE TexelU16 texel_bits_of(TexelI16 v) {
  return as_u16(v);
}

// Operands: u and v as TexelU16, s and t the same bits as TexelI16.
// clang-format off
#define TESSERA_TEXEL_OPERATIONS(X)                                                             \
  X(all_texels_u16, all_texels_u16(40000))                                                      \
  X(all_texels_i16, all_texels_i16(-5))                                                         \
  X(load_texel_bytes_u16, u)                                                                    \
  X(load_texel_bytes_i16, s)                                                                    \
  X(add_i16, s + t)                                                                             \
  X(subtract_i16, s - t)                                                                        \
  X(multiply_i16, s * t)                                                                        \
  X(add_u16, u + v)                                                                             \
  X(subtract_u16, u - v)                                                                        \
  X(or_u16, u | v)                                                                              \
  X(without_bits, without_bits(u, v))                                                           \
  X(shift_left_i16, shift_left<3>(s))                                                           \
  X(shift_left_u16, shift_left<3>(u))                                                           \
  X(shift_right_arithmetic_i16, shift_right_arithmetic<3>(s))                                   \
  X(shift_right_logical_u16, shift_right_logical<3>(u))                                         \
  X(minus_one_where_less, minus_one_where_less(s, t))                                           \
  X(look_up_bytes, look_up_bytes(byte_table, shift_right_logical<12>(u)))                       \
  X(look_up_words, look_up_words(word_table, word_index(shift_right_logical<13>(u))))
// clang-format on

#define TESSERA_DEFINE_TEXEL_OPERATION(name, ...)                                        \
  void texel_##name(const uint16_t* a, const uint16_t* b, uint16_t* out, size_t count) { \
    alignas(16) uint8_t byte_table[16];                                                  \
    alignas(16) int16_t word_table[8];                                                   \
    std::memcpy(byte_table, kByteTable, sizeof byte_table);                              \
    std::memcpy(word_table, kWordTable, sizeof word_table);                              \
    for (size_t i = 0; i < count; i += texel_count()) {                                  \
      const TexelBytes a_bytes = bytes_of(a + i), b_bytes = bytes_of(b + i);             \
      const TexelU16 u = load_u16(a_bytes), v = load_u16(b_bytes);                       \
      const TexelI16 s = load_i16(a_bytes), t = load_i16(b_bytes);                       \
      static_cast<void>(u), static_cast<void>(v), static_cast<void>(s);                  \
      static_cast<void>(t);                                                              \
      alignas(64) uint8_t texels[4 * 32];                                                \
      store_texels(texel_bits_of(__VA_ARGS__), u, texels);                               \
      for (size_t k = 0; k < texel_count(); ++k) {                                       \
        std::memcpy(out + i + k, texels + 4 * k, 2);                                     \
      }                                                                                  \
    }                                                                                    \
  }
TESSERA_TEXEL_OPERATIONS(TESSERA_DEFINE_TEXEL_OPERATION)

TESSERA_INLINE Words8 low_bytes(Words8 v) {
  return shift_right_logical<8>(v * all_words8(256));
}

// Operands are Bytes16. Of Words8 the low bytes come first, then the high ones.
// clang-format off
#define TESSERA_BYTE_OPERATIONS(X)                                                              \
  X(load_bytes16, a)                                                                            \
  X(look_up_low_bits, look_up_low_bits(a, b))                                                   \
  X(look_up_or_zero, look_up_or_zero(a, look_up_low_bits(indices, b)))                          \
  X(select_above_15, select_above_15(a, b, c))                                                  \
  X(load_words8, load_words8(words))                                                            \
  X(all_words8, all_words8(0xABCD))                                                             \
  X(as_words8, as_words8(a))                                                                    \
  X(add_words8, as_words8(a) + as_words8(b))                                                    \
  X(multiply_words8, as_words8(a) * as_words8(b))                                               \
  X(shift_right_words8, shift_right_logical<5>(as_words8(a)))
// clang-format on

TESSERA_INLINE void store_words(Words8 v, uint8_t* out) {
  store_as_bytes(low_bytes(v), out);
  store_as_bytes(shift_right_logical<8>(v), out + 8);
}
TESSERA_INLINE void store_words(Bytes16 v, uint8_t* out) {
  store(v, out);
}

#define TESSERA_DEFINE_BYTE_OPERATION(name, ...)                                                   \
  void byte_##name(const uint8_t* a_values, const uint8_t* b_values, const uint8_t* c_values,      \
                   uint8_t* out) {                                                                 \
    /* Indices that find an entry, and some that find none. */                                     \
    const uint8_t index_values[16] = {0, 1, 2, 3, 128, 255, 7, 8, 15, 14, 13, 129, 200, 5, 10, 4}; \
    uint16_t words[8];                                                                             \
    std::memcpy(words, a_values, sizeof words);                                                    \
    const Bytes16 a = load_bytes16(a_values), b = load_bytes16(b_values),                          \
                  c = load_bytes16(c_values), indices = load_bytes16(index_values);                \
    static_cast<void>(a), static_cast<void>(b), static_cast<void>(c);                              \
    static_cast<void>(indices);                                                                    \
    store_words(__VA_ARGS__, out);                                                                 \
  }
TESSERA_BYTE_OPERATIONS(TESSERA_DEFINE_BYTE_OPERATION)

#define TESSERA_LANE_ROW(name, ...) {#name, lane_##name},
#define TESSERA_TEXEL_ROW(name, ...) {#name, texel_##name},
#define TESSERA_BYTE_ROW(name, ...) {#name, byte_##name},

OperationTables tables_on_target() {
  static constexpr LaneOperation kLanes[] = {TESSERA_LANE_OPERATIONS(TESSERA_LANE_ROW)};
  static constexpr TexelOperation kTexels[] = {TESSERA_TEXEL_OPERATIONS(TESSERA_TEXEL_ROW)};
  static constexpr ByteOperation kBytes[] = {TESSERA_BYTE_OPERATIONS(TESSERA_BYTE_ROW)};
  return {kLanes, kTexels, kBytes, check_memory};
}

#undef TESSERA_LANE_OPERATIONS
#undef TESSERA_TEXEL_OPERATIONS
#undef TESSERA_BYTE_OPERATIONS
#undef TESSERA_DEFINE_LANE_OPERATION
#undef TESSERA_DEFINE_TEXEL_OPERATION
#undef TESSERA_DEFINE_BYTE_OPERATION
#undef TESSERA_LANE_ROW
#undef TESSERA_TEXEL_ROW
#undef TESSERA_BYTE_ROW

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#if TESSERA_ONCE
namespace tessera {

TESSERA_EXPORT(tables_on_target);

#ifdef TESSERA_SCALAR_LANES
OperationTables scalar_operation_tables() {
  return TESSERA_DISPATCH(tables_on_target)();
}
#else
OperationTables operation_tables() {
  return TESSERA_DISPATCH(tables_on_target)();
}
#endif

}  // namespace tessera
#endif  // TESSERA_ONCE
