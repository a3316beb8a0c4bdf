// Packs and unpacks integer sequences of trits, quints and bits.
#include "astc/format/bise.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/rule_table.h"

namespace tessera::astc {
namespace {

constexpr unsigned bit(unsigned value, unsigned position) {
  return (value >> position) & 1u;
}
constexpr unsigned field(unsigned value, unsigned high, unsigned low) {
  return (value >> low) & ((1u << (high - low + 1)) - 1u);
}

// The standard's rules for the 8 bits T of five trits.
constexpr uint16_t unpack_trits(unsigned t) {
  unsigned c = field(t, 4, 0);
  unsigned t3 = 2;
  unsigned t4 = 2;
  if (field(t, 4, 2) == 7) {
    c = (field(t, 7, 5) << 2) | field(t, 1, 0);
  } else if (field(t, 6, 5) == 3) {
    t3 = bit(t, 7);
  } else {
    t3 = field(t, 6, 5);
    t4 = bit(t, 7);
  }
  unsigned t0 = 0;
  unsigned t1 = 2;
  unsigned t2 = 2;
  if (field(c, 1, 0) == 3) {
    t1 = bit(c, 4);
    t0 = (bit(c, 3) << 1) | (bit(c, 2) & ~bit(c, 3));
  } else if (field(c, 3, 2) == 3) {
    t0 = field(c, 1, 0);
  } else {
    t2 = bit(c, 4);
    t1 = field(c, 3, 2);
    t0 = (bit(c, 1) << 1) | (bit(c, 0) & ~bit(c, 1));
  }
  return static_cast<uint16_t>(t0 | (t1 << 2) | (t2 << 4) | (t3 << 6) | (t4 << 8));
}

// The same for the 7 bits Q of three quints.
constexpr uint16_t unpack_quints(unsigned q) {
  unsigned q0 = 4;
  unsigned q1 = 4;
  unsigned q2 = 4;
  if (field(q, 2, 1) == 3 && field(q, 6, 5) == 0) {
    const unsigned keep = 1u ^ bit(q, 0);
    q2 = (bit(q, 0) << 2) | ((bit(q, 4) & keep) << 1) | (bit(q, 3) & keep);
  } else {
    unsigned c = 0;
    if (field(q, 2, 1) == 3) {
      c = (field(q, 4, 3) << 3) | ((3u ^ field(q, 6, 5)) << 1) | bit(q, 0);
    } else {
      q2 = field(q, 6, 5);
      c = field(q, 4, 0);
    }
    if (field(c, 2, 0) == 5) {
      q0 = field(c, 4, 3);
    } else {
      q1 = field(c, 4, 3);
      q0 = field(c, 2, 0);
    }
  }
  return static_cast<uint16_t>(q0 | (q1 << 3) | (q2 << 6));
}

// Digits one a byte, first digit lowest.
TESSERA_TABLE_RULE std::array<uint64_t, 256> make_trits_of_code() {
  std::array<uint64_t, 256> table{};
  for (unsigned code = 0; code < 256; ++code) {
    const unsigned trits = unpack_trits(code);
    for (unsigned i = 0; i < 5; ++i) {
      table[code] |= uint64_t{(trits >> (2 * i)) & 3u} << (8 * i);
    }
  }
  return table;
}
TESSERA_RULE_TABLE std::array<uint64_t, 256> kTritsOfCode = make_trits_of_code();

TESSERA_TABLE_RULE std::array<uint32_t, 128> make_quints_of_code() {
  std::array<uint32_t, 128> table{};
  for (unsigned code = 0; code < 128; ++code) {
    const unsigned quints = unpack_quints(code);
    for (unsigned i = 0; i < 3; ++i) {
      table[code] |= ((quints >> (3 * i)) & 7u) << (8 * i);
    }
  }
  return table;
}
TESSERA_RULE_TABLE std::array<uint32_t, 128> kQuintsOfCode = make_quints_of_code();

// Several codes can mean the same digits. The smallest has zeros in all bits that a shortened last
// group leaves out (its missing digits are zero), so it serves everywhere.
constexpr auto kCodeOfTrits = [] {
  std::array<uint8_t, 243> table{};
  for (unsigned code = 256; code-- > 0;) {
    const unsigned t = unpack_trits(code);
    const unsigned index =
        (t & 3) + 3 * ((t >> 2) & 3) + 9 * ((t >> 4) & 3) + 27 * ((t >> 6) & 3) + 81 * (t >> 8);
    table[index] = static_cast<uint8_t>(code);
  }
  return table;
}();

constexpr auto kCodeOfQuints = [] {
  std::array<uint8_t, 125> table{};
  for (unsigned code = 128; code-- > 0;) {
    const unsigned q = unpack_quints(code);
    table[(q & 7) + 5 * ((q >> 3) & 7) + 25 * (q >> 6)] = static_cast<uint8_t>(code);
  }
  return table;
}();

// A codec knows how one group lies in the low bits of a 64-bit chunk. Values are one a byte, the
// first one lowest; in decoded ones, bytes past the group's values mean nothing.
template <unsigned kBits>
struct TritGroup {
  static constexpr unsigned kValues = 5;
  static constexpr unsigned kLength = 5 * kBits + 8;
  static constexpr uint64_t kMask = low_bits_mask(kBits);

  static uint64_t decode(uint64_t chunk) {
    const uint64_t code = ((chunk >> kBits) & 0x03) | ((chunk >> (2 * kBits)) & 0x0C) |
                          ((chunk >> (3 * kBits)) & 0x10) | ((chunk >> (4 * kBits)) & 0x60) |
                          ((chunk >> (5 * kBits)) & 0x80);
    const uint64_t plain = (chunk & kMask) | (((chunk >> (kBits + 2)) & kMask) << 8) |
                           (((chunk >> (2 * kBits + 4)) & kMask) << 16) |
                           (((chunk >> (3 * kBits + 5)) & kMask) << 24) |
                           (((chunk >> (4 * kBits + 7)) & kMask) << 32);
    return (kTritsOfCode[static_cast<size_t>(code)] << kBits) | plain;
  }

  static uint64_t encode(uint64_t bytes) {
    // The product's byte 4 is the sum of digit·3^position; the bytes below it stay under 256.
    const uint64_t digits = (bytes >> kBits) & 0x0303030303u;
    const uint64_t code = kCodeOfTrits[((digits * 0x0103091B51u) >> 32) & 0xFF];
    return (bytes & kMask) | (((bytes >> 8) & kMask) << (kBits + 2)) |
           (((bytes >> 16) & kMask) << (2 * kBits + 4)) |
           (((bytes >> 24) & kMask) << (3 * kBits + 5)) |
           (((bytes >> 32) & kMask) << (4 * kBits + 7)) | ((code & 0x03) << kBits) |
           ((code & 0x0C) << (2 * kBits)) | ((code & 0x10) << (3 * kBits)) |
           ((code & 0x60) << (4 * kBits)) | ((code & 0x80) << (5 * kBits));
  }
};

template <unsigned kBits>
struct QuintGroup {
  static constexpr unsigned kValues = 3;
  static constexpr unsigned kLength = 3 * kBits + 7;
  static constexpr uint64_t kMask = low_bits_mask(kBits);

  static uint64_t decode(uint64_t chunk) {
    const uint64_t code = ((chunk >> kBits) & 0x07) | ((chunk >> (2 * kBits)) & 0x18) |
                          ((chunk >> (3 * kBits)) & 0x60);
    const uint64_t plain = (chunk & kMask) | (((chunk >> (kBits + 3)) & kMask) << 8) |
                           (((chunk >> (2 * kBits + 5)) & kMask) << 16);
    return (uint64_t{kQuintsOfCode[static_cast<size_t>(code)]} << kBits) | plain;
  }

  static uint64_t encode(uint64_t bytes) {
    const uint64_t digits = (bytes >> kBits) & 0x070707u;
    const uint64_t code = kCodeOfQuints[((digits * 0x010519u) >> 16) & 0xFF];  // as with trits
    return (bytes & kMask) | (((bytes >> 8) & kMask) << (kBits + 3)) |
           (((bytes >> 16) & kMask) << (2 * kBits + 5)) | ((code & 0x07) << kBits) |
           ((code & 0x18) << (2 * kBits)) | ((code & 0x60) << (3 * kBits));
  }
};

// Plain bits have no groups; as many values as fit 64 bits (eight at most) are taken together.
template <unsigned kBits>
struct PlainGroup {
  static constexpr unsigned kValues = 8;
  static constexpr unsigned kLength = 8 * kBits;

  // The first one, two or four of every two, four or eight fields, wherever they are now.
  static constexpr uint64_t kOne = low_bits_mask(kBits) * 0x0001000100010001u;
  static constexpr uint64_t kTwo = low_bits_mask(2 * kBits) * 0x0000000100000001u;
  static constexpr uint64_t kFour = low_bits_mask(4 * kBits);

  // Spreads eight fields to bytes in three steps: halves, quarters, eighths.
  static uint64_t decode(uint64_t chunk) {
    chunk = (chunk & kFour) | (((chunk >> (4 * kBits)) & kFour) << 32);
    chunk = (chunk & kTwo) | (((chunk >> (2 * kBits)) & kTwo) << 16);
    return (chunk & kOne) | (((chunk >> kBits) & kOne) << 8);
  }

  // The same steps backwards.
  static uint64_t encode(uint64_t bytes) {
    bytes = (bytes & kOne) | (((bytes >> 8) & kOne) << kBits);
    bytes = (bytes & kTwo) | (((bytes >> 16) & kTwo) << (2 * kBits));
    return (bytes & kFour) | (((bytes >> 32) & kFour) << (4 * kBits));
  }
};

// `bits` holds nothing but the sequence, so that a shortened last group reads zeros.
template <typename Group>
void decode_groups(Block128 bits, unsigned count, uint8_t* values) {
  for (unsigned done = 0; done < count; done += Group::kValues) {
    const uint64_t bytes = little_endian(Group::decode(bits.low));
    std::memcpy(values + done, &bytes, sizeof bytes);
    if constexpr (Group::kLength == 64) {
      bits = {bits.high, 0};
    } else {
      bits = {(bits.low >> Group::kLength) | (bits.high << (64 - Group::kLength)),
              bits.high >> Group::kLength};
    }
  }
}

// How a group is written: one loop serves all ranges, as decoding alone must be quick.
struct GroupWriter {
  unsigned values;
  unsigned length;  // in bits
  uint64_t (*encode)(uint64_t bytes);
};

// `count` values from `first` on, or as many as there are, one a byte.
uint64_t bytes_of_group(std::span<const uint8_t> values, size_t first, unsigned count) {
  uint64_t bytes = 0;
  for (size_t i = first; i < std::min(first + count, values.size()); ++i) {
    bytes |= uint64_t{values[i]} << (8 * (i - first));
  }
  return bytes;
}

// Calls `use` with the group codec of a range.
template <typename Use>
void with_group(IntegerRange range, const Use& use) {
  switch (range) {
    case IntegerRange::k2Levels:
      return use(PlainGroup<1>{});
    case IntegerRange::k3Levels:
      return use(TritGroup<0>{});
    case IntegerRange::k4Levels:
      return use(PlainGroup<2>{});
    case IntegerRange::k5Levels:
      return use(QuintGroup<0>{});
    case IntegerRange::k6Levels:
      return use(TritGroup<1>{});
    case IntegerRange::k8Levels:
      return use(PlainGroup<3>{});
    case IntegerRange::k10Levels:
      return use(QuintGroup<1>{});
    case IntegerRange::k12Levels:
      return use(TritGroup<2>{});
    case IntegerRange::k16Levels:
      return use(PlainGroup<4>{});
    case IntegerRange::k20Levels:
      return use(QuintGroup<2>{});
    case IntegerRange::k24Levels:
      return use(TritGroup<3>{});
    case IntegerRange::k32Levels:
      return use(PlainGroup<5>{});
    case IntegerRange::k40Levels:
      return use(QuintGroup<3>{});
    case IntegerRange::k48Levels:
      return use(TritGroup<4>{});
    case IntegerRange::k64Levels:
      return use(PlainGroup<6>{});
    case IntegerRange::k80Levels:
      return use(QuintGroup<4>{});
    case IntegerRange::k96Levels:
      return use(TritGroup<5>{});
    case IntegerRange::k128Levels:
      return use(PlainGroup<7>{});
    case IntegerRange::k160Levels:
      return use(QuintGroup<5>{});
    case IntegerRange::k192Levels:
      return use(TritGroup<6>{});
    case IntegerRange::k256Levels:
      return use(PlainGroup<8>{});
  }
}

}  // namespace

void decode_sequence_padded(const Block128& bits, unsigned first, IntegerRange range,
                            unsigned count, uint8_t* values) {
  const unsigned length = sequence_bit_count(range, count);
  Block128 sequence = {bits.window(first), first < 64 ? bits.high >> first : 0};
  if (length < 64) {
    sequence = {sequence.low & low_bits_mask(length), 0};
  } else {
    sequence.high &= low_bits_mask(length - 64);
  }
  with_group(range, [&](auto group) { decode_groups<decltype(group)>(sequence, count, values); });
}

void decode_sequence(const Block128& bits, unsigned first, IntegerRange range,
                     std::span<uint8_t> values) {
  std::array<uint8_t, kBlockBits + kSequencePadding> padded;  // a value takes at least a bit
  const auto count = static_cast<unsigned>(values.size());
  decode_sequence_padded(bits, first, range, count, padded.data());
  std::copy_n(padded.data(), count, values.data());
}

void encode_sequence(std::span<const uint8_t> values, IntegerRange range, unsigned first,
                     Block128& bits) {
  GroupWriter writer{};
  with_group(range, [&](auto group) {
    using Group = decltype(group);
    writer = {Group::kValues, Group::kLength, Group::encode};
  });
  for (size_t done = 0; done < values.size(); done += writer.values) {
    bits.put(first, writer.encode(bytes_of_group(values, done, writer.values)));
    first += writer.length;
  }
}

}  // namespace tessera::astc
