// The physical block: 128 bits, bit 0 being the lowest bit of the first byte.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tessera::astc {

inline constexpr size_t kBlockBytes = 16;
inline constexpr unsigned kBlockBits = 128;

constexpr uint64_t low_bits_mask(unsigned count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

struct Block128 {
  uint64_t low = 0;   // bits 0 to 63
  uint64_t high = 0;  // bits 64 to 127

  constexpr bool operator==(const Block128&) const = default;

  // The 64 bits from `first` (0 to 127) on; those past bit 127 read as zero.
  constexpr uint64_t window(unsigned first) const {
    if (first >= 64) {
      return high >> (first - 64);
    }
    // The shift in two steps gives zero, not an undefined value, for first = 0.
    return (low >> first) | ((high << 1) << (63 - first));
  }

  constexpr uint64_t bits(unsigned first, unsigned count) const {
    return window(first) & low_bits_mask(count);
  }

  // Sets bits that are still zero; `value` has no more than `count` (at most 64) bits.
  constexpr void put(unsigned first, uint64_t value) {
    if (first >= 64) {
      high |= value << (first - 64);
    } else {
      low |= value << first;
      high |= (value >> 1) >> (63 - first);
    }
  }
};

constexpr uint64_t reverse_bits(uint64_t v) {
  v = ((v >> 1) & 0x5555555555555555u) | ((v & 0x5555555555555555u) << 1);
  v = ((v >> 2) & 0x3333333333333333u) | ((v & 0x3333333333333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((v & 0x0F0F0F0F0F0F0F0Fu) << 4);
  return __builtin_bswap64(v);
}

// Bit 127 becomes bit 0: weights are stored that way round.
constexpr Block128 reverse_bits(const Block128& block) {
  return {reverse_bits(block.high), reverse_bits(block.low)};
}

// Words of memory as little-endian numbers, and back.
constexpr uint64_t little_endian(uint64_t word) {
  return std::endian::native == std::endian::little ? word : __builtin_bswap64(word);
}

inline Block128 load_block(const uint8_t* bytes) {
  uint64_t words[2];
  std::memcpy(words, bytes, kBlockBytes);
  return {little_endian(words[0]), little_endian(words[1])};
}

inline void store_block(const Block128& block, uint8_t* bytes) {
  const uint64_t words[2] = {little_endian(block.low), little_endian(block.high)};
  std::memcpy(bytes, words, kBlockBytes);
}

}  // namespace tessera::astc
