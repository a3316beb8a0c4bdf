// Tests half floats: every value, ties, overflow, NaN.
#include "base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace tessera {
namespace {

bool is_half_nan(uint32_t bits) {
  return (bits & 0x7C00u) == 0x7C00u && (bits & 0x3FFu) != 0;
}

// What the bits of a half are worth, from the definition of the format.
double half_value(uint32_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 31u);
  const double mantissa = static_cast<double>(bits & 1023u) / 1024.0;
  double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -14) : std::ldexp(1.0 + mantissa, exponent - 15);
  if (exponent == 31) {
    magnitude = std::numeric_limits<double>::infinity();
  }
  return (bits & 0x8000u) != 0 ? -magnitude : magnitude;
}

// The nearest value that a half can hold, ties to the even mantissa, in double arithmetic.
double nearest_half_value(double value) {
  const double magnitude = std::abs(value);
  const int exponent = magnitude > 0.0 ? std::max(std::ilogb(magnitude), -14) : -14;
  const double step = std::ldexp(1.0, exponent - 10);
  const double rounded = std::nearbyint(magnitude / step) * step;  // ties to even by default
  const double limited = rounded > 65504.0 ? std::numeric_limits<double>::infinity() : rounded;
  return std::signbit(value) ? -limited : limited;
}

void expect_nearest(float value) {
  const uint16_t bits = float_to_half(value);
  ASSERT_FALSE(is_half_nan(bits)) << value;
  ASSERT_EQ(half_value(bits), nearest_half_value(static_cast<double>(value)))
      << std::hexfloat << value;
  ASSERT_EQ((bits & 0x8000u) != 0, std::signbit(value)) << std::hexfloat << value;
}

TEST(Half, EveryHalfIsConvertedExactly) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = half_to_float(static_cast<uint16_t>(bits));
    if (is_half_nan(bits)) {
      ASSERT_TRUE(std::isnan(value)) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(value), half_value(bits)) << bits;
      ASSERT_EQ(std::signbit(value), (bits & 0x8000u) != 0) << bits;
    }
  }
}

TEST(Half, EveryHalfSurvivesARoundTrip) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const uint16_t back = float_to_half(half_to_float(static_cast<uint16_t>(bits)));
    if (is_half_nan(bits)) {
      ASSERT_TRUE(is_half_nan(back)) << bits;
      ASSERT_NE(back & 0x200u, 0u) << "a NaN must come back quiet";
      ASSERT_EQ(back & 0x8000u, bits & 0x8000u) << bits;
    } else {
      ASSERT_EQ(back, bits);
    }
  }
}

// Between each two neighbours: the middle (a tie), and the floats next to it.
TEST(Half, TiesGoToEvenAndTheirNeighboursToTheNearest) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = half_to_float(static_cast<uint16_t>(bits));
    const float high = half_to_float(static_cast<uint16_t>(bits + 1));
    const float middle = (low + high) / 2.0f;  // exact: a float has 13 bits to spare
    const uint32_t even = (bits & 1u) == 0 ? bits : bits + 1;
    ASSERT_EQ(float_to_half(middle), even) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(float_to_half(std::nextafter(middle, 1e9f)), bits + 1) << bits;
    ASSERT_EQ(float_to_half(-middle), even | 0x8000u) << bits;
  }
}

TEST(Half, RandomFloatsAreRoundedToTheNearest) {
  std::mt19937 random(20240917);
  std::uniform_int_distribution<uint32_t> any_bits;
  for (int i = 0; i < 2000000; ++i) {
    const float value = std::bit_cast<float>(any_bits(random));
    if (!std::isnan(value)) {
      expect_nearest(value);
    }
  }
}

TEST(Half, RandomFloatsInTheRangeOfHalvesAreRoundedToTheNearest) {
  std::mt19937 random(7);
  std::uniform_int_distribution<uint32_t> mantissa(0, 0x7FFFFF);
  for (uint32_t exponent = 127 - 27; exponent <= 127 + 17; ++exponent) {
    for (int i = 0; i < 20000; ++i) {
      const uint32_t bits = (exponent << 23) | mantissa(random);
      expect_nearest(std::bit_cast<float>(bits));
      expect_nearest(std::bit_cast<float>(bits | 0x80000000u));
    }
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(float_to_half(0.0f), 0x0000);
  EXPECT_EQ(float_to_half(-0.0f), 0x8000);
  EXPECT_EQ(float_to_half(1.0f), 0x3C00);
  EXPECT_EQ(float_to_half(-2.0f), 0xC000);
  EXPECT_EQ(float_to_half(65504.0f), 0x7BFF);
  EXPECT_EQ(float_to_half(0x1p-14f), 0x0400);       // smallest normal
  EXPECT_EQ(float_to_half(0x1p-24f), 0x0001);       // smallest of all
  EXPECT_EQ(float_to_half(0x1.FF8p-15f), 0x03FF);   // largest subnormal
  EXPECT_EQ(float_to_half(0x1.FFFFp-15f), 0x0400);  // rounds up into the normals
  EXPECT_EQ(half_to_float(0x3555), 0.333251953125f);
}

TEST(Half, TooLargeBecomesInfinity) {
  EXPECT_EQ(float_to_half(65519.996f), 0x7BFF);  // just below the tie with 65536
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
  EXPECT_EQ(float_to_half(-65520.0f), 0xFC00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::max()), 0x7C00);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::infinity()), 0x7C00);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::infinity()), 0xFC00);
}

TEST(Half, TooSmallBecomesZero) {
  EXPECT_EQ(float_to_half(0x1p-25f), 0x0000);  // a tie with zero: zero is even
  EXPECT_EQ(float_to_half(std::nextafter(0x1p-25f, 1.0f)), 0x0001);
  EXPECT_EQ(float_to_half(-0x1p-26f), 0x8000);
  EXPECT_EQ(float_to_half(std::numeric_limits<float>::denorm_min()), 0x0000);
}

TEST(Half, NanStaysNanWhateverItsPayload) {
  for (const uint32_t bits : {0x7F800001u, 0x7FC00000u, 0x7FFFFFFFu, 0xFF800001u, 0xFFC12345u}) {
    const uint16_t half = float_to_half(std::bit_cast<float>(bits));
    EXPECT_TRUE(is_half_nan(half)) << std::hex << bits;
    EXPECT_EQ((half & 0x8000u) != 0, (bits >> 31) != 0) << std::hex << bits;
  }
}

}  // namespace
}  // namespace tessera
