// Bounded integer sequence encoding: how ASTC stores a run of values of one range. Plain low bits
// of each value are interleaved with a code for a group's base-3 or base-5 digits (5 trits in 8
// bits, 3 quints in 7). Cost: one table look-up and a few shifts a group.
#pragma once

#include <cstdint>
#include <span>

#include "astc/format/block128.h"
#include "astc/format/integer_range.h"

namespace tessera::astc {

// Reads values.size() values that start at bit `first`. Bits past the end of the sequence do not
// matter. Needs first + sequence_bit_count(range, values.size()) ≤ 128.
void decode_sequence(const Block128& bits, unsigned first, IntegerRange range,
                     std::span<uint8_t> values);

// The same, quicker, but up to kSequencePadding bytes past the last value are written, too.
inline constexpr unsigned kSequencePadding = 8;
void decode_sequence_padded(const Block128& bits, unsigned first, IntegerRange range,
                            unsigned count, uint8_t* values);

// Writes values (each below the range's levels) from bit `first` on into bits that are still zero.
void encode_sequence(std::span<const uint8_t> values, IntegerRange range, unsigned first,
                     Block128& bits);

}  // namespace tessera::astc
