// Which bytes are characters.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera {
namespace {

TEST(Utf8, Characters) {
  EXPECT_EQ(utf8_bytes("a"), 1u);
  EXPECT_EQ(utf8_bytes(std::string_view("\0", 1)), 1u);
  EXPECT_EQ(utf8_bytes("\u00e9x"), 2u);
  EXPECT_EQ(utf8_bytes("\u20ac"), 3u);
  EXPECT_EQ(utf8_bytes("\U0001f600!"), 4u);
  EXPECT_EQ(utf8_bytes("\xF4\x8F\xBF\xBF"), 4u) << "the last one";
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("a\u00e9\u20ac\U0001f600z"));
}

TEST(Utf8, WhatIsNone) {
  for (const char* text : {
           "\x80", "\xBF\x80",                  // the middle of one
           "\xC3", "\xE2\x82", "\xF0\x9F\x98",  // the beginning of one
           "\xC3(", "\xE2\x82(", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF",
           "\xF0\x8F\xBF\xBF",                              // longer than needed
           "\xED\xA0\x80", "\xED\xBF\xBF",                  // half of UTF-16's pairs
           "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF",  // after the last one
       }) {
    EXPECT_EQ(utf8_bytes(text), 0u) << testing::PrintToString(text);
    EXPECT_FALSE(is_utf8(std::string("a") + text));
  }
}

}  // namespace
}  // namespace tessera
