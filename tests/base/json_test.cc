// JSON texts.
#include "base/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace tessera {
namespace {

TEST(JsonTest, ValuesOfEveryKind) {
  Json object = Json::object({{"yes", true},
                              {"count", uint64_t{1} << 40},
                              {"less", -3},
                              {"half", 0.5},
                              {"whole", 999.0},
                              {"none", std::numeric_limits<double>::infinity()},
                              {"name", "a"},
                              {"list", Json::Array{1, "b"}},
                              {"empty", Json::Array{}},
                              {"nothing", Json()}});
  EXPECT_EQ(object.text(), R"({
  "yes": true,
  "count": 1099511627776,
  "less": -3,
  "half": 0.5,
  "whole": 999.0,
  "none": null,
  "name": "a",
  "list": [
    1,
    "b"
  ],
  "empty": [],
  "nothing": {}
})");
}

TEST(JsonTest, MembersKeepTheirPlaceWhenTheyAreSetAgain) {
  Json object;
  object.set("a", 1);
  object.set("b", 2);
  object.update(Json::object({{"a", 3}, {"c", 4}}));
  EXPECT_EQ(object.text(), "{\n  \"a\": 3,\n  \"b\": 2,\n  \"c\": 4\n}");
}

TEST(JsonTest, TextsAreEscaped) {
  EXPECT_EQ(Json("a\"b\\c\n\x01").text(), "\"a\\\"b\\\\c\\n\\u0001\"");
  EXPECT_EQ(Json("é€😀").text(), "\"é€😀\"");
}

TEST(JsonTest, BytesThatAreNotUtf8AreReplaced) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(Json("a\xFF").text(), "\"a" + replacement + "\"");
  EXPECT_EQ(Json("\xC0\x80").text(), "\"" + replacement + replacement + "\"");  // overlong
  EXPECT_EQ(Json("\xED\xA0\x80").text(), "\"" + replacement + replacement + replacement + "\"");
  EXPECT_EQ(Json("\xE2\x82").text(), "\"" + replacement + replacement + "\"");  // cut off
}

}  // namespace
}  // namespace tessera
