// Decimal numbers by whole-number arithmetic, against the standard library.
#include "base/exact_decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace tessera {
namespace {

std::string printed(double value, int digits) {
  char text[64];
  return {text, static_cast<size_t>(std::snprintf(text, sizeof text, "%.*g", digits, value))};
}

// Of all exponents, and near one; whole numbers; the ends of the range.
std::vector<double> many_numbers() {
  std::vector<double> numbers = {0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.5,
                                 999999.5,
                                 9999995,
                                 1e22,
                                 1e23,
                                 5e-324,
                                 1e-5,
                                 9.5e-5,
                                 0.1,
                                 2.5,
                                 3.5,
                                 0.125,
                                 2.2250738585072014e-308,
                                 1.7976931348623157e308,
                                 4.35,
                                 99.99};
  std::mt19937_64 random(7);
  for (int i = 0; i < 2000; ++i) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) {
      numbers.push_back(any);
    }
    numbers.push_back(static_cast<double>(random() >> 11) * 0x1p-50 - 4);
    numbers.push_back(static_cast<double>(random() % 100000) / 100);
  }
  return numbers;
}

TEST(ExactDecimal, WritesWhatPrintfWrites) {
  for (const double number : many_numbers()) {
    for (const int digits : {1, 3, 6, 15, 17}) {
      ASSERT_EQ(exact_text(number, static_cast<size_t>(digits)), printed(number, digits));
    }
  }
}

TEST(ExactDecimal, TheShortestTextIsReadAsTheSameNumber) {
  for (const double number : many_numbers()) {
    const std::string text = exact_shortest_text(number);
    double back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(std::bit_cast<uint64_t>(back), std::bit_cast<uint64_t>(number)) << text;
    int digits = 1;
    while (std::strtod(printed(number, digits).c_str(), nullptr) != number) {
      ++digits;
    }
    ASSERT_EQ(text, printed(number, digits));
  }
}

template <class Float>
std::optional<Float> read_by_library(const std::string& text) {
  Float value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() ? std::optional(value) : std::nullopt;
}

TEST(ExactDecimal, ReadsTheNearestNumber) {
  for (const double number : many_numbers()) {
    for (const int digits : {3, 8, 17, 25}) {
      const std::string text = printed(std::fabs(number), digits);
      ASSERT_EQ(exact_double(text), read_by_library<double>(text)) << text;
      ASSERT_EQ(exact_float(text), read_by_library<float>(text)) << text;
    }
  }
}

TEST(ExactDecimal, ReadsWhatLiesHalfWay) {
  EXPECT_EQ(exact_double("9007199254740993"), 9007199254740992.0);  // to the even one
  EXPECT_EQ(exact_double("9007199254740995"), 9007199254740996.0);
  EXPECT_EQ(exact_double("9007199254740993.0000000000000000000000000000000000001"),
            9007199254740994.0);
  EXPECT_EQ(exact_float("16777217"), 16777216.0F);
  EXPECT_EQ(exact_double("2.4703282292062327208e-324"), std::nullopt);  // below half of the least
  EXPECT_EQ(exact_double("2.4703282292062328e-324"), 5e-324);
}

TEST(ExactDecimal, ReadsAllWaysOfWriting) {
  EXPECT_EQ(exact_double("000.500"), 0.5);
  EXPECT_EQ(exact_double(".5"), 0.5);
  EXPECT_EQ(exact_double("5."), 5.0);
  EXPECT_EQ(exact_double("25E-1"), 2.5);
  EXPECT_EQ(exact_double("2.5e+3"), 2500.0);
  EXPECT_EQ(exact_double("0e99999999999"), 0.0);
  EXPECT_EQ(exact_double("1e99999999999"), std::nullopt);
  EXPECT_EQ(exact_double("1e-99999999999"), std::nullopt);
  EXPECT_EQ(exact_float("3.4028236e38"), std::nullopt);
}

}  // namespace
}  // namespace tessera
