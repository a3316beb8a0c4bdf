// Tests key/value data of .ktx2 files.
#include "containers/ktx2_keys.h"

#include <gtest/gtest.h>

#include "container_helpers.h"
#include "containers/container_rules.h"
#include "containers/ktx2_file.h"

namespace tessera {
namespace {

Bytes file_with(const Ktx2Options& options, uint32_t depth = 1) {
  Texture texture;
  texture.info.width = texture.info.height = 4;
  texture.info.depth = depth;
  fill_levels(texture, 1);
  return on_heap(write_ktx2_file(texture, options).value());
}

TEST(Ktx2Keys, AreSortedKeptAndValid) {
  Ktx2Options options;
  options.made_with = "--block 6x6";
  options.orientation = "rd";
  for (const auto& [name, text] : {std::pair{"zebra", "1"},
                                   {"Author", "Jos\xC3\xA9"},
                                   {"empty", ""},
                                   {"KTXswizzle", "rrr1"}}) {
    options.keys.push_back(make_texture_key(name, text).value());
  }
  const Bytes bytes = file_with(options);
  const Texture texture = read_ktx2_file(bytes, "x").value();
  std::vector<std::string> names;
  for (const TextureKey& key : texture.keys) {
    names.push_back(key.name + "=" + shown_value(key.value));
  }
  EXPECT_EQ(names, (std::vector<std::string>{"Author=Jos\xC3\xA9", "KTXorientation=rd",
                                             "KTXswizzle=rrr1", "empty=", "zebra=1"}));
  EXPECT_EQ(texture.made_with, options.made_with);
  const RuleList rules = check_ktx2_rules(bytes);
  for (const RuleResult& result : rules.results()) {
    EXPECT_NE(result.outcome, RuleResult::Outcome::kBroken) << result.rule << result.found;
  }
  // Written again, they are the same bytes.
  Ktx2Options again;
  again.made_with = texture.made_with;
  again.keys = texture.keys;
  EXPECT_EQ(file_with(again), bytes);
}

TEST(Ktx2Keys, ValuesThatAreBytesAreKept) {
  Ktx2Options options;
  options.keys = {{"KTXanimData", std::string("\1\0\0\0\2\0\0\0\0\0\0\0", 12)}};
  EXPECT_EQ(read_ktx2_file(file_with(options), "x").value().keys, options.keys);
}

TEST(Ktx2Keys, AKeyOfTheUserWinsOverTheOrientation) {
  Ktx2Options options;
  options.orientation = "ru";
  EXPECT_EQ(shown_value(read_ktx2_file(file_with(options), "x").value().keys.at(0).value), "ru");
  EXPECT_EQ(shown_value(read_ktx2_file(file_with(options, 2), "x").value().keys.at(0).value), "rui")
      << "volumes have three sides";
  options.keys = {make_texture_key("KTXorientation", "lu").value()};
  EXPECT_EQ(shown_value(read_ktx2_file(file_with(options), "x").value().keys.at(0).value), "lu");
}

TEST(Ktx2Keys, ThereAreNotMoreThanALimit) {
  const auto pairs = [](size_t count) {
    Bytes bytes;
    ByteWriter writer(bytes);
    for (size_t i = 0; i < count; ++i) {
      writer.write(uint32_t{4});
      writer.write(uint32_t{'a'});
    }
    return bytes;
  };
  EXPECT_EQ(read_ktx2_keys(pairs(kMostKeyPairs), "x").value().keys.size(), kMostKeyPairs);
  const auto refused = read_ktx2_keys(pairs(kMostKeyPairs + 1), "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message.find("4096"), std::string::npos);
}

TEST(Ktx2Keys, ThereAreNotMoreBytesThanALimit) {
  const auto pair_of = [](size_t bytes) {
    Bytes pair;
    ByteWriter writer(pair);
    writer.write(static_cast<uint32_t>(bytes - 4));
    writer.write(uint32_t{'a'});
    pair.resize(bytes, uint8_t{'v'});
    return pair;
  };
  EXPECT_EQ(read_ktx2_keys(pair_of(kMostKeyBytes), "x").value().keys.size(), 1U);
  const auto refused = read_ktx2_keys(pair_of(kMostKeyBytes + 4), "x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(refused.error().message.find("1048576 bytes"), std::string::npos);
}

TEST(Ktx2Keys, NoFileIsWrittenThatCannotBeRead) {
  Ktx2Options options;
  options.keys = {make_texture_key("note", std::string(kMostKeyBytes, 'n')).value()};
  const Texture texture = read_ktx2_file(file_with({}), "x").value();
  const auto refused = write_ktx2_file(texture, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  options.keys.clear();
  for (size_t i = 0; i < kMostKeyPairs; ++i) {
    options.keys.push_back(make_texture_key("k" + std::to_string(i), "").value());
  }
  options.made_with = "beside which there are the writer's name and the sides";
  options.orientation = "rd";
  const auto most = write_ktx2_file(texture, options);
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_EQ(read_ktx2_file({most->data(), most->size()}, "x").value().keys.size(),
            kMostKeyPairs + 1);
  EXPECT_TRUE(make_ktx_keys(options.keys));
  options.keys.push_back(make_texture_key("l", "").value());
  EXPECT_FALSE(write_ktx2_file(texture, options));
  EXPECT_FALSE(make_ktx_keys(options.keys));
}

TEST(Ktx2Keys, NamesThatCannotBeAreRefused) {
  for (const auto& [name, text] : {std::pair{"", "x"},
                                   {"KTXwriter", "me"},
                                   {"KTXwriterScParams", "x"},
                                   {"KTXmine", "x"},
                                   {"ktxmine", "x"},
                                   {"KTXorientation", "dr"},
                                   {"KTXorientation", "r"},
                                   {"KTXorientation", "rdio"},
                                   {"KTXswizzle", "rgb"},
                                   {"KTXastcDecodeMode", "half"},
                                   {"bad\xFF", "x"},
                                   {"name", "\xC3"}}) {
    const auto key = make_texture_key(name, text);
    ASSERT_FALSE(key) << name;
    EXPECT_EQ(key.error().code, ErrorCode::kUsage);
  }
  EXPECT_TRUE(make_texture_key("KTXastcDecodeMode", "unorm8"));
}

TEST(Ktx2Keys, ShownValuesObeyNobody) {
  EXPECT_EQ(shown_value("a\x1B[2Jb\nc"), "a?[2Jb?c");
  EXPECT_EQ(shown_value("a\xC2\x9B"
                        "2Jb"),
            "a?2Jb")
      << "a control character of two bytes";
  EXPECT_EQ(shown_value("\xC3\xBC\xFF"), "???");
  EXPECT_EQ(shown_value(std::string_view("ab\0cd", 5)), "ab");
  EXPECT_EQ(shown_value(std::string(5000, 'x')).size(), 1000u);
  EXPECT_EQ(shown_value(std::string(999, 'x') + "\xC3\xBC" + "y"), std::string(999, 'x'));
}

}  // namespace
}  // namespace tessera
