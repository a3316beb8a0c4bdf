// Decimal numbers: reading them from the beginning of a text, and writing them.
#include "base/decimal.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Decimal, TakesTheNumberAtTheBeginning) {
  std::string_view text = "-2.5e3,7";
  EXPECT_EQ(take_double(text), -2500.0);
  EXPECT_EQ(text, ",7");
  text = "+.5";
  EXPECT_EQ(take_float(text), 0.5F);
  EXPECT_EQ(text, "");
  text = "3.";
  EXPECT_EQ(take_double(text), 3.0);
  text = "10e";  // an exponent has digits
  EXPECT_EQ(take_double(text), 10.0);
  EXPECT_EQ(text, "e");
}

TEST(Decimal, WhatIsNoNumberStays) {
  for (const char* wrong : {"", "-", ".", "e5", "nan", "inf", " 1", "x1", "+-1"}) {
    std::string_view text = wrong;
    EXPECT_FALSE(take_double(text)) << wrong;
    EXPECT_EQ(text, wrong);
  }
}

TEST(Decimal, TooLargeIsNoNumber) {
  std::string_view text = "1e999";
  EXPECT_FALSE(take_double(text));
  text = "1e39";
  EXPECT_FALSE(take_float(text));
}

TEST(Decimal, WritesSixDigits) {
  EXPECT_EQ(decimal_text(0.5), "0.5");
  EXPECT_EQ(decimal_text(100), "100");
  EXPECT_EQ(decimal_text(1.0 / 3), "0.333333");
  EXPECT_EQ(decimal_text(1e6), "1e+06");
}

}  // namespace
}  // namespace tessera
