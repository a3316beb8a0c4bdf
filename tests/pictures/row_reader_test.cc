// Tests pictures that are read some rows at a time: the same pixels as those of the whole.
#include "files/pictures/row_reader.h"

#include <gtest/gtest.h>

#include <atomic>

#include "files/pictures/image_file.h"
#include "float_images.h"
#include "test_files.h"

namespace tessera {
namespace {

// Reads the file in strips of so many rows, twice, as the second time must be like the first.
void expect_same_by_rows(const Bytes& file, uint32_t strip_rows) {
  const Image expected = decode_or_fail(file);
  const MemorySource source(file, "picture");
  const ReadBudget budget;
  const auto reader = read_by_rows(source, "picture", {}, budget);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  ASSERT_EQ((*reader)->info(), expected.info());
  for (int time = 0; time < 2; ++time) {
    Image image = Image::create(expected.info()).value();
    for (uint32_t y = 0; y < image.height(); y += strip_rows) {
      MutableImageView rows = image.mutable_view();
      rows.data = image.row<uint8_t>(y);
      rows.info.height = std::min(strip_rows, image.height() - y);
      const Status read = (*reader)->read(rows);
      ASSERT_TRUE(read.ok()) << read.error().message;
    }
    expect_same_pixels(image, expected);
    ASSERT_TRUE((*reader)->rewind());
  }
}

TEST(RowReader, PngOfAllChannelsAndDepths) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      const Image image = make_test_image(37, 29, channels, sample);
      const Bytes file = encode_image(image.view(), ImageFileType::kPng).value();
      expect_same_by_rows(file, 8);
      expect_same_by_rows(file, 29);
      expect_same_by_rows(file, 1);
    }
  }
}

TEST(RowReader, PngWithTextsBetweenItsChunks) {
  PngParts parts;
  parts.width = 2;
  parts.height = 3;
  parts.chunks_before_pixels = {{"tEXt", Bytes(70000, 'x')}, {"gAMA", {0, 1, 0x86, 0xa0}}};
  parts.scanlines = {0, 1, 2, 0, 3, 4, 0, 5, 6};
  expect_same_by_rows(build_png(parts), 2);
}

TEST(RowReader, PnmOfAllDepths) {
  for (const SampleType sample : {SampleType::kU8, SampleType::kU16}) {
    for (const uint32_t channels : {1u, 3u}) {
      const Image image = make_test_image(31, 23, channels, sample);
      expect_same_by_rows(encode_image(image.view(), ImageFileType::kPnm).value(), 5);
    }
  }
  Bytes odd_maximum = bytes_of("P5 3 2 100\n");
  append(odd_maximum, {0, 50, 100, 1, 2, 3});
  expect_same_by_rows(odd_maximum, 1);
}

TEST(RowReader, TgaFromBothEnds) {
  for (const uint32_t channels : {1u, 3u, 4u}) {
    const Image image = make_test_image(31, 23, channels);
    Bytes file = encode_image(image.view(), ImageFileType::kTga).value();
    expect_same_by_rows(file, 7);
    file[17] ^= 0x20;  // rows from the top
    expect_same_by_rows(file, 7);
  }
}

TEST(RowReader, OpenExrOfHalvesAndFloats) {
  for (const SampleType sample : {SampleType::kF16, SampleType::kF32}) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      const Image image = make_float_image(41, 37, channels, sample);
      const auto file = encode_image(image.view(), ImageFileType::kExr);
      if (!file) {
        GTEST_SKIP() << "there is no OpenEXR in this build; this was NOT tested";
      }
      expect_same_by_rows(*file, 9);
    }
  }
}

TEST(RowReader, PixelsWithoutAHeader) {
  const Image image = make_test_image(8, 6, 3);
  Bytes file;
  for (uint32_t y = 0; y < 6; ++y) {
    file.insert(file.end(), image.row<uint8_t>(y), image.row<uint8_t>(y) + 24);
  }
  const MemorySource source(file, "picture");
  const ReadBudget budget;
  const auto reader = read_by_rows(source, "picture", image.info(), budget);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  Image read = Image::create(image.info()).value();
  ASSERT_TRUE((*reader)->read(read.mutable_view()));
  expect_same_pixels(read, image);
  ImageInfo other = image.info();
  other.height = 7;
  EXPECT_EQ(read_by_rows(source, "picture", other, budget).error().code, ErrorCode::kUnsupported);
}

TEST(RowReader, FilesWhoseRowsDoNotComeOneByOne) {
  PngParts interlaced;
  interlaced.interlace = 1;
  interlaced.scanlines = {0, 7};
  TgaParts runs;
  runs.image_type = 10;
  runs.rest = {0x80, 1, 2, 3};
  const Image image = make_test_image(8, 8, 3);
  const ReadBudget budget;
  for (const Bytes& file : {build_png(interlaced), build_tga(runs), bytes_of("P3 1 1 255 1 2 3\n"),
                            build_jpeg(image)}) {
    const MemorySource source(file, "picture");
    EXPECT_EQ(read_by_rows(source, "picture", {}, budget).error().code, ErrorCode::kUnsupported);
  }
}

// Counts how often it is read.
class CountedSource : public ByteSource {
 public:
  explicit CountedSource(const Bytes& file) : source_(file, "picture") {}
  uint64_t size() const override { return source_.size(); }
  Status read(uint64_t offset, std::span<uint8_t> out) const override {
    ++count_;
    return source_.read(offset, out);
  }
  int count() const { return count_; }

 private:
  MemorySource source_;
  mutable int count_ = 0;
};

// A PNG file with many empty texts behind its header.
Bytes png_with_texts(size_t count) {
  constexpr size_t kEndOfHeader = 33;
  constexpr uint8_t kText[] = {0, 0, 0, 0, 't', 'E', 'X', 't', 0x96, 0x42, 0xC5, 0x85};
  const Image image = make_test_image(8, 8, 3);
  const Bytes plain = encode_image(image.view(), ImageFileType::kPng).value();
  Bytes file(plain.begin(), plain.begin() + kEndOfHeader);
  for (size_t i = 0; i < count; ++i) {
    file.insert(file.end(), std::begin(kText), std::end(kText));
  }
  file.insert(file.end(), plain.begin() + kEndOfHeader, plain.end());
  return file;
}

TEST(RowReader, ChunksOfPngFilesAreReadManyAtATime) {
  const Bytes file = png_with_texts(100000);
  const CountedSource source(file);
  const ReadBudget budget;
  ASSERT_TRUE(read_by_rows(source, "picture", {}, budget).ok());
  EXPECT_LT(source.count(), 100);
}

TEST(RowReader, LookingForChunksEndsWhenItIsAskedTo) {
  const Bytes file = png_with_texts(1000000);
  const CountedSource source(file);
  const std::atomic<bool> cancelled = true;
  const ReadBudget budget(Limits(), &cancelled);
  const auto reader = read_by_rows(source, "picture", {}, budget);
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code, ErrorCode::kInterrupted);
  EXPECT_LT(source.count(), 20);  // of some 180 pieces
}

TEST(RowReader, TellsWhatItHolds) {
  const Image image = make_float_image(64, 50, 3, SampleType::kF16);
  const auto file = encode_image(image.view(), ImageFileType::kExr);
  if (!file) {
    GTEST_SKIP() << "there is no OpenEXR in this build; this was NOT tested";
  }
  const MemorySource source(*file, "picture");
  const ReadBudget budget;
  const auto reader = read_by_rows(source, "picture", {}, budget);
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ((*reader)->rows_together(), 16U);  // of ZIP
  EXPECT_GE((*reader)->scratch_bytes(), uint64_t{2} * 16 * 64 * 3 * 2);
}

TEST(RowReader, DamagedRowsAreRefused) {
  const Image image = make_test_image(64, 64, 3);
  Bytes file = encode_image(image.view(), ImageFileType::kPng).value();
  for (size_t i = file.size() / 2; i < file.size() / 2 + 64; ++i) {
    file[i] ^= 0x55;
  }
  const MemorySource source(file, "picture");
  const ReadBudget budget;
  const auto reader = read_by_rows(source, "picture", {}, budget);
  ASSERT_TRUE(reader.ok());
  Image read = Image::create(image.info()).value();
  EXPECT_EQ((*reader)->read(read.mutable_view()).error().code, ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tessera
