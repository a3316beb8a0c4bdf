// Makes the tables of weight and colour levels.
#include "astc/format/quantization.h"

#include "base/rule_table.h"

namespace tessera::astc {
namespace {

// Repeats the `from` bits of a value until `to` bits are full.
constexpr unsigned replicate(unsigned value, unsigned from, unsigned to) {
  unsigned result = 0;
  for (unsigned filled = 0; filled < to; filled += from) {
    const int shift = static_cast<int>(to) - static_cast<int>(filled + from);
    result |= shift >= 0 ? value << shift : value >> -shift;
  }
  return result;
}

// Builds a bit pattern from a picture such as "b000b0bb0": letter a is bit 0 of `bits`, b bit 1, …
constexpr unsigned pattern(const char* picture, unsigned bits) {
  unsigned result = 0;
  for (; *picture != '\0'; ++picture) {
    const unsigned digit =
        *picture == '0' ? 0 : (bits >> static_cast<unsigned>(*picture - 'a')) & 1u;
    result = (result << 1) | digit;
  }
  return result;
}

// The standard's unquantisation of a value with a trit or quint D above plain bits: B is a pattern
// of those bits, C a factor, and the lowest bit flips everything.
struct DigitRule {
  IntegerRange range;
  const char* b;
  unsigned c;
};

constexpr DigitRule kWeightRules[] = {
    {IntegerRange::k6Levels, "0000000", 50},  {IntegerRange::k10Levels, "0000000", 28},
    {IntegerRange::k12Levels, "b000b0b", 23}, {IntegerRange::k20Levels, "b0000b0", 13},
    {IntegerRange::k24Levels, "cb000cb", 11},
};

constexpr DigitRule kColorRules[] = {
    {IntegerRange::k6Levels, "000000000", 204}, {IntegerRange::k10Levels, "000000000", 113},
    {IntegerRange::k12Levels, "b000b0bb0", 93}, {IntegerRange::k20Levels, "b0000bb00", 54},
    {IntegerRange::k24Levels, "cb000cbcb", 44}, {IntegerRange::k40Levels, "cb0000cbc", 26},
    {IntegerRange::k48Levels, "dcb000dcb", 22}, {IntegerRange::k80Levels, "dcb0000dc", 13},
    {IntegerRange::k96Levels, "edcb000ed", 11}, {IntegerRange::k160Levels, "edcb0000e", 6},
    {IntegerRange::k192Levels, "fedcb000f", 5},
};

// `width` is the number of bits of the result: 6 for weights, 8 for colours.
constexpr unsigned apply_rule(const DigitRule& rule, unsigned code, unsigned width) {
  const unsigned bits = range_info(rule.range).bits;
  const unsigned plain = code & ((1u << bits) - 1u);
  const unsigned digit = code >> bits;
  const unsigned flip = (plain & 1u) != 0 ? (1u << (width + 1)) - 1u : 0u;
  const unsigned sum = (digit * rule.c + pattern(rule.b, plain)) ^ flip;
  return (flip & (1u << (width - 1))) | (sum >> 2);
}

template <unsigned kRules>
constexpr unsigned unquantize_digits(const DigitRule (&rules)[kRules], IntegerRange range,
                                     unsigned code, unsigned width) {
  for (const DigitRule& rule : rules) {
    if (rule.range == range) {
      return apply_rule(rule, code, width);
    }
  }
  return 0;
}

constexpr unsigned unquantize_weight(IntegerRange range, unsigned code) {
  constexpr unsigned kThree[] = {0, 32, 63};
  constexpr unsigned kFive[] = {0, 16, 32, 47, 63};
  unsigned value = 0;
  if (range == IntegerRange::k3Levels) {
    value = kThree[code];
  } else if (range == IntegerRange::k5Levels) {
    value = kFive[code];
  } else if (range_info(range).digit == Digit::kNone) {
    value = replicate(code, range_info(range).bits, 6);
  } else {
    value = unquantize_digits(kWeightRules, range, code, 6);
  }
  return value > 32 ? value + 1 : value;  // 0…63 to 0…64
}

constexpr unsigned unquantize_color(IntegerRange range, unsigned code) {
  if (range_info(range).digit == Digit::kNone) {
    return replicate(code, range_info(range).bits, 8);
  }
  return unquantize_digits(kColorRules, range, code, 8);
}

// Fills the other columns from value_of_code; a range's values are all different.
template <typename Table>
constexpr void complete(Table& table, unsigned levels) {
  constexpr unsigned kValues =
      static_cast<unsigned>(std::tuple_size_v<decltype(table.nearest_code)>);
  std::array<int, kValues> code_of_value{};
  for (int& code : code_of_value) {
    code = -1;
  }
  for (unsigned code = 0; code < levels; ++code) {
    code_of_value[table.value_of_code[code]] = static_cast<int>(code);
  }
  unsigned rank = 0;
  for (unsigned value = 0; value < kValues; ++value) {
    if (code_of_value[value] < 0) {
      continue;
    }
    const auto code = static_cast<uint8_t>(code_of_value[value]);
    table.code_of_rank[rank] = code;
    table.rank_of_code[code] = static_cast<uint8_t>(rank);
    table.value_of_rank[rank] = static_cast<uint8_t>(value);
    ++rank;
  }
  rank = 0;
  for (unsigned value = 0; value < kValues; ++value) {
    // Step up as soon as the next value is strictly nearer.
    while (rank + 1 < levels &&
           2 * value > unsigned{table.value_of_rank[rank]} + table.value_of_rank[rank + 1]) {
      ++rank;
    }
    table.nearest_code[value] = table.code_of_rank[rank];
  }
}

TESSERA_TABLE_RULE std::array<WeightTable, kWeightRangeCount> make_weight_tables() {
  std::array<WeightTable, kWeightRangeCount> tables{};
  for (unsigned i = 0; i < kWeightRangeCount; ++i) {
    const IntegerRange range = range_from_index(i);
    for (unsigned code = 0; code < range_levels(range); ++code) {
      tables[i].value_of_code[code] = static_cast<uint8_t>(unquantize_weight(range, code));
    }
    complete(tables[i], range_levels(range));
  }
  return tables;
}

TESSERA_TABLE_RULE std::array<ColorTable, kColorRangeCount> make_color_tables() {
  std::array<ColorTable, kColorRangeCount> tables{};
  for (unsigned i = 0; i < kColorRangeCount; ++i) {
    const IntegerRange range = range_from_index(i + range_index(kSmallestColorRange));
    for (unsigned code = 0; code < range_levels(range); ++code) {
      tables[i].value_of_code[code] = static_cast<uint8_t>(unquantize_color(range, code));
    }
    complete(tables[i], range_levels(range));
  }
  return tables;
}

}  // namespace

TESSERA_RULE_TABLE std::array<WeightTable, kWeightRangeCount> kWeightTables = make_weight_tables();
TESSERA_RULE_TABLE std::array<ColorTable, kColorRangeCount> kColorTables = make_color_tables();

}  // namespace tessera::astc
