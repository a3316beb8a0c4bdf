// What files may ask for, as programs say it.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <tessera/tessera.hpp>

namespace {

using tessera::Control;
using tessera::ErrorCode;
using tessera::Limits;

Control limited(const Limits& limits) {
  return {{}, nullptr, limits};
}

class LimitsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "limits_test";
    std::filesystem::create_directories(folder_);
    const auto picture = tessera::make_sample("photo", 64, 48);
    ASSERT_TRUE(picture.ok());
    ASSERT_TRUE(tessera::write(path("p.png"), picture->image()).ok());
    const auto encoder = tessera::Encoder::create({.format = "bc1", .container = "dds"});
    ASSERT_TRUE(encoder.ok());
    const auto file = encoder->encode(picture->image());
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(tessera::write_bytes(path("t.dds"), file->span()).ok());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(LimitsTest, HoldForReading) {
  for (const char* name : {"p.png", "t.dds"}) {
    SCOPED_TRACE(name);
    EXPECT_TRUE(
        tessera::read(path(name), {}, nullptr, limited({.max_pixels = uint64_t{64} * 48})).ok());
    for (const Limits& limits :
         {Limits{.max_pixels = 64 * 48 - 1}, Limits{.max_memory = 1000}, Limits{.max_file = 100}}) {
      const auto refused = tessera::read(path(name), {}, nullptr, limited(limits));
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().code, ErrorCode::kFailed);
      EXPECT_NE(refused.error().message.find("--max-"), std::string::npos);
    }
  }
}

TEST_F(LimitsTest, HoldForFilesInMemory) {
  const auto bytes = tessera::read_bytes(path("t.dds"));
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(tessera::decode(bytes->span(), {}, nullptr, limited({.untrusted = true})).ok());
  EXPECT_FALSE(tessera::decode(bytes->span(), {}, nullptr, limited({.max_pixels = 1})).ok());
  EXPECT_FALSE(tessera::decode(bytes->span(), {}, nullptr, limited({.max_file = 100})).ok());
}

TEST_F(LimitsTest, HoldForDescriptions) {
  const auto bytes = tessera::read_bytes(path("t.dds"));
  ASSERT_TRUE(bytes.ok());
  const auto data = bytes->span();
  EXPECT_TRUE(tessera::describe(data, false, "", "", limited({})).ok());
  EXPECT_TRUE(tessera::map_blocks(data, "", limited({})).ok());
  EXPECT_TRUE(tessera::inspect(data, "", limited({})).ok());
  for (const Limits& limits : {Limits{.max_memory = 1000}, Limits{.max_file = 100}}) {
    EXPECT_EQ(tessera::describe(data, false, "", "", limited(limits)).error().code,
              ErrorCode::kFailed);
    EXPECT_EQ(tessera::map_blocks(data, "", limited(limits)).error().code, ErrorCode::kFailed);
    EXPECT_EQ(tessera::list_leaves(data, "", limited(limits)).error().code, ErrorCode::kFailed);
    EXPECT_EQ(tessera::inspect(data, "", limited(limits)).error().code, ErrorCode::kFailed);
  }
  EXPECT_FALSE(tessera::map_blocks(data, "", limited({.max_pixels = 100})).ok());
  tessera::Stop stop;
  stop.request();
  EXPECT_EQ(tessera::describe(data, false, "", "", {{}, &stop, {}}).error().code,
            ErrorCode::kInterrupted);
}

TEST_F(LimitsTest, CountWhatTheCallerTakes) {
  const auto bytes = tessera::read_bytes(path("t.dds"));
  ASSERT_TRUE(bytes.ok());
  const auto decodes = [&](const Limits& limits) {
    return tessera::decode(bytes->span(), {}, nullptr, limited(limits)).ok();
  };
  constexpr uint64_t kEnough = uint64_t{20} << 20;
  EXPECT_TRUE(decodes({.max_memory = kEnough}));
  EXPECT_FALSE(decodes({.max_memory = kEnough, .caller_bytes = kEnough}));
  EXPECT_FALSE(decodes({.max_memory = kEnough, .caller_bytes_per_pixel = 10000}));
  EXPECT_FALSE(decodes({.max_memory = kEnough, .caller_copies = 1000}));
  EXPECT_FALSE(decodes({.untrusted = true, .caller_bytes = uint64_t{60} << 20}));
  // Other files of the same job allow memory for themselves.
  EXPECT_TRUE(decodes(
      {.untrusted = true, .caller_bytes = uint64_t{60} << 20, .caller_files = uint64_t{1} << 20}));
  EXPECT_TRUE(tessera::check_memory({.max_memory = kEnough}, "it", 1 << 20).ok());
  EXPECT_FALSE(tessera::check_memory({.max_memory = kEnough}, "it", kEnough).ok());
}

TEST_F(LimitsTest, HoldForBytesOfFiles) {
  const uint64_t size = std::filesystem::file_size(path("t.dds"));
  EXPECT_TRUE(tessera::read_bytes(path("t.dds"), limited({.max_file = size})).ok());
  const auto refused = tessera::read_bytes(path("t.dds"), limited({.max_file = size - 1}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kFailed);
}

TEST_F(LimitsTest, HoldForListsOfFiles) {
  const auto encoder = tessera::Encoder::create({.format = "bc1"});
  ASSERT_TRUE(encoder.ok());
  tessera::FileCalls calls;
  calls.limits.max_pixels = 64 * 48 - 1;
  EXPECT_FALSE(encoder->encode_files({path("p.png")}, path("o.dds"), nullptr, calls).ok());
  EXPECT_FALSE(std::filesystem::exists(path("o.dds")));
  calls.limits.max_pixels = 64 * 48;
  EXPECT_TRUE(encoder->encode_files({path("p.png")}, path("o.dds"), nullptr, calls).ok());
  // The control of one file goes before what is said for all.
  calls.begin = [](const char*) { return limited({.max_pixels = 1}); };
  EXPECT_FALSE(encoder->encode_files({path("p.png")}, path("o.dds"), nullptr, calls).ok());
}

TEST_F(LimitsTest, DescriptionsReadHeadersOrAll) {
  std::filesystem::resize_file(path("p.png"), std::filesystem::file_size(path("p.png")) - 20);
  const auto header = tessera::describe_file(path("p.png"));
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_NE(header->text().find("\"width\": 64"), std::string_view::npos);
  const auto all = tessera::describe_file(path("p.png"), {.verify = true});
  ASSERT_FALSE(all.ok());
  EXPECT_EQ(all.error().code, ErrorCode::kInvalid);
}

TEST_F(LimitsTest, ReadingStopsWhenItIsAsked) {
  tessera::Stop stop;
  stop.request();
  const auto stopped = tessera::read(path("p.png"), {}, nullptr, {{}, &stop, {}});
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::kInterrupted);
}

}  // namespace
