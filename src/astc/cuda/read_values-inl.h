// Weights and colour values of a block, read by a thread of a device. The steps are the same for
// all ranges, so that the threads of a warp, each with a block of its own, stay together.
#pragma once

#include "astc/cuda/decode_tables.h"
#include "astc/format/block128.h"
#include "astc/format/integer_range.h"

#ifdef __CUDACC__
#define TESSERA_DECODE_INLINE __device__ __forceinline__
#else
#define TESSERA_DECODE_INLINE inline
#endif

namespace tessera::astc::device {

// What may be read and written behind the word of the last value.
inline constexpr uint32_t kSpareWords = 4;

// The lowest 32 bits of high:low >> shift, 0 to 32.
TESSERA_DECODE_INLINE uint32_t shifted_right(uint32_t low, uint32_t high, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_rc(low, high, shift);
#else
  return static_cast<uint32_t>((low | (uint64_t{high} << 32)) >> shift);
#endif
}

// Bytes 0 to 3 of a and 4 to 7 of b, as the selector's four numbers of four bits name them. Where a
// number is 8 the byte may be any.
TESSERA_DECODE_INLINE uint32_t pick_bytes(uint32_t a, uint32_t b, uint32_t selector) {
#ifdef __CUDA_ARCH__
  return __byte_perm(a, b, selector);
#else
  const uint64_t both = a | (uint64_t{b} << 32);
  uint32_t result = 0;
  for (uint32_t i = 0; i < 4; ++i) {
    result |= static_cast<uint32_t>((both >> (8 * ((selector >> (4 * i)) & 7))) & 0xFF) << (8 * i);
  }
  return result;
#endif
}

// The lowest byte of each.
TESSERA_DECODE_INLINE uint32_t four_bytes(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return pick_bytes(pick_bytes(a, b, 0x0040), pick_bytes(c, d, 0x0040), 0x5410);
}

// Bits in the order in which values are read from them, the next ones lowest.
struct BitStream {
  uint32_t words[4];

  TESSERA_DECODE_INLINE void skip(uint32_t count) {  // less than 64
    if (count >= 32) {
      words[0] = words[1];
      words[1] = words[2];
      words[2] = words[3];
      words[3] = 0;
    }
    skip_a_few(count % 32);
  }
  TESSERA_DECODE_INLINE void skip_a_few(uint32_t count) {  // less than 32
    words[0] = shifted_right(words[0], words[1], count);
    words[1] = shifted_right(words[1], words[2], count);
    words[2] = shifted_right(words[2], words[3], count);
    words[3] >>= count;
  }
  // Those from `count` on become zeros.
  TESSERA_DECODE_INLINE void end_at(uint32_t count) {
    for (uint32_t i = 0; i < 4; ++i) {
      const int past = static_cast<int>(32 * (i + 1)) - static_cast<int>(count);
      const uint32_t cut = past < 0 ? 0 : (past < 32 ? static_cast<uint32_t>(past) : 32);
      words[i] &= shifted_right(~0u, 0, cut);
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
  uint32_t size;         // values
  uint32_t code_bits;    // of the digits
  uint32_t first_entry;  // in ReadTables::digits
};

TESSERA_DECODE_INLINE GroupLayout group_layout(uint32_t digit) {
  const bool is_trit = digit == static_cast<uint32_t>(Digit::kTrit);
  const bool is_quint = digit == static_cast<uint32_t>(Digit::kQuint);
  GroupLayout layout;
  layout.digit_masks = is_trit ? 0x60100C03u : (is_quint ? 0x00601807u : 0);
  layout.last_mask = is_trit ? 0x80 : 0;
  layout.gaps = is_trit ? 0x75420u : (is_quint ? 0x77530u : 0);
  layout.size = is_quint ? 3 : 5;
  layout.code_bits = is_trit ? 8 : (is_quint ? 7 : 0);
  layout.first_entry = is_quint ? 256 : 0;
  return layout;
}

// Bytes that are stored one after another, in words of four.
template <class Storage>
class ByteWriter {
 public:
  explicit TESSERA_DECODE_INLINE ByteWriter(Storage storage) : storage_(storage) {}

  // `count` bytes, five at most, of which the first four are in one word; the others are zeros.
  TESSERA_DECODE_INLINE void append(uint32_t four, uint32_t fifth, uint32_t count) {
    const uint32_t shift = 8 * (done_ % 4), filled = done_ % 4 + count;
    const uint32_t word = begun_ | (four << shift);
    const uint32_t next = shifted_right(four, fifth, 32 - shift);
    storage_.word(done_ / 4) = word;
    storage_.word(done_ / 4 + 1) = next;
    begun_ = filled < 4 ? word : (filled < 8 ? next : 0);
    done_ += count;
  }

 private:
  Storage storage_;
  uint32_t done_ = 0;   // bytes
  uint32_t begun_ = 0;  // the last word, as far as there are bytes
};

// Reads `count` values of a range and stores values[code] for each. Up to seven
// bytes behind the last one are written, too. kAreWeights: a group has less than 32 bits.
template <bool kAreWeights, class Storage>
TESSERA_DECODE_INLINE void read_sequence(BitStream stream, const ReadTables& tables, uint32_t range,
                                         uint32_t count, const uint8_t* values, Storage storage) {
  const uint32_t n = tables.range_bits[range];
  // Products rather than shifts, which devices have fewer units for.
  const uint32_t worth = tables.digit_worth[range];
  const GroupLayout layout = group_layout(tables.range_digits[range]);
  const uint32_t mask = worth - 1;
  const uint32_t group_bits = layout.size * n + layout.code_bits;
  const uint32_t kept = layout.size == 3 ? 0x00FFFFFFu : ~0u;
  ByteWriter<Storage> writer(storage);
#ifdef __CUDACC__
#pragma unroll 1
#endif
  for (uint32_t done = 0; done < count; done += layout.size) {
    const auto at = [&](uint32_t shift) {
      return shifted_right(stream.words[0], stream.words[1],
                           kAreWeights || shift < 32 ? shift : 32);
    };
    const auto plain = [&](uint32_t i) { return at(i * n + ((layout.gaps >> (4 * i)) & 15)); };
    const uint32_t code = (at(n) & (layout.digit_masks & 0xFF)) |
                          (at(2 * n) & ((layout.digit_masks >> 8) & 0xFF)) |
                          (at(3 * n) & ((layout.digit_masks >> 16) & 0xFF)) |
                          (at(4 * n) & (layout.digit_masks >> 24)) | (at(5 * n) & layout.last_mask);
    const ReadTables::Digits digits = tables.digits[layout.first_entry + code];
    const uint32_t four =
        digits.four * worth |
        (four_bytes(plain(0), plain(1), plain(2), plain(3)) & (mask * 0x01010101u));
    const uint32_t fifth = digits.fifth * worth | (plain(4) & mask);
    writer.append(four_bytes(values[four & 0xFF], values[(four >> 8) & 0xFF],
                             values[(four >> 16) & 0xFF], values[four >> 24]) &
                      kept,
                  layout.size == 3 ? 0 : values[fifth], layout.size);
    if constexpr (kAreWeights) {
      stream.skip_a_few(group_bits);
    } else {
      stream.skip(group_bits);
    }
  }
}

// kWords words of the bytes that are stored, from a byte on.
template <uint32_t kWords>
struct StoredBytes {
  uint32_t words[kWords];

  template <class Storage>
  TESSERA_DECODE_INLINE StoredBytes(uint32_t first, Storage& storage) {
    uint32_t low = storage.word(first / 4);
#ifdef __CUDACC__
#pragma unroll
#endif
    for (uint32_t i = 0; i < kWords; ++i) {
      const uint32_t high = storage.word(first / 4 + i + 1);
      words[i] = shifted_right(low, high, 8 * (first % 4));
      low = high;
    }
  }

  TESSERA_DECODE_INLINE uint32_t operator[](uint32_t i) const {
    return (words[i / 4] >> (8 * (i % 4))) & 0xFF;
  }
};

}  // namespace tessera::astc::device
