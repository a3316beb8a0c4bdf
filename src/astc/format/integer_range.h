// The 21 ranges of integers (0 to levels − 1) that ASTC can pack: 2^b, 3·2^b and 5·2^b levels.
// Weights use the first 12, colour values those from 6 levels on.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {

enum class IntegerRange : uint8_t {
  k2Levels,
  k3Levels,
  k4Levels,
  k5Levels,
  k6Levels,
  k8Levels,
  k10Levels,
  k12Levels,
  k16Levels,
  k20Levels,
  k24Levels,
  k32Levels,
  k40Levels,
  k48Levels,
  k64Levels,
  k80Levels,
  k96Levels,
  k128Levels,
  k160Levels,
  k192Levels,
  k256Levels,
};

inline constexpr unsigned kRangeCount = 21;
inline constexpr unsigned kWeightRangeCount = 12;
inline constexpr IntegerRange kSmallestColorRange = IntegerRange::k6Levels;
inline constexpr unsigned kColorRangeCount = 17;

// What a value of the range is made of: `bits` plain low bits and, above them, perhaps one digit of
// base 3 (a trit) or base 5 (a quint).
enum class Digit : uint8_t { kNone, kTrit, kQuint };

struct RangeInfo {
  uint16_t levels;
  uint8_t bits;
  Digit digit;
};

constexpr unsigned range_index(IntegerRange range) {
  return static_cast<unsigned>(range);
}
constexpr IntegerRange range_from_index(unsigned index) {
  return static_cast<IntegerRange>(index);
}

inline constexpr std::array<RangeInfo, kRangeCount> kRangeInfos = {{
    {2, 1, Digit::kNone},   {3, 0, Digit::kTrit},   {4, 2, Digit::kNone},    {5, 0, Digit::kQuint},
    {6, 1, Digit::kTrit},   {8, 3, Digit::kNone},   {10, 1, Digit::kQuint},  {12, 2, Digit::kTrit},
    {16, 4, Digit::kNone},  {20, 2, Digit::kQuint}, {24, 3, Digit::kTrit},   {32, 5, Digit::kNone},
    {40, 3, Digit::kQuint}, {48, 4, Digit::kTrit},  {64, 6, Digit::kNone},   {80, 4, Digit::kQuint},
    {96, 5, Digit::kTrit},  {128, 7, Digit::kNone}, {160, 5, Digit::kQuint}, {192, 6, Digit::kTrit},
    {256, 8, Digit::kNone},
}};

constexpr const RangeInfo& range_info(IntegerRange range) {
  return kRangeInfos[range_index(range)];
}
constexpr unsigned range_levels(IntegerRange range) {
  return range_info(range).levels;
}

// Bits that a sequence of `count` values takes: five trits share 8 bits, three quints 7; of the
// last group only what it needs is stored.
constexpr unsigned sequence_bit_count(IntegerRange range, unsigned count) {
  const RangeInfo& info = range_info(range);
  const unsigned plain = info.bits * count;
  switch (info.digit) {
    case Digit::kTrit:
      return plain + (8 * count + 4) / 5;
    case Digit::kQuint:
      return plain + (7 * count + 2) / 3;
    case Digit::kNone:
      break;
  }
  return plain;
}

}  // namespace tessera::astc
