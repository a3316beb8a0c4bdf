// Picture files for the tests: made by code here, or by ImageMagick, which is also asked for the
// pixels it sees in a file.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "image/image.h"

namespace tessera {

// Smooth ramps with some noise: compresses a little, and no two channels or rows are alike.
Image make_test_image(uint32_t width, uint32_t height, uint32_t channels,
                      SampleType sample = SampleType::kU8);

void set_opaque(Image& image);

// Every sample as RGBA with 16 bits (8-bit values times 257), grey repeated, alpha opaque if
// absent.
std::vector<uint16_t> to_rgba16(const Image& image);

void expect_same_pixels(const Image& actual, const Image& expected);

// Decodes and expects success.
Image decode_or_fail(ByteSpan bytes);

void expect_error(ByteSpan bytes, ErrorCode code, const std::string& part_of_message);

Bytes bytes_of(const std::string& text);
void append(Bytes& bytes, const Bytes& more);

// PNG files put together chunk by chunk, with deflate's "stored" blocks.
struct PngParts {
  uint32_t width = 1;
  uint32_t height = 1;
  uint8_t bit_depth = 8;
  uint8_t color_type = 0;
  uint8_t interlace = 0;
  std::vector<std::pair<std::string, Bytes>> chunks_before_pixels;
  Bytes scanlines;  // each with its filter byte
};
Bytes png_chunk(const std::string& type, const Bytes& content);
Bytes build_png(const PngParts& parts);
Bytes zlib_stored(const Bytes& content);

// Header and pixels of an uncompressed or run-length encoded TGA file.
struct TgaParts {
  uint8_t color_map_type = 0;
  uint8_t image_type = 2;
  uint16_t map_first = 0;
  uint16_t map_length = 0;
  uint8_t map_bits = 0;
  uint16_t width = 1;
  uint16_t height = 1;
  uint8_t pixel_bits = 24;
  uint8_t descriptor = 0;
  Bytes rest;  // colour map and pixels
};
Bytes build_tga(const TgaParts& parts);

// A BMP file with a header of 12, 40, 56 or 108 bytes.
struct BmpParts {
  uint32_t info_size = 40;
  int32_t width = 1;
  int32_t height = 1;
  uint16_t planes = 1;
  uint16_t pixel_bits = 24;
  uint32_t compression = 0;
  uint32_t colors_used = 0;
  std::vector<uint32_t> masks;  // inside the header or behind it, as its size asks for
  Bytes palette;
  uint32_t gap = 0;  // unused bytes before the pixels
  Bytes pixels;
};
Bytes build_bmp(const BmpParts& parts);

// JPEG files made by the library the reader is built on.
struct JpegOptions {
  int quality = 90;
  bool cmyk = false;
  bool progressive = false;
  bool one_scan_per_coefficient = false;  // progressive with 1 + 63 scans a component
  bool arithmetic = false;
};
Bytes build_jpeg(const Image& image, const JpegOptions& options = {});

bool have_imagemagick();
#define SKIP_WITHOUT_IMAGEMAGICK()                                       \
  if (!have_imagemagick()) {                                             \
    GTEST_SKIP() << "ImageMagick is not installed; this was NOT tested"; \
  }

// The file that ImageMagick writes for the image with these options, e.g. "-depth 8", "png".
Bytes imagemagick_file(const Image& image, const std::string& options,
                       const std::string& extension);

// The pixels ImageMagick sees, as to_rgba16, with further options if needed.
std::vector<uint16_t> imagemagick_pixels(const Bytes& file, const std::string& extension,
                                         const std::string& options = "");

// Decodes `file` and compares with what ImageMagick sees in it.
void expect_as_imagemagick_sees_it(const Bytes& file, const std::string& extension,
                                   uint32_t channels, SampleType sample = SampleType::kU8);

}  // namespace tessera
