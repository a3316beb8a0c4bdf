// The 128 bits of a block of the method fgac, on the CPU and on devices.
#pragma once

#include <cstdint>

#include "astc/fgac/fgac_tables.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"
#include "spmd/host_device.h"

namespace tessera::astc {

// Writes bits from a place on.
struct FgacBits {
  Block128 block;
  unsigned at = 0;

  TESSERA_HOST_DEVICE void put(uint32_t value, unsigned count) {
    block.put(at, value & ((1u << count) - 1));
    at += count;
  }
};

// Five trits share 8 bits, whose parts lie behind the values; of the last group only what it needs
// is written.
TESSERA_HOST_DEVICE inline void put_trits(const FgacTables& tables, const uint8_t* codes,
                                          unsigned count, unsigned bits, FgacBits& out) {
  unsigned index = 0, power = 1;
  for (unsigned i = 0; i < count; ++i, power *= 3) {
    index += (codes[i] >> bits) * power;
  }
  unsigned shared = tables.trit_code[index];
  for (unsigned i = 0; i < count; ++i) {
    const unsigned part = i == 2 || i == 4 ? 1 : 2;
    out.put(codes[i], bits);
    out.put(shared, part);
    shared >>= part;
  }
}

// Three quints share 7 bits.
TESSERA_HOST_DEVICE inline void put_quints(const FgacTables& tables, const uint8_t* codes,
                                           unsigned count, unsigned bits, FgacBits& out) {
  unsigned index = 0, power = 1;
  for (unsigned i = 0; i < count; ++i, power *= 5) {
    index += (codes[i] >> bits) * power;
  }
  unsigned shared = tables.quint_code[index];
  for (unsigned i = 0; i < count; ++i) {
    const unsigned part = i == 0 ? 3 : 2;
    out.put(codes[i], bits);
    out.put(shared, part);
    shared >>= part;
  }
}

TESSERA_HOST_DEVICE inline void put_sequence(const FgacTables& tables, unsigned range,
                                             const uint8_t* codes, unsigned count, FgacBits& out) {
  const FgacRange& info = tables.ranges[range];
  const auto digit = static_cast<Digit>(info.digit);
  const unsigned group = digit == Digit::kTrit ? 5 : digit == Digit::kQuint ? 3 : 1;
  for (unsigned first = 0; first < count; first += group) {
    const unsigned rest = count - first < group ? count - first : group;
    if (digit == Digit::kTrit) {
      put_trits(tables, codes + first, rest, info.bits, out);
    } else if (digit == Digit::kQuint) {
      put_quints(tables, codes + first, rest, info.bits, out);
    } else {
      out.put(codes[first], info.bits);
    }
  }
}

TESSERA_HOST_DEVICE inline uint64_t fgac_reversed(uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __brevll(bits);
#else
  return reverse_bits(bits);
#endif
}

struct FgacBlock {
  uint32_t mode;  // of the tables
  uint32_t endpoint_mode;
  uint32_t color_level;
  uint8_t colors[8];
  uint8_t weights[kFgacTexels];
};

TESSERA_HOST_DEVICE inline Block128 pack_fgac(const FgacTables& tables, const FgacBlock& block) {
  const FgacMode& mode = tables.modes[block.mode];
  FgacBits bits;
  bits.put(mode.mode_bits, kModeBits);
  bits.at = kSingleModeBit;
  bits.put(block.endpoint_mode, 4);
  bits.at = first_color_bit(1);
  put_sequence(tables, block.color_level, block.colors, color_value_count(block.endpoint_mode),
               bits);
  FgacBits weights;
  put_sequence(tables, mode.range, block.weights, kFgacTexels, weights);
  bits.block.low |= fgac_reversed(weights.block.high);
  bits.block.high |= fgac_reversed(weights.block.low);
  return bits.block;
}

}  // namespace tessera::astc
