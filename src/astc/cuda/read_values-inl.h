// Weights and colour values of a block, read by a thread of a device. The steps are the same for
// all ranges, so that the threads of a warp, each with a block of its own, stay together.
#pragma once

#include "astc/format/block128.h"
#include "astc/format/integer_range.h"

#ifdef __CUDACC__
#define TESSERA_DECODE_INLINE __device__ __forceinline__
#else
#define TESSERA_DECODE_INLINE inline
#endif

namespace tessera::astc::device {

// What read_sequence() may write behind the last value.
inline constexpr uint32_t kSpareWeights = 8;

// The lowest 32 bits of high:low >> shift, 0 to 32.
TESSERA_DECODE_INLINE uint32_t shifted_right(uint32_t low, uint32_t high, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_rc(low, high, shift);
#else
  return static_cast<uint32_t>((low | (uint64_t{high} << 32)) >> shift);
#endif
}

// Bits in the order in which values are read from them, the next ones lowest.
struct BitStream {
  uint32_t words[4];

  TESSERA_DECODE_INLINE void skip(uint32_t count) {  // less than 64
    const bool is_word = count >= 32;
    const uint32_t shift = count % 32;
    const uint32_t w0 = is_word ? words[1] : words[0], w1 = is_word ? words[2] : words[1];
    const uint32_t w2 = is_word ? words[3] : words[2], w3 = is_word ? 0 : words[3];
    words[0] = shifted_right(w0, w1, shift);
    words[1] = shifted_right(w1, w2, shift);
    words[2] = shifted_right(w2, w3, shift);
    words[3] = w3 >> shift;
  }
  // Those from `count` on become zeros.
  TESSERA_DECODE_INLINE void end_at(uint32_t count) {
    for (uint32_t i = 0; i < 4; ++i) {
      const int left = static_cast<int>(count) - static_cast<int>(32 * i);
      const uint32_t mask = left >= 32 ? ~0u : (left <= 0 ? 0 : (1u << left) - 1);
      words[i] &= mask;
    }
  }
};

TESSERA_DECODE_INLINE BitStream stream_of(const Block128& block) {
  return {{static_cast<uint32_t>(block.low), static_cast<uint32_t>(block.low >> 32),
           static_cast<uint32_t>(block.high), static_cast<uint32_t>(block.high >> 32)}};
}

// How values of a range lie in groups: five plain ones or with trits, or three with quints. Of a
// group's bits, those of the digits are spread between the plain ones of its values.
struct GroupLayout {
  uint32_t digit_masks;  // of four parts of the digits' code, eight bits each
  uint32_t last_mask;    // of the fifth
  uint32_t gaps;         // digits' bits before the 1st to 5th value, four bits each
  uint32_t digit_bits;   // of a digit in the table
  uint32_t size;         // values
  uint32_t code_bits;    // of the digits
  uint32_t first_entry;  // in DecodeTables::digits
};

TESSERA_DECODE_INLINE GroupLayout group_layout(uint32_t digit) {
  const bool is_trit = digit == static_cast<uint32_t>(Digit::kTrit);
  const bool is_quint = digit == static_cast<uint32_t>(Digit::kQuint);
  GroupLayout layout;
  layout.digit_masks = is_trit ? 0x60100C03u : (is_quint ? 0x00601807u : 0);
  layout.last_mask = is_trit ? 0x80 : 0;
  layout.gaps = is_trit ? 0x75420u : (is_quint ? 0x77530u : 0);
  layout.digit_bits = is_quint ? 3 : 2;
  layout.size = is_quint ? 3 : 5;
  layout.code_bits = is_trit ? 8 : (is_quint ? 7 : 0);
  layout.first_entry = is_quint ? 256 : 0;
  return layout;
}

// Reads `count` values of a range; storage.weight(i) = bias | values[code]. Some numbers behind the
// last one are written, too (kSpareWeights).
template <class Storage>
TESSERA_DECODE_INLINE void read_sequence(BitStream stream, uint32_t n, uint32_t digit,
                                         uint32_t count, const uint8_t* values, uint32_t bias,
                                         const uint16_t* digit_table, Storage storage) {
  const GroupLayout layout = group_layout(digit);
  const uint32_t mask = (1u << n) - 1;
  const uint32_t digit_mask = (1u << layout.digit_bits) - 1;
  const uint32_t group_bits = layout.size * n + layout.code_bits;
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (uint32_t done = 0; done < count; done += layout.size) {
    const auto at = [&](uint32_t shift) {
      return shifted_right(stream.words[0], stream.words[1], shift);
    };
    const uint32_t code =
        (at(n) & (layout.digit_masks & 0xFF)) | (at(2 * n) & ((layout.digit_masks >> 8) & 0xFF)) |
        (at(3 * n) & ((layout.digit_masks >> 16) & 0xFF)) |
        (at(4 * n) & (layout.digit_masks >> 24)) | (at(5 * n < 32 ? 5 * n : 32) & layout.last_mask);
    uint32_t digits = digit_table[layout.first_entry + code];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (uint32_t i = 0; i < 5; ++i) {
      const uint32_t shift = i * n + ((layout.gaps >> (4 * i)) & 15);
      const uint32_t value = ((digits & digit_mask) << n) | (at(shift < 32 ? shift : 32) & mask);
      digits >>= layout.digit_bits;
      storage.weight(done + i) = static_cast<uint16_t>(bias | values[value]);
    }
    stream.skip(group_bits);
  }
}

}  // namespace tessera::astc::device
