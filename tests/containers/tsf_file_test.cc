// Tests .tsf files: round trips, wrong fields, cut and huge ones.
#include "containers/tsf_file.h"

#include <gtest/gtest.h>

namespace tessera {
namespace {

using namespace fractal;

Bytes good_file() {
  TsfHeader header;
  header.width = 2000;
  header.height = 30;
  header.quality = 50;
  header.hybrid = true;
  return write_tsf(header, {Bytes{1, 2, 3}, Bytes{}});
}

TEST(TsfFile, RoundTrips) {
  const Bytes bytes = good_file();
  EXPECT_TRUE(looks_like_tsf(bytes));
  const auto file = read_tsf(bytes, "x.tsf");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->header.width, 2000u);
  EXPECT_EQ(file->header.height, 30u);
  EXPECT_TRUE(file->header.hybrid);
  ASSERT_EQ(file->tiles.size(), 2u);
  EXPECT_EQ(file->tiles[0].size(), 3u);
  EXPECT_EQ(file->tiles[0][2], 3);
  EXPECT_TRUE(file->tiles[1].empty());
}

ErrorCode error_with(size_t place, uint8_t value) {
  Bytes bytes = good_file();
  bytes[place] = value;
  const auto file = read_tsf(bytes, "x.tsf");
  EXPECT_FALSE(file) << place;
  if (!file) {
    EXPECT_NE(file.error().message.find("x.tsf"), std::string::npos);
  }
  return file ? ErrorCode::kFailed : file.error().code;
}

TEST(TsfFile, WrongFieldsAreRefused) {
  EXPECT_EQ(error_with(0, 'X'), ErrorCode::kInvalid);
  EXPECT_EQ(error_with(4, 2), ErrorCode::kUnsupported);  // version
  EXPECT_EQ(error_with(5, 2), ErrorCode::kInvalid);      // coder
  EXPECT_EQ(error_with(5, 0), ErrorCode::kInvalid);      // the paper's, but no square
  EXPECT_EQ(error_with(6, 2), ErrorCode::kInvalid);      // channels
  EXPECT_EQ(error_with(7, 0), ErrorCode::kInvalid);      // passes
  EXPECT_EQ(error_with(7, 65), ErrorCode::kInvalid);
  EXPECT_EQ(error_with(11, 1), ErrorCode::kInvalid);    // width
  EXPECT_EQ(error_with(17, 16), ErrorCode::kInvalid);   // deblocking
  EXPECT_EQ(error_with(18, 2), ErrorCode::kInvalid);    // hybrid
  EXPECT_EQ(error_with(19, 1), ErrorCode::kInvalid);    // spare
  EXPECT_EQ(error_with(20, 200), ErrorCode::kInvalid);  // length of a tile
  EXPECT_EQ(error_with(20, 2), ErrorCode::kInvalid);    // bytes left over
}

TEST(TsfFile, EveryShorterFileIsRefused) {
  const Bytes bytes = good_file();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(read_tsf(ByteSpan(bytes.data(), size), "x.tsf")) << size;
  }
}

TEST(TsfFile, ClaimsOfManyPixelsNeedManyTiles) {
  TsfHeader header;
  header.width = 16384;
  header.height = 16384;
  const Bytes bytes = write_tsf(header, {Bytes{}});
  EXPECT_EQ(read_tsf(bytes, "x.tsf").error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tessera
