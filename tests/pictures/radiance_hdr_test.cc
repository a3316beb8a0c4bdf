// Tests Radiance HDR files.
#include "files/pictures/radiance_hdr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/half.h"
#include "files/pictures/image_file.h"
#include "float_images.h"
#include "test_files.h"

namespace tessera {
namespace {

std::string header_text(const std::string& size,
                        const std::string& lines = "FORMAT=32-bit_rle_rgbe\n",
                        const std::string& signature = "#?RADIANCE") {
  return signature + "\n" + lines + "\n" + size + "\n";
}

Bytes hdr_file(const std::string& size, const Bytes& pixels) {
  Bytes file = bytes_of(header_text(size));
  append(file, pixels);
  return file;
}

std::vector<float> samples_of(const Image& image) {
  std::vector<float> samples;
  for (uint32_t y = 0; y < image.height(); ++y) {
    const float* const row = image.row<float>(y);
    samples.insert(samples.end(), row, row + size_t{image.width()} * image.info().channels);
  }
  return samples;
}

TEST(RadianceHdr, PixelsByHand) {
  const Image image = decode_or_fail(hdr_file(
      "-Y 1 +X 4", {128, 64, 32, 129, 255, 0, 3, 136, 200, 100, 50, 0, 255, 255, 255, 255}));
  ASSERT_EQ(image.info().channels, 3u);
  EXPECT_EQ(image.info().sample, SampleType::kF32);
  EXPECT_EQ(image.info().color_space, ColorSpace::kLinear);
  const std::vector<float> expected = {1, 0.5f, 0.25f, 255,         0,           3,
                                       0, 0,    0,     0x1.FEp126f, 0x1.FEp126f, 0x1.FEp126f};
  EXPECT_EQ(samples_of(image), expected);
}

TEST(RadianceHdr, RowsInTheNewerEncoding) {
  // Eight pixels: a run of 3 and a copy of 5; one run of 8; two copies; exponents in a run.
  const Image image =
      decode_or_fail(hdr_file("-Y 1 +X 8", {2, 2, 0, 8, 131, 10, 5, 1, 2, 3, 4, 5,   136,
                                            7, 4, 9, 8, 7,   6,  4, 5, 4, 3, 2, 136, 136}));
  const std::vector<float> red = {10, 10, 10, 1, 2, 3, 4, 5};
  const std::vector<float> blue = {9, 8, 7, 6, 5, 4, 3, 2};
  const std::vector<float> samples = samples_of(image);
  for (size_t x = 0; x < 8; ++x) {
    EXPECT_EQ(samples[3 * x], red[x]);
    EXPECT_EQ(samples[3 * x + 1], 7);
    EXPECT_EQ(samples[3 * x + 2], blue[x]);
  }
}

TEST(RadianceHdr, RowsInTheOlderEncoding) {
  // One pixel, two more of it, another one; then one pixel and 0x0103 more of it.
  const Image few = decode_or_fail(hdr_file("-Y 1 +X 4", {5, 6, 7, 136, 1, 1, 1, 2, 8, 8, 8, 136}));
  const std::vector<float> expected = {5, 6, 7, 5, 6, 7, 5, 6, 7, 8, 8, 8};
  EXPECT_EQ(samples_of(few), expected);
  const Image many =
      decode_or_fail(hdr_file("-Y 2 +X 260", {5, 6, 7, 136, 1, 1, 1, 3, 1, 1, 1, 1,  //
                                              9, 9, 9, 136, 1, 1, 1, 3, 1, 1, 1, 1}));
  EXPECT_EQ(samples_of(many)[3 * 259], 5);
  EXPECT_EQ(samples_of(many).back(), 9);
}

TEST(RadianceHdr, HeadersOfOtherPrograms) {
  const Bytes pixel = {128, 128, 128, 129};
  const std::vector<std::string> headers = {
      header_text("-Y 1 +X 1", "", "#?RGBE"),
      header_text("-Y 1 +X 1", "# a comment\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=2.0\n"),
      "#?RADIANCE\r\nFORMAT=32-bit_rle_rgbe\r\n\r\n-Y 1 +X 1\r\n"};
  for (const std::string& header : headers) {
    Bytes file = bytes_of(header);
    append(file, pixel);
    EXPECT_EQ(samples_of(decode_or_fail(file)), (std::vector<float>{1, 1, 1})) << header;
  }
}

TEST(RadianceHdr, OtherKindsAreNotSupported) {
  for (const std::string size : {"+Y 1 +X 1", "-Y 1 -X 1", "+X 1 -Y 1", "-X 1 +Y 1"}) {
    expect_error(hdr_file(size, {1, 2, 3, 4}), ErrorCode::kUnsupported, "-Y +X");
  }
  Bytes file = bytes_of(header_text("-Y 1 +X 1", "FORMAT=32-bit_rle_xyze\n"));
  append(file, {1, 2, 3, 4});
  expect_error(file, ErrorCode::kUnsupported, "XYZ");
}

TEST(RadianceHdr, BadHeadersAreInvalid) {
  for (const std::string size :
       {"", "-Y 1", "-Y 1 +X", "-Y 1 +X ", "-Y a +X 1", "-Y 1 +X 1 ", "-Y 1 +Y 1", "-Y -1 +X 1",
        "-Y 1  +X 1", "Y 1 X 1", "-Z 1 +X 1", "-Y 99999999999999999999 +X 1"}) {
    SCOPED_TRACE(size);
    expect_error(hdr_file(size, {1, 2, 3, 4}), ErrorCode::kInvalid, "-Y 480 +X 640");
  }
  expect_error(hdr_file("-Y 0 +X 1", {}), ErrorCode::kInvalid, "no pixels");
  expect_error(hdr_file("-Y 1 +X 0", {}), ErrorCode::kInvalid, "no pixels");
  expect_error(hdr_file("-Y 16777217 +X 1", {}), ErrorCode::kInvalid, "2^24");
  expect_error(bytes_of(header_text("-Y 1 +X 1", "FORMAT=jpeg\n")), ErrorCode::kInvalid, "FORMAT");
  expect_error(bytes_of("#?RADIANCE"), ErrorCode::kInvalid, "not complete");
  expect_error(bytes_of("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n"), ErrorCode::kInvalid,
               "not complete");
}

TEST(RadianceHdr, BadRowsAreInvalid) {
  const auto refused = [](const std::string& size, const Bytes& pixels, const char* what) {
    SCOPED_TRACE(what);
    expect_error(hdr_file(size, pixels), ErrorCode::kInvalid, "row 0");
  };
  refused("-Y 1 +X 2", {1, 1, 1, 1, 5, 5, 5, 5}, "a run of nothing");
  refused("-Y 1 +X 2", {5, 5, 5, 5, 1, 1, 1, 2}, "a run past the row");
  refused("-Y 1 +X 2", {5, 5, 5, 5, 1, 1, 1}, "half a pixel");
  refused("-Y 1 +X 2",
          {5, 5, 5, 5, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0},
          "a number of too many digits");
  refused("-Y 1 +X 8", {2, 2, 0, 9, 137, 1, 137, 1, 137, 1, 137, 1}, "another width");
  refused("-Y 1 +X 8", {2, 2, 0, 8, 137, 1, 136, 1, 136, 1, 136, 1}, "a run past the row");
  refused("-Y 1 +X 8", {2, 2, 0, 8, 0, 1, 136, 1, 136, 1, 136, 1}, "a copy of nothing");
  refused("-Y 1 +X 8", {2, 2, 0, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "a copy past the row");
  refused("-Y 1 +X 8", {2, 2, 0, 8, 136, 1, 136, 1, 136, 1, 136}, "a run without a value");
}

void expect_hdr_round_trip(const Image& image) {
  const auto file = encode_image(image.view(), ImageFileType::kHdr);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(detect_image_file_type(*file), ImageFileType::kHdr);
  const Image again = decode_or_fail(*file);
  EXPECT_EQ(again.info(), image.info());
  EXPECT_EQ(samples_of(again), samples_of(image));
}

TEST(RadianceHdr, WhatItCanHoldComesBackExactly) {
  // Widths on both sides of what the newer encoding can have.
  for (const uint32_t width : {1u, 7u, 8u, 9u, 127u, 128u, 129u, 300u, 32767u, 32768u}) {
    SCOPED_TRACE(width);
    Image image = make_float_image(width, 3, 3, SampleType::kF32);
    for (uint32_t y = 0; y < 3; ++y) {
      float* const row = image.row<float>(y);
      for (size_t x = 0; x < width; ++x) {
        const int exponent = static_cast<int>((x / 5 + y * 40) % 200) - 110;
        row[3 * x] = std::ldexp(static_cast<float>(128 + x % 128), exponent);
        row[3 * x + 1] = std::ldexp(static_cast<float>(x / 20 % 256), exponent);
        row[3 * x + 2] = 0;
      }
    }
    expect_hdr_round_trip(image);
  }
}

float written_and_read(float value) {
  Image image = make_float_image(1, 1, 3, SampleType::kF32);
  std::fill_n(image.row<float>(0), 3, value);
  return decode_or_fail(*encode_image(image.view(), ImageFileType::kHdr)).row<float>(0)[0];
}

TEST(RadianceHdr, RoundsToTheNearest) {
  for (const float value : {1.0f, 0.3f, 1234.5f, 1e-30f, 1e30f, 0.999999f, 255.9f}) {
    EXPECT_NEAR(written_and_read(value) / value, 1, 1.0 / 256) << value;
  }
  EXPECT_EQ(written_and_read(0.999f), 1.0f);  // the mantissa would be 256
}

TEST(RadianceHdr, WhatItCannotHoldBecomesTheNearest) {
  EXPECT_EQ(written_and_read(-1.0f), 0);
  EXPECT_EQ(written_and_read(-0.0f), 0);
  EXPECT_EQ(written_and_read(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(written_and_read(std::numeric_limits<float>::infinity()), 0x1.FEp126f);
  EXPECT_EQ(written_and_read(std::numeric_limits<float>::max()), 0x1.FEp126f);
  EXPECT_EQ(written_and_read(std::numeric_limits<float>::denorm_min()), 0);
  EXPECT_EQ(written_and_read(0x1p-134f), 0x1p-134f);
}

TEST(RadianceHdr, GreyAndHalfAreWrittenAsRgb) {
  const Image grey = make_float_image(9, 5, 1, SampleType::kF16);
  const Image image = decode_or_fail(*encode_image(grey.view(), ImageFileType::kHdr));
  ASSERT_EQ(image.info().channels, 3u);
  for (size_t x = 0; x < 9; ++x) {
    const float expected = half_to_float(grey.row<uint16_t>(2)[x]);
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(image.row<float>(2)[3 * x + c], expected, expected / 256);
    }
  }
}

TEST(RadianceHdr, AlphaMustBeOpaque) {
  for (const uint32_t channels : {2u, 4u}) {
    Image image = make_float_image(4, 4, channels, SampleType::kF32);
    EXPECT_EQ(encode_image(image.view(), ImageFileType::kHdr).error().code,
              ErrorCode::kUnsupported);
    for (uint32_t y = 0; y < 4; ++y) {
      for (size_t x = 0; x < 4; ++x) {
        image.row<float>(y)[x * channels + channels - 1] = 1;
      }
    }
    EXPECT_TRUE(encode_image(image.view(), ImageFileType::kHdr).ok());
  }
}

TEST(RadianceHdr, ImageMagickSeesTheSame) {
  SKIP_WITHOUT_IMAGEMAGICK();
  Image image = make_float_image(24, 16, 3, SampleType::kF32);
  for (uint32_t y = 0; y < 16; ++y) {  // within 0 to 1, as much as its 16-bit pixels can hold
    for (size_t i = 0; i < 24 * 3; ++i) {
      image.row<float>(y)[i] = static_cast<float>((i * 37 + y * 11) % 256) / 256;
    }
  }
  const Bytes file = *encode_image(image.view(), ImageFileType::kHdr);
  const std::vector<uint16_t> seen = imagemagick_pixels(file, "hdr", "-set colorspace sRGB");
  const Image decoded = decode_or_fail(file);
  ASSERT_EQ(seen.size(), 24u * 16 * 4);
  for (uint32_t y = 0; y < 16; ++y) {
    for (size_t x = 0; x < 24; ++x) {
      for (size_t c = 0; c < 3; ++c) {
        const float expected = decoded.row<float>(y)[x * 3 + c];
        EXPECT_NEAR(seen[(y * 24 + x) * 4 + c] / 65535.0, expected, 1.5 / 256) << x << " " << y;
      }
    }
  }
}

}  // namespace
}  // namespace tessera
