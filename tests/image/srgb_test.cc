// Tests the sRGB curve against the standard, to the last code.
#include "image/srgb.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace tessera {
namespace {

// The standard's formulas with the C library's pow.
double decode_oracle(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

double encode_oracle(double linear) {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1.0 / 2.4) - 0.055;
}

// Relative to the value: a float is good for 6e-8.
void expect_close(double actual, double expected) {
  ASSERT_NEAR(actual, expected, 1.2e-7 * std::abs(expected)) << expected;
}

TEST(Srgb, DecodesAsTheStandardSays) {
  for (int i = 0; i <= 100000; ++i) {
    const float encoded = static_cast<float>(i) / 100000.0f;
    expect_close(static_cast<double>(srgb_to_linear(encoded)),
                 decode_oracle(static_cast<double>(encoded)));
  }
}

TEST(Srgb, EncodesAsTheStandardSays) {
  for (int i = 0; i <= 100000; ++i) {
    const float linear = static_cast<float>(i) / 100000.0f;
    expect_close(static_cast<double>(linear_to_srgb(linear)),
                 encode_oracle(static_cast<double>(linear)));
  }
  for (float tiny = 1e-30f; tiny < 1.0f; tiny *= 1.7f) {
    expect_close(static_cast<double>(linear_to_srgb(tiny)),
                 encode_oracle(static_cast<double>(tiny)));
  }
}

TEST(Srgb, KnownValues) {
  EXPECT_EQ(srgb_to_linear(0.0f), 0.0f);
  EXPECT_EQ(srgb_to_linear(1.0f), 1.0f);
  EXPECT_EQ(linear_to_srgb(0.0f), 0.0f);
  EXPECT_EQ(linear_to_srgb(1.0f), 1.0f);
  EXPECT_NEAR(srgb_to_linear(0.5f), 0.21404114f, 1e-7f);
  EXPECT_NEAR(linear_to_srgb(0.18f), 0.46135613f, 1e-7f);
  EXPECT_EQ(linear_to_srgb8(0.5f), 188);
  EXPECT_EQ(srgb8_to_linear(0), 0.0f);
  EXPECT_EQ(srgb8_to_linear(255), 1.0f);
}

TEST(Srgb, ClampsWhatLiesOutside) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const float low : {-1.0f, -infinity, -1e-30f, nan}) {
    EXPECT_EQ(srgb_to_linear(low), 0.0f);
    EXPECT_EQ(linear_to_srgb(low), 0.0f);
    EXPECT_EQ(linear_to_srgb8(low), 0);
    EXPECT_EQ(Srgb16Tables::get().from_linear(low), 0);
  }
  for (const float high : {1.0f, 1.0001f, 1e30f, infinity}) {
    EXPECT_EQ(srgb_to_linear(high), 1.0f);
    EXPECT_EQ(linear_to_srgb(high), 1.0f);
    EXPECT_EQ(linear_to_srgb8(high), 255);
    EXPECT_EQ(Srgb16Tables::get().from_linear(high), 65535);
  }
}

TEST(Srgb, ExtendedCurvesGoOnOutside) {
  for (const double encoded : {1.5, 4.0, 100.0, -0.01, -0.5, -3.0}) {
    const double mirrored = std::copysign(decode_oracle(std::abs(encoded)), encoded);
    EXPECT_NEAR(srgb_to_linear_extended(encoded), mirrored, 1e-13 * std::abs(mirrored));
    EXPECT_NEAR(linear_to_srgb_extended(srgb_to_linear_extended(encoded)), encoded,
                1e-7 * std::abs(encoded));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(srgb_to_linear_extended(infinity), infinity);
  EXPECT_EQ(linear_to_srgb_extended(-infinity), -infinity);
  EXPECT_TRUE(std::isnan(srgb_to_linear_extended(std::nan(""))));
}

TEST(Srgb, EightBitCodesSurviveARoundTrip) {
  for (int code = 0; code < 256; ++code) {
    const float linear = srgb8_to_linear(static_cast<uint8_t>(code));
    ASSERT_EQ(linear_to_srgb8(linear), code);
    expect_close(static_cast<double>(linear), decode_oracle(code / 255.0));
  }
}

TEST(Srgb, SixteenBitCodesSurviveARoundTrip) {
  const Srgb16Tables& tables = Srgb16Tables::get();
  for (uint32_t code = 0; code < 65536; ++code) {
    const float linear = tables.to_linear(static_cast<uint16_t>(code));
    ASSERT_EQ(tables.from_linear(linear), code);
    expect_close(static_cast<double>(linear), decode_oracle(code / 65535.0));
  }
}

// The chosen code is the nearest; only right at a border may the oracle's own error decide.
void expect_nearest_codes(float linear) {
  const double encoded = encode_oracle(static_cast<double>(linear));
  ASSERT_NEAR(encoded * 255.0, linear_to_srgb8(linear), 0.5 + 1e-9) << linear;
  ASSERT_NEAR(encoded * 65535.0, Srgb16Tables::get().from_linear(linear), 0.5 + 1e-6) << linear;
}

TEST(Srgb, PicksTheNearestCodeOfRandomValues) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> unit(0.0f, 1.0f);
  for (int i = 0; i < 300000; ++i) {
    const float value = unit(random);
    expect_nearest_codes(value);
    expect_nearest_codes(value * value * value * value);  // more of the dark end
  }
}

TEST(Srgb, SwitchesCodesExactlyAtTheBorders) {
  for (int code = 0; code < 255; ++code) {
    const auto border = static_cast<float>(decode_oracle((code + 0.5) / 255.0));
    const float below = std::nextafter(std::nextafter(border, 0.0f), 0.0f);
    const float above = std::nextafter(std::nextafter(border, 1.0f), 1.0f);
    ASSERT_EQ(linear_to_srgb8(below), code);
    ASSERT_EQ(linear_to_srgb8(above), code + 1);
    expect_nearest_codes(border);
  }
}

TEST(Srgb, SwitchesSixteenBitCodesExactlyAtTheBorders) {
  const Srgb16Tables& tables = Srgb16Tables::get();
  for (uint32_t code = 0; code < 65535; ++code) {
    const auto border = static_cast<float>(decode_oracle((code + 0.5) / 65535.0));
    const float below = std::nextafter(std::nextafter(border, 0.0f), 0.0f);
    const float above = std::nextafter(std::nextafter(border, 1.0f), 1.0f);
    ASSERT_EQ(tables.from_linear(below), code);
    ASSERT_EQ(tables.from_linear(above), code + 1);
  }
}

}  // namespace
}  // namespace tessera
