// Texel lanes as Highway's vectors: see texels-inl.h.
#if defined(TESSERA_SPMD_HIGHWAY_TEXELS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_SPMD_HIGHWAY_TEXELS_INL_H_
#undef TESSERA_SPMD_HIGHWAY_TEXELS_INL_H_
#else
#define TESSERA_SPMD_HIGHWAY_TEXELS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "spmd/highway_lanes-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::TESSERA_TARGET {

using TagTexelU16 = hn::CappedTag<uint16_t, 32>;
using TagTexelI16 = hn::RebindToSigned<TagTexelU16>;
using TagTexelBytes = hn::Repartition<uint8_t, TagTexelU16>;
using TagTexelHalfBytes = hn::Rebind<uint8_t, TagTexelU16>;
using Tag16Bytes = hn::FixedTag<uint8_t, 16>;
using Tag8Words = hn::FixedTag<uint16_t, 8>;

// look_up(), and 0 for indices of 128 and more.
template <class Bytes>
TESSERA_INLINE Bytes look_up_or_0(Bytes table, Bytes index) {
#if HWY_ARCH_WASM
  return Bytes{wasm_i8x16_swizzle(table.raw, index.raw)};
#else
  return hn::TableLookupBytesOr0(table, index);
#endif
}

// --- TexelU16, TexelI16 ---
struct TexelU16 {
  hn::Vec<TagTexelU16> raw;
};

struct TexelI16 {
  hn::Vec<TagTexelI16> raw;
};

// Texels handled at once.
TESSERA_INLINE size_t texel_count() {
  return hn::Lanes(TagTexelU16());
}
TESSERA_INLINE TexelU16 all_texels_u16(uint16_t value) {
  return {hn::Set(TagTexelU16(), value)};
}
TESSERA_INLINE TexelI16 all_texels_i16(int16_t value) {
  return {hn::Set(TagTexelI16(), value)};
}
TESSERA_INLINE TexelU16 as_u16(TexelI16 v) {
  return {hn::BitCast(TagTexelU16(), v.raw)};
}
TESSERA_INLINE TexelI16 operator+(TexelI16 a, TexelI16 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE TexelI16 operator-(TexelI16 a, TexelI16 b) {
  return {hn::Sub(a.raw, b.raw)};
}
TESSERA_INLINE TexelI16 operator*(TexelI16 a, TexelI16 b) {
  return {hn::Mul(a.raw, b.raw)};
}
TESSERA_INLINE TexelU16 operator+(TexelU16 a, TexelU16 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE TexelU16 operator-(TexelU16 a, TexelU16 b) {
  return {hn::Sub(a.raw, b.raw)};
}
TESSERA_INLINE TexelU16 operator|(TexelU16 a, TexelU16 b) {
  return {hn::Or(a.raw, b.raw)};
}
// The bits of v that are not in `bits`.
TESSERA_INLINE TexelU16 without_bits(TexelU16 v, TexelU16 bits) {
  return {hn::AndNot(bits.raw, v.raw)};
}
template <int kBits>
TESSERA_INLINE TexelI16 shift_left(TexelI16 v) {
  return {hn::ShiftLeft<kBits>(v.raw)};
}
template <int kBits>
TESSERA_INLINE TexelU16 shift_left(TexelU16 v) {
  return {hn::ShiftLeft<kBits>(v.raw)};
}
// Copies of the sign come in at the top.
template <int kBits>
TESSERA_INLINE TexelI16 shift_right_arithmetic(TexelI16 v) {
  return {hn::ShiftRight<kBits>(v.raw)};
}
// Zeros come in at the top.
template <int kBits>
TESSERA_INLINE TexelU16 shift_right_logical(TexelU16 v) {
  return {hn::ShiftRight<kBits>(v.raw)};
}
// -1 where a < b, 0 elsewhere.
TESSERA_INLINE TexelI16 minus_one_where_less(TexelI16 a, TexelI16 b) {
  return {hn::VecFromMask(TagTexelI16(), hn::Lt(a.raw, b.raw))};
}
// texel_count() bytes from any address, widened.
TESSERA_INLINE TexelU16 load_texel_bytes_u16(const uint8_t* values) {
  const auto bytes = hn::LoadU(TagTexelHalfBytes(), values);
  return {hn::PromoteTo(TagTexelU16(), bytes)};
}
TESSERA_INLINE TexelI16 load_texel_bytes_i16(const uint8_t* values) {
  const auto bytes = hn::LoadU(TagTexelHalfBytes(), values);
  return {hn::PromoteTo(TagTexelI16(), bytes)};
}
// table[index] of each texel; indices are 0 to 15, the table is aligned to 16 bytes, and its first
// entry is 0.
TESSERA_INLINE TexelU16 look_up_bytes(const uint8_t table[16], TexelU16 index) {
  const TagTexelBytes bytes;
  const auto found = look_up(hn::LoadDup128(bytes, table), hn::BitCast(bytes, index.raw));
  return {hn::BitCast(TagTexelU16(), found)};
}
// Writes the low and high bytes of each texel's two numbers one after the other: 4 bytes per texel,
// to an address that is a multiple of 2.
TESSERA_INLINE void store_texels(TexelU16 red_green, TexelU16 blue_alpha, uint8_t* out) {
  hn::StoreInterleaved2(red_green.raw, blue_alpha.raw, TagTexelU16(),
                        reinterpret_cast<uint16_t*>(out));
}

// --- WordIndex: where each texel finds its entry in tables of eight 16-bit words ---
struct WordIndex {
  hn::Vec<TagTexelBytes> raw;
};

// Entries are 0 to 7: entry i is the bytes 2·i and 2·i + 1 of a table.
TESSERA_INLINE WordIndex word_index(TexelU16 entry) {
  const TagTexelU16 d;
  const auto twice = hn::Mul(entry.raw, hn::Set(d, uint16_t{0x0202}));
  return {hn::BitCast(TagTexelBytes(), hn::Add(twice, hn::Set(d, uint16_t{0x0100})))};
}
// The table is aligned to 16 bytes.
TESSERA_INLINE TexelI16 look_up_words(const int16_t table[8], WordIndex index) {
  const auto bytes = hn::LoadDup128(TagTexelBytes(), reinterpret_cast<const uint8_t*>(table));
  return {hn::BitCast(TagTexelI16(), look_up(bytes, index.raw))};
}

// --- Bytes16 ---
struct Bytes16 {
  hn::Vec<Tag16Bytes> raw;
};

TESSERA_INLINE Bytes16 load_bytes16(const uint8_t* values) {
  return {hn::LoadU(Tag16Bytes(), values)};
}
TESSERA_INLINE void store(Bytes16 v, uint8_t* values) {
  hn::StoreU(v.raw, Tag16Bytes(), values);
}
// Bytes 0, 2, … 30 and 1, 3, … 31 of what `values` points to.
TESSERA_INLINE void load_even_and_odd(const uint8_t* values, Bytes16& even, Bytes16& odd) {
  hn::LoadInterleaved2(Tag16Bytes(), values, even.raw, odd.raw);
}
// table[index & 15] of each byte.
TESSERA_INLINE Bytes16 look_up_low_bits(Bytes16 table, Bytes16 index) {
  const auto fifteen = hn::Set(Tag16Bytes(), uint8_t{15});
  return {look_up(table.raw, hn::And(index.raw, fifteen))};
}
// yes where v > 15, no elsewhere.
TESSERA_INLINE Bytes16 select_above_15(Bytes16 v, Bytes16 yes, Bytes16 no) {
  const auto fifteen = hn::Set(Tag16Bytes(), uint8_t{15});
  return {hn::IfThenElse(hn::Gt(v.raw, fifteen), yes.raw, no.raw)};
}
// table[index] of each byte with an index of 0 to 15, and 0 for an index of 128 or more.
TESSERA_INLINE Bytes16 look_up_or_zero(Bytes16 table, Bytes16 index) {
  return {look_up_or_0(table.raw, index.raw)};
}

// --- Words8 ---
struct Words8 {
  hn::Vec<Tag8Words> raw;
};

TESSERA_INLINE Words8 all_words8(uint16_t value) {
  return {hn::Set(Tag8Words(), value)};
}
TESSERA_INLINE Words8 load_words8(const uint16_t* values) {
  return {hn::LoadU(Tag8Words(), values)};
}
// The same bits: byte 0 is the lower half of word 0.
TESSERA_INLINE Words8 as_words8(Bytes16 v) {
  return {hn::BitCast(Tag8Words(), v.raw)};
}
TESSERA_INLINE Words8 operator+(Words8 a, Words8 b) {
  return {hn::Add(a.raw, b.raw)};
}
TESSERA_INLINE Words8 operator*(Words8 a, Words8 b) {
  return {hn::Mul(a.raw, b.raw)};
}
template <int kBits>
TESSERA_INLINE Words8 shift_right_logical(Words8 v) {
  return {hn::ShiftRight<kBits>(v.raw)};
}
// Eight words of 0 to 255 as bytes.
TESSERA_INLINE void store_as_bytes(Words8 v, uint8_t* values) {
  const hn::Rebind<uint8_t, Tag8Words> bytes;
  const auto words = hn::BitCast(hn::RebindToSigned<Tag8Words>(), v.raw);
  hn::StoreU(hn::DemoteTo(bytes, words), bytes, values);
}

// --- Bits ---
// Bit i tells whether values[i] is not 0, for 64 values aligned like a TESSERA_ALIGN array.
TESSERA_INLINE uint64_t places_of_nonzero(const int16_t* values) {
  const hn::CappedTag<int16_t, 64> d;
  uint64_t places = 0;
  for (size_t i = 0; i < 64; i += hn::Lanes(d)) {
    uint8_t bytes[8] = {};
    hn::StoreMaskBits(d, hn::Ne(hn::Load(d, values + i), hn::Zero(d)), bytes);
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, sizeof(bits));  // little-endian, as all targets are
    places |= bits << i;
  }
  return places;
}

}  // namespace tessera::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_SPMD_HIGHWAY_TEXELS_INL_H_
