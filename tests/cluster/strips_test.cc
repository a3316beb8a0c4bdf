// Strips of images between ranks: their sizes, what is refused, and the bytes of a strip.
#include "cluster/strip_run.h"
#include "cluster/strip_unit.h"

#include <gtest/gtest.h>

#include "codec/registry.h"
#include "image/convert.h"
#include "image/synthetic.h"

namespace tessera::cluster {
namespace {

struct Format {
  std::unique_ptr<BlockEncoder> encoder;
  TextureInfo info;
};

Format make_format(const char* name, BlockSize block) {
  const Codec* codec = *find_codec(name);
  CodecSettings settings;
  settings.block = block;
  settings.preset = Preset::kRealtime;
  Format format;
  format.encoder = make_block_encoder(*codec, settings).value();
  format.info.format = codec->format();
  format.info.block = block;
  return format;
}

// A strip of 13 rows of 100 RGBA pixels, 448 bytes apart, as 6x6 blocks.
UnitHeader good_header() {
  UnitHeader header;
  header.kind = kStripKind;
  header.fields = {100, 13, 448, 4, 0, 0};
  header.input_bytes = 12 * 448 + 400;
  header.output_bytes = 17 * 3 * 16;
  return header;
}

bool accepts(const UnitHeader& header) {
  const Format format = make_format("astc", {6, 6, 1});
  return read_strip_shape(header, *format.encoder, format.info).ok();
}

TEST(StripShape, IsRead) {
  const Format format = make_format("astc", {6, 6, 1});
  const auto shape = read_strip_shape(good_header(), *format.encoder, format.info);
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->width, 100u);
  EXPECT_EQ(shape->height, 13u);
  EXPECT_EQ(shape->row_stride, 448u);
}

TEST(StripShape, SizesThatDoNotFitAreRefused) {
  const auto with = [](size_t field, uint64_t value) {
    UnitHeader header = good_header();
    header.fields[field] = value;
    return header;
  };
  ASSERT_TRUE(accepts(good_header()));
  for (const uint64_t width : {uint64_t{0}, uint64_t{99}, uint64_t{101}, uint64_t{113},
                               uint64_t{1} << 32, uint64_t{1} << 62, UINT64_MAX}) {
    EXPECT_FALSE(accepts(with(0, width))) << width;
  }
  for (const uint64_t height : {uint64_t{0}, uint64_t{12}, uint64_t{14}, uint64_t{1} << 32,
                                (uint64_t{1} << 60) + 13, UINT64_MAX}) {
    EXPECT_FALSE(accepts(with(1, height))) << height;
  }
  for (const uint64_t stride :
       {uint64_t{0}, uint64_t{399}, uint64_t{447}, uint64_t{449}, uint64_t{1} << 61, UINT64_MAX}) {
    EXPECT_FALSE(accepts(with(2, stride))) << stride;
  }
  EXPECT_FALSE(accepts(with(3, 3)));           // channels
  EXPECT_FALSE(accepts(with(3, 4 | 1 << 8)));  // 16-bit samples
  EXPECT_TRUE(accepts(with(4, 1)));            // what is known of the whole image may be anything
  EXPECT_TRUE(accepts(with(5, 1)));            // of an sRGB texture
  EXPECT_FALSE(accepts(with(5, 2)));
}

TEST(StripShape, MessagesThatDoNotFitAreRefused) {
  UnitHeader header = good_header();
  header.input_bytes -= 1;
  EXPECT_FALSE(accepts(header));
  header = good_header();
  header.output_bytes += 16;
  EXPECT_FALSE(accepts(header));
  header = good_header();
  header.output_bytes = kAnySize;
  EXPECT_FALSE(accepts(header));
  header = good_header();
  header.kind = 9;
  EXPECT_FALSE(accepts(header));
}

TEST(StripShape, ADishonestStripIsNotEncoded) {
  const Format format = make_format("bc1", {4, 4, 1});
  const auto backend = make_cpu_backend(1);
  UnitHeader header = good_header();
  header.fields[1] = 1000;
  const Bytes pixels(good_header().input_bytes);
  Bytes out;
  EXPECT_EQ(
      encode_strip(header, pixels, *format.encoder, format.info, *backend, {}, out).error().code,
      ErrorCode::kInvalid);
}

// Strip after strip gives what the whole image gives.
void expect_same_bytes(const char* name, BlockSize block, uint32_t width, uint32_t height) {
  const Format format = make_format(name, block);
  const auto backend = make_cpu_backend(1);
  const Image photo = make_synthetic_image(SyntheticKind::kPhoto, width, height, 5).value();
  const Image image = convert_channels(photo.view(), 4).value();
  Bytes whole(format.encoder->output_bytes(image.info()));
  ASSERT_TRUE(format.encoder->encode(image.view(), *backend, {}, whole));
  const ImageFacts facts = format.encoder->look_at(image.view());
  Bytes joined;
  const uint32_t strip = 2 * block.height;
  for (uint32_t y = 0; y < height; y += strip) {
    const uint32_t rows = std::min(strip, height - y);
    const size_t size = (rows - size_t{1}) * image.row_stride() + size_t{width} * 4;
    UnitHeader header;
    header.kind = kStripKind;
    header.fields = {width, rows, image.row_stride(), 4, facts, 0};
    header.input_bytes = size;
    TextureInfo info = format.info;
    info.width = width;
    info.height = rows;
    header.output_bytes = *level_bytes(info, 0);
    // From a buffer that ends where the message does.
    const Bytes message(image.row<uint8_t>(y), image.row<uint8_t>(y) + size);
    Bytes blocks;
    ASSERT_TRUE(encode_strip(header, message, *format.encoder, format.info, *backend, {}, blocks));
    joined.insert(joined.end(), blocks.begin(), blocks.end());
  }
  EXPECT_EQ(joined, whole) << name << ' ' << width << 'x' << height;
}

TEST(EncodeStrip, GivesTheBytesOfTheWholeImage) {
  expect_same_bytes("astc", {6, 6, 1}, 101, 67);
  expect_same_bytes("astc", {5, 4, 1}, 33, 9);
  expect_same_bytes("astc", {12, 12, 1}, 1, 1);
  expect_same_bytes("bc1", {4, 4, 1}, 77, 50);
  expect_same_bytes("bc1", {4, 4, 1}, 3, 17);
}

// For a rank that holds nothing.
size_t first_strip(size_t left, unsigned threads, unsigned all_threads, size_t across = 1000) {
  return strip_rows({left, 0, across, threads, 1, all_threads});
}

TEST(StripRows, EveryThreadHasWorkAndTheEndIsCutFiner) {
  const size_t full = first_strip(100000, 4, 32);
  EXPECT_GE(full * 1000, size_t{4} * 2048);
  EXPECT_EQ(first_strip(50000, 8, 64), first_strip(100000, 8, 64));
  EXPECT_GT(first_strip(100000, 8, 64), full);
  EXPECT_LT(first_strip(100, 4, 32), full);
  for (const size_t left : {size_t{1}, size_t{2}, size_t{1000}}) {
    EXPECT_GE(first_strip(left, 1, 100, 1), 1u);
    EXPECT_GE(first_strip(left, 1, 1, 1 << 20), 1u);
    EXPECT_LE(first_strip(left, 1, 1, 1), left);
  }
}

TEST(StripRows, RanksGetByTheirThreads) {
  EXPECT_LE(first_strip(200, 1, 25) * 24, 200u);
  EXPECT_GT(first_strip(200, 24, 25), 10 * first_strip(200, 1, 25));
}

TEST(StripRows, NobodyHoldsMoreThanTheOthersHaveLeft) {
  // Two ranks: the same time for what one holds and for what is left.
  const size_t rows = strip_rows({1000, 20, 1000, 1, 1, 2});
  EXPECT_GT(rows, 0u);
  EXPECT_EQ(strip_rows({20, 20, 1000, 1, 1, 2}), 0u);
  EXPECT_GT(strip_rows({20, 0, 1000, 1, 1, 2}), 0u);
  // A rank alone need not mind.
  EXPECT_GT(strip_rows({20, 2000, 1000, 4, 1, 4}), 0u);
}

}  // namespace
}  // namespace tessera::cluster
