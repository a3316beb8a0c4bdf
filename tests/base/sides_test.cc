// Tests sizes as text.
#include "base/sides.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

TEST(Sides, TwoOrThreeAreRead) {
  using Sides = std::array<uint32_t, 3>;
  EXPECT_EQ(parse_sides("6x5", 255), (Sides{6, 5, 1}));
  EXPECT_EQ(parse_sides("4x3x2", 255), (Sides{4, 3, 2}));
  EXPECT_EQ(parse_sides("255x1", 255), (Sides{255, 1, 1}));
  EXPECT_EQ(parse_sides("4294967295x1x1", UINT32_MAX), (Sides{UINT32_MAX, 1, 1}));
}

TEST(Sides, AllElseIsNone) {
  for (const char* text : {"",      "6",   "6x",    "x6",    "6x6x",  "6x6x6x",       "6x6x6x6",
                           "0x6",   "6x0", "6x6x0", "-6x6",  "+6x6",  " 6x6",         "6x6 ",
                           "6 x 6", "6X6", "axb",   "256x6", "6x256", "99999999999x6"}) {
    EXPECT_FALSE(parse_sides(text, 255)) << text;
  }
}

}  // namespace
}  // namespace tessera
