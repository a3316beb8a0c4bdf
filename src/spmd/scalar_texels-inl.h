// One texel as plain numbers: see texels-inl.h.
#if defined(TESSERA_SPMD_SCALAR_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_SCALAR_TEXELS_INL_H_
#undef TESSERA_SPMD_SCALAR_TEXELS_INL_H_
#else
#define TESSERA_SPMD_SCALAR_TEXELS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "spmd/target-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

// --- TexelU16, TexelI16 ---
struct TexelU16 {
  uint16_t value;
};

struct TexelI16 {
  int16_t value;
};

// Of wider numbers the lowest 16 bits are kept, as vectors do.
TESSERA_INLINE TexelU16 texel_u16_of(int32_t value) {
  return {static_cast<uint16_t>(value)};
}
TESSERA_INLINE TexelI16 texel_i16_of(int32_t value) {
  return {static_cast<int16_t>(value)};
}

TESSERA_INLINE size_t texel_count() {
  return 1;
}
TESSERA_INLINE TexelU16 all_texels_u16(uint16_t value) {
  return {value};
}
TESSERA_INLINE TexelI16 all_texels_i16(int16_t value) {
  return {value};
}
TESSERA_INLINE TexelU16 as_u16(TexelI16 v) {
  return texel_u16_of(v.value);
}
TESSERA_INLINE TexelI16 operator+(TexelI16 a, TexelI16 b) {
  return texel_i16_of(a.value + b.value);
}
TESSERA_INLINE TexelI16 operator-(TexelI16 a, TexelI16 b) {
  return texel_i16_of(a.value - b.value);
}
TESSERA_INLINE TexelI16 operator*(TexelI16 a, TexelI16 b) {
  return texel_i16_of(a.value * b.value);
}
TESSERA_INLINE TexelU16 operator+(TexelU16 a, TexelU16 b) {
  return texel_u16_of(a.value + b.value);
}
TESSERA_INLINE TexelU16 operator-(TexelU16 a, TexelU16 b) {
  return texel_u16_of(a.value - b.value);
}
TESSERA_INLINE TexelU16 operator|(TexelU16 a, TexelU16 b) {
  return texel_u16_of(a.value | b.value);
}
TESSERA_INLINE TexelU16 without_bits(TexelU16 v, TexelU16 bits) {
  return texel_u16_of(v.value & ~bits.value);
}
template <int kBits>
TESSERA_INLINE TexelI16 shift_left(TexelI16 v) {
  return texel_i16_of(v.value * (1 << kBits));
}
template <int kBits>
TESSERA_INLINE TexelU16 shift_left(TexelU16 v) {
  return texel_u16_of(v.value << kBits);
}
template <int kBits>
TESSERA_INLINE TexelI16 shift_right_arithmetic(TexelI16 v) {
  return texel_i16_of(v.value >> kBits);
}
template <int kBits>
TESSERA_INLINE TexelU16 shift_right_logical(TexelU16 v) {
  return texel_u16_of(v.value >> kBits);
}
TESSERA_INLINE TexelI16 minus_one_where_less(TexelI16 a, TexelI16 b) {
  return texel_i16_of(a.value < b.value ? -1 : 0);
}
TESSERA_INLINE TexelU16 load_texel_bytes_u16(const uint8_t* values) {
  return {*values};
}
TESSERA_INLINE TexelI16 load_texel_bytes_i16(const uint8_t* values) {
  return {*values};
}
TESSERA_INLINE TexelU16 look_up_bytes(const uint8_t table[16], TexelU16 index) {
  return {table[index.value]};
}
TESSERA_INLINE void store_texels(TexelU16 red_green, TexelU16 blue_alpha, uint8_t* out) {
  out[0] = static_cast<uint8_t>(red_green.value);
  out[1] = static_cast<uint8_t>(red_green.value >> 8);
  out[2] = static_cast<uint8_t>(blue_alpha.value);
  out[3] = static_cast<uint8_t>(blue_alpha.value >> 8);
}

// --- WordIndex ---
struct WordIndex {
  uint16_t entry;
};

TESSERA_INLINE WordIndex word_index(TexelU16 entry) {
  return {entry.value};
}
TESSERA_INLINE TexelI16 look_up_words(const int16_t table[8], WordIndex index) {
  return {table[index.entry]};
}

// --- Bytes16 ---
struct Bytes16 {
  uint8_t bytes[16];
};

TESSERA_INLINE Bytes16 load_bytes16(const uint8_t* values) {
  Bytes16 v;
  for (int i = 0; i < 16; ++i) {
    v.bytes[i] = values[i];
  }
  return v;
}
TESSERA_INLINE void store(Bytes16 v, uint8_t* values) {
  for (int i = 0; i < 16; ++i) {
    values[i] = v.bytes[i];
  }
}
TESSERA_INLINE void load_even_and_odd(const uint8_t* values, Bytes16& even, Bytes16& odd) {
  for (int i = 0; i < 16; ++i) {
    even.bytes[i] = values[2 * i];
    odd.bytes[i] = values[2 * i + 1];
  }
}
TESSERA_INLINE Bytes16 look_up_low_bits(Bytes16 table, Bytes16 index) {
  Bytes16 found;
  for (int i = 0; i < 16; ++i) {
    found.bytes[i] = table.bytes[index.bytes[i] & 15];
  }
  return found;
}
TESSERA_INLINE Bytes16 select_above_15(Bytes16 v, Bytes16 yes, Bytes16 no) {
  for (int i = 0; i < 16; ++i) {
    no.bytes[i] = v.bytes[i] > 15 ? yes.bytes[i] : no.bytes[i];
  }
  return no;
}
TESSERA_INLINE Bytes16 look_up_or_zero(Bytes16 table, Bytes16 index) {
  Bytes16 found;
  for (int i = 0; i < 16; ++i) {
    found.bytes[i] = index.bytes[i] < 16 ? table.bytes[index.bytes[i]] : uint8_t{0};
  }
  return found;
}

// --- Words8 ---
struct Words8 {
  uint16_t words[8];
};

TESSERA_INLINE Words8 load_words8(const uint16_t* values) {
  Words8 v;
  for (int i = 0; i < 8; ++i) {
    v.words[i] = values[i];
  }
  return v;
}
TESSERA_INLINE Words8 all_words8(uint16_t value) {
  return {{value, value, value, value, value, value, value, value}};
}
TESSERA_INLINE Words8 as_words8(Bytes16 v) {
  Words8 words;
  for (int i = 0; i < 8; ++i) {
    words.words[i] = static_cast<uint16_t>(v.bytes[2 * i] | v.bytes[2 * i + 1] << 8);
  }
  return words;
}
TESSERA_INLINE Words8 operator+(Words8 a, Words8 b) {
  for (int i = 0; i < 8; ++i) {
    a.words[i] = static_cast<uint16_t>(a.words[i] + b.words[i]);
  }
  return a;
}
TESSERA_INLINE Words8 operator*(Words8 a, Words8 b) {
  for (int i = 0; i < 8; ++i) {
    a.words[i] = static_cast<uint16_t>(uint32_t{a.words[i]} * b.words[i]);
  }
  return a;
}
template <int kBits>
TESSERA_INLINE Words8 shift_right_logical(Words8 v) {
  for (int i = 0; i < 8; ++i) {
    v.words[i] = static_cast<uint16_t>(v.words[i] >> kBits);
  }
  return v;
}
TESSERA_INLINE void store_as_bytes(Words8 v, uint8_t* values) {
  for (int i = 0; i < 8; ++i) {
    values[i] = static_cast<uint8_t>(v.words[i]);
  }
}

// --- Bits ---
TESSERA_INLINE uint64_t places_of_nonzero(const int16_t* values) {
  uint64_t places = 0;
  for (int i = 0; i < 64; ++i) {
    places |= uint64_t{values[i] != 0} << i;
  }
  return places;
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_SPMD_SCALAR_TEXELS_INL_H_
