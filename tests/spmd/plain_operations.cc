// The plain code that lanes are compared with: see plain_operations.h.
#include "plain_operations.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "lane_operations.h"

namespace tessera {
namespace {

using Bits = int32_t;
using Answer = std::optional<int32_t>;

float f(Bits bits) {
  return std::bit_cast<float>(bits);
}
uint32_t u(Bits bits) {
  return static_cast<uint32_t>(bits);
}
Bits from_unsigned(uint32_t value) {
  return static_cast<int32_t>(value);
}
Bits from_float(float value) {
  return std::bit_cast<int32_t>(value);
}
Bits from_bool(bool value) {
  return value ? -1 : 0;
}
int32_t low(Bits bits) {
  return static_cast<int16_t>(u(bits) & 0xFFFF);
}
int32_t high(Bits bits) {
  return static_cast<int16_t>(u(bits) >> 16);
}
Bits from_halves(int32_t low_half, int32_t high_half) {
  return from_unsigned((static_cast<uint32_t>(low_half) & 0xFFFF) | static_cast<uint32_t>(high_half)
                                                                        << 16);
}
int64_t dot(Bits a, Bits b) {
  return int64_t{low(a)} * low(b) + int64_t{high(a)} * high(b);
}
Bits from_wide(int64_t value) {
  return from_unsigned(static_cast<uint32_t>(static_cast<uint64_t>(value)));
}

// On each byte of both.
template <typename Operation>
Bits each_byte(Bits a, Bits b, const Operation& operation) {
  uint32_t result = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const auto x = static_cast<uint8_t>(u(a) >> shift), y = static_cast<uint8_t>(u(b) >> shift);
    result |= uint32_t{static_cast<uint8_t>(operation(x, y))} << shift;
  }
  return from_unsigned(result);
}

// The smaller of two floats, but for NaN and for zeros of either sign, where targets differ.
Answer smaller(float a, float b, bool is_smaller) {
  if (std::isnan(a) || std::isnan(b) || (a == 0 && b == 0)) {
    return {};
  }
  return from_float(is_smaller ? std::min(a, b) : std::max(a, b));
}

// Volatile, so that no compiler joins the steps.
float product_then_sum(float a, float b, float c) {
  volatile float product = a * b;
  return product + c;
}

float reciprocal(float v) {
  volatile float guess = f(from_unsigned(0x7EF311C3u - u(from_float(v))));
  for (int i = 0; i < 2; ++i) {
    volatile float product = v * guess;
    volatile float rest = 2.0f - product;
    guess = guess * rest;
  }
  return guess;
}

using LaneMap = std::map<std::string, PlainLaneOperation>;

void add_integer_operations(LaneMap& map) {
  map["all_lanes"] = [](Bits, Bits, Bits) { return -7; };
  map["as_u8x4_of_i16x2"] = [](Bits a, Bits, Bits) { return a; };
  map["as_i16x2_of_u8x4"] = [](Bits a, Bits, Bits) { return a; };
  map["add_i32"] = [](Bits a, Bits b, Bits) { return from_unsigned(u(a) + u(b)); };
  map["subtract_i32"] = [](Bits a, Bits b, Bits) { return from_unsigned(u(a) - u(b)); };
  map["multiply_i32"] = [](Bits a, Bits b, Bits) { return from_unsigned(u(a) * u(b)); };
  map["and_i32"] = [](Bits a, Bits b, Bits) { return a & b; };
  map["or_i32"] = [](Bits a, Bits b, Bits) { return a | b; };
  map["xor_i32"] = [](Bits a, Bits b, Bits) { return a ^ b; };
  for (const int bits : {0, 7, 31}) {
    const std::string suffix = "_" + std::to_string(bits);
    map["shift_left" + suffix] = [bits](Bits a, Bits, Bits) { return from_unsigned(u(a) << bits); };
    map["shift_right_logical" + suffix] = [bits](Bits a, Bits, Bits) {
      return from_unsigned(u(a) >> bits);
    };
    map["shift_right_arithmetic" + suffix] = [bits](Bits a, Bits, Bits) { return a >> bits; };
  }
  map["shift_left_same"] = [](Bits a, Bits, Bits c) { return from_unsigned(u(a) << (c & 31)); };
  map["shift_left_shared"] = map["shift_left_same"];
  map["shift_right_logical_same"] = [](Bits a, Bits, Bits c) {
    return from_unsigned(u(a) >> (c & 31));
  };
  map["shift_left_each"] = [](Bits a, Bits b, Bits) { return from_unsigned(u(a) << (b & 31)); };
  map["shift_right_logical_each"] = [](Bits a, Bits b, Bits) {
    return from_unsigned(u(a) >> (b & 31));
  };
  map["greater_i32"] = [](Bits a, Bits b, Bits) { return from_bool(a > b); };
  map["less_i32"] = [](Bits a, Bits b, Bits) { return from_bool(a < b); };
  map["equal_i32"] = [](Bits a, Bits b, Bits) { return from_bool(a == b); };
  map["select_i32"] = [](Bits a, Bits b, Bits c) { return a > b ? a : c; };
  map["zero_unless_i32"] = [](Bits a, Bits b, Bits) { return a > b ? a : 0; };
  map["min_i32"] = [](Bits a, Bits b, Bits) { return std::min(a, b); };
  map["max_i32"] = [](Bits a, Bits b, Bits) { return std::max(a, b); };
  map["absolute_i32"] = [](Bits a, Bits, Bits) { return from_unsigned(a < 0 ? 0u - u(a) : u(a)); };
  map["gather_i32"] = [](Bits a, Bits, Bits) { return gather_entry(a & (kGatherEntries - 1)); };
  map["gather_f32"] = map["gather_i32"];
  map["look_up"] = [](Bits a, Bits, Bits) { return kByteTable[a & 15]; };
  map["reverse_bits"] = [](Bits a, Bits, Bits) {
    uint32_t reversed = 0;
    for (unsigned i = 0; i < 32; ++i) {
      reversed |= (u(a) >> i & 1) << (31 - i);
    }
    return static_cast<Bits>(reversed);
  };
  map["count_bits"] = [](Bits a, Bits, Bits) { return std::popcount(u(a)); };
  map["mask_and"] = [](Bits a, Bits b, Bits) { return from_bool(a > b && b < 0); };
  map["mask_or"] = [](Bits a, Bits b, Bits) { return from_bool(a > b || b < 0); };
  map["mask_not"] = [](Bits a, Bits b, Bits) { return from_bool(a <= b); };
  map["every_lane_true"] = [](Bits, Bits, Bits) { return -1; };
  map["every_lane_false"] = [](Bits, Bits, Bits) { return 0; };
}

void add_float_operations(LaneMap& map) {
  map["all_lanes_f32"] = [](Bits, Bits, Bits) { return from_float(-2.5f); };
  map["add_f32"] = [](Bits a, Bits b, Bits) { return from_float(f(a) + f(b)); };
  map["subtract_f32"] = [](Bits a, Bits b, Bits) { return from_float(f(a) - f(b)); };
  map["multiply_f32"] = [](Bits a, Bits b, Bits) { return from_float(f(a) * f(b)); };
  map["divide_f32"] = [](Bits a, Bits b, Bits) { return from_float(f(a) / f(b)); };
  map["multiply_then_add_f32"] = [](Bits a, Bits b, Bits c) {
    return from_float(product_then_sum(f(a), f(b), f(c)));
  };
  map["square_root"] = [](Bits a, Bits, Bits) { return from_float(std::sqrt(f(a))); };
  map["min_f32"] = [](Bits a, Bits b, Bits) { return smaller(f(a), f(b), true); };
  map["max_f32"] = [](Bits a, Bits b, Bits) { return smaller(f(a), f(b), false); };
  map["greater_f32"] = [](Bits a, Bits b, Bits) { return from_bool(f(a) > f(b)); };
  map["less_f32"] = [](Bits a, Bits b, Bits) { return from_bool(f(a) < f(b)); };
  map["select_f32"] = [](Bits a, Bits b, Bits c) { return f(a) > f(b) ? a : c; };
  map["zero_unless_f32"] = [](Bits a, Bits b, Bits) { return f(a) < f(b) ? a : 0; };
  map["to_f32"] = [](Bits a, Bits, Bits) { return from_float(static_cast<float>(a)); };
  map["truncate"] = [](Bits a, Bits, Bits) { return from_float(std::trunc(f(a))); };
  map["truncate_to_i32"] = [](Bits a, Bits, Bits) -> Answer {
    if (std::abs(f(a)) < 4194304.0f) {
      return static_cast<int32_t>(f(a));
    }
    return {};
  };
  map["absolute_f32"] = [](Bits a, Bits, Bits) { return a & 0x7FFFFFFF; };
  map["quick_reciprocal"] = [](Bits a, Bits, Bits) { return from_float(reciprocal(f(a))); };
}

void add_small_integer_operations(LaneMap& map) {
  map["all_lanes_i16x2"] = [](Bits, Bits, Bits) { return from_halves(-3, -3); };
  map["add_i16x2"] = [](Bits a, Bits b, Bits) {
    return from_halves(low(a) + low(b), high(a) + high(b));
  };
  map["subtract_i16x2"] = [](Bits a, Bits b, Bits) {
    return from_halves(low(a) - low(b), high(a) - high(b));
  };
  map["multiply_i16x2"] = [](Bits a, Bits b, Bits) {
    return from_halves(low(a) * low(b), high(a) * high(b));
  };
  map["and_i16x2"] = [](Bits a, Bits b, Bits) { return a & b; };
  map["shift_right_logical_i16x2"] = [](Bits a, Bits, Bits) {
    return from_halves((low(a) & 0xFFFF) >> 5, (high(a) & 0xFFFF) >> 5);
  };
  map["shift_right_arithmetic_i16x2"] = [](Bits a, Bits, Bits) {
    return from_halves(low(a) >> 5, high(a) >> 5);
  };
  map["min_i16x2"] = [](Bits a, Bits b, Bits) {
    return from_halves(std::min(low(a), low(b)), std::min(high(a), high(b)));
  };
  map["max_i16x2"] = [](Bits a, Bits b, Bits) {
    return from_halves(std::max(low(a), low(b)), std::max(high(a), high(b)));
  };
  map["multiply_and_add_halves"] = [](Bits a, Bits b, Bits) { return from_wide(dot(a, b)); };
  map["multiply_low_halves"] = [](Bits a, Bits b, Bits) { return (a & 32767) * (b & 32767); };
  map["combine_halves"] = [](Bits a, Bits b, Bits) { return from_halves(low(b), high(a)); };
  map["accumulate_pairs"] = [](Bits a, Bits b, Bits c) { return from_wide(c + dot(a, b)); };
  map["min_u8x4"] = [](Bits a, Bits b, Bits) {
    return each_byte(a, b, [](int x, int y) { return std::min(x, y); });
  };
  map["max_u8x4"] = [](Bits a, Bits b, Bits) {
    return each_byte(a, b, [](int x, int y) { return std::max(x, y); });
  };
  map["subtract_u8x4"] = [](Bits a, Bits b, Bits) {
    return each_byte(a, b, [](int x, int y) { return x - y; });
  };
}

// The lowest 16 bits.
uint16_t word(int64_t value) {
  return static_cast<uint16_t>(value);
}
int32_t with_sign(uint16_t value) {
  return static_cast<int16_t>(value);
}

uint16_t word_of(const Vector16& v, size_t i) {
  return word(v[2 * i] | v[2 * i + 1] << 8);
}

// Low bytes first, then high ones.
template <typename Operation>
Vector16 each_word(const Operation& operation) {
  Vector16 out{};
  for (size_t i = 0; i < 8; ++i) {
    const uint16_t value = word(operation(i));
    out[i] = static_cast<uint8_t>(value);
    out[i + 8] = static_cast<uint8_t>(value >> 8);
  }
  return out;
}

template <typename Operation>
Vector16 each_of_16(const Operation& operation) {
  Vector16 out{};
  for (size_t i = 0; i < 16; ++i) {
    out[i] = operation(i);
  }
  return out;
}

}  // namespace

const std::map<std::string, PlainLaneOperation>& plain_lane_operations() {
  static const LaneMap kMap = [] {
    LaneMap map;
    add_integer_operations(map);
    add_float_operations(map);
    add_small_integer_operations(map);
    return map;
  }();
  return kMap;
}

const std::map<std::string, PlainTexelOperation>& plain_texel_operations() {
  using Word = uint16_t;
  static const std::map<std::string, PlainTexelOperation> kMap = {
      {"all_texels_u16", [](Word, Word) { return word(40000); }},
      {"all_texels_i16", [](Word, Word) { return word(-5); }},
      {"load_texel_bytes_u16", [](Word a, Word) { return a; }},
      {"load_texel_bytes_i16", [](Word a, Word) { return a; }},
      {"add_i16", [](Word a, Word b) { return word(a + b); }},
      {"subtract_i16", [](Word a, Word b) { return word(a - b); }},
      {"multiply_i16", [](Word a, Word b) { return word(with_sign(a) * with_sign(b)); }},
      {"add_u16", [](Word a, Word b) { return word(a + b); }},
      {"subtract_u16", [](Word a, Word b) { return word(a - b); }},
      {"or_u16", [](Word a, Word b) { return word(a | b); }},
      {"without_bits", [](Word a, Word b) { return word(a & ~b); }},
      {"shift_left_i16", [](Word a, Word) { return word(a << 3); }},
      {"shift_left_u16", [](Word a, Word) { return word(a << 3); }},
      {"shift_right_arithmetic_i16", [](Word a, Word) { return word(with_sign(a) >> 3); }},
      {"shift_right_logical_u16", [](Word a, Word) { return word(a >> 3); }},
      {"minus_one_where_less",
       [](Word a, Word b) { return word(with_sign(a) < with_sign(b) ? -1 : 0); }},
      {"look_up_bytes", [](Word a, Word) { return word(kByteTable[a >> 12]); }},
      {"look_up_words", [](Word a, Word) { return word(kWordTable[a >> 13]); }},
  };
  return kMap;
}

const std::map<std::string, PlainByteOperation>& plain_byte_operations() {
  using V = const Vector16&;
  // The same indices as in lane_operations.cc.
  static constexpr Vector16 kIndices = {0, 1, 2, 3, 128, 255, 7, 8, 15, 14, 13, 129, 200, 5, 10, 4};
  static const std::map<std::string, PlainByteOperation> kMap = {
      {"load_bytes16", [](V a, V, V) { return a; }},
      {"look_up_low_bits",
       [](V a, V b, V) { return each_of_16([&](size_t i) { return a[b[i] & 15u]; }); }},
      {"look_up_or_zero",
       [](V a, V b, V) {
         return each_of_16([&](size_t i) {
           const uint8_t index = kIndices[b[i] & 15u];
           return index < 16 ? a[index] : uint8_t{0};
         });
       }},
      {"select_above_15",
       [](V a, V b, V c) { return each_of_16([&](size_t i) { return a[i] > 15 ? b[i] : c[i]; }); }},
      {"load_words8", [](V a, V, V) { return each_word([&](size_t i) { return word_of(a, i); }); }},
      {"all_words8", [](V, V, V) { return each_word([](size_t) { return 0xABCD; }); }},
      {"as_words8", [](V a, V, V) { return each_word([&](size_t i) { return word_of(a, i); }); }},
      {"add_words8",
       [](V a, V b, V) {
         return each_word([&](size_t i) { return word_of(a, i) + word_of(b, i); });
       }},
      {"multiply_words8",
       [](V a, V b, V) {
         return each_word([&](size_t i) { return int64_t{word_of(a, i)} * word_of(b, i); });
       }},
      {"shift_right_words8",
       [](V a, V, V) { return each_word([&](size_t i) { return word_of(a, i) >> 5; }); }},
  };
  return kMap;
}

}  // namespace tessera
