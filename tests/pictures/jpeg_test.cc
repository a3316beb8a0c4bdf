// Tests JPEG files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "files/pictures/image_file.h"
#include "test_files.h"

namespace tessera {
namespace {

// Where the start-of-frame segment's content begins: precision, height (2), width (2), ...
size_t frame_header(const Bytes& file) {
  for (size_t i = 2; i + 4 < file.size();) {
    const uint8_t marker = file[i + 1];
    if (marker == 0xc0 || marker == 0xc1 || marker == 0xc2 || marker == 0xc9) {
      return i + 4;
    }
    i += 2 + (size_t{file[i + 2]} << 8 | file[i + 3]);
  }
  ADD_FAILURE() << "no frame header";
  return 4;
}

// Smooth, so that even a lossy file stays close to it.
Image smooth_image(uint32_t channels) {
  Image image = make_test_image(40, 24, channels);
  for (uint32_t y = 0; y < 24; ++y) {
    for (uint32_t i = 0; i < 40 * channels; ++i) {
      image.row<uint8_t>(y)[i] = static_cast<uint8_t>(40 + y * 4 + i / channels * 2);
    }
  }
  return image;
}

TEST(Jpeg, ReadsGreyAndColorCloseToTheOriginal) {
  for (const uint32_t channels : {1u, 3u}) {
    for (const bool progressive : {false, true}) {
      const Image original = smooth_image(channels);
      const Image image =
          decode_or_fail(build_jpeg(original, {.quality = 95, .progressive = progressive}));
      ASSERT_EQ(image.info(), original.info());
      for (uint32_t y = 0; y < image.height(); ++y) {
        for (uint32_t i = 0; i < image.width() * channels; ++i) {
          ASSERT_LE(std::abs(image.row<uint8_t>(y)[i] - original.row<uint8_t>(y)[i]), 4);
        }
      }
    }
  }
}

TEST(Jpeg, ReadsWhatImageMagickWrites) {
  SKIP_WITHOUT_IMAGEMAGICK();
  Image image = make_test_image(45, 27, 4);
  set_opaque(image);
  for (const std::string options :
       {"-sampling-factor 4:2:0", "-sampling-factor 4:4:4", "-sampling-factor 4:2:2",
        "-sampling-factor 4:2:0 -interlace JPEG", "-sampling-factor 4:4:4 -interlace JPEG"}) {
    SCOPED_TRACE(options);
    expect_as_imagemagick_sees_it(imagemagick_file(image, "-quality 85 " + options, "jpg"), "jpg",
                                  3);
  }
  for (const std::string options : {"-colorspace Gray", "-colorspace Gray -interlace JPEG"}) {
    SCOPED_TRACE(options);
    expect_as_imagemagick_sees_it(imagemagick_file(image, "-quality 85 " + options, "jpg"), "jpg",
                                  1);
  }
}

TEST(Jpeg, RefusesCmykOfImageMagick) {
  SKIP_WITHOUT_IMAGEMAGICK();
  Image image = make_test_image(16, 16, 4);
  set_opaque(image);
  expect_error(imagemagick_file(image, "-colorspace CMYK", "jpg"), ErrorCode::kUnsupported, "CMYK");
}

TEST(Jpeg, RefusesCmyk) {
  expect_error(build_jpeg(make_test_image(16, 16, 4), {.cmyk = true}), ErrorCode::kUnsupported,
               "CMYK");
}

TEST(Jpeg, RefusesTwelveBits) {
  Bytes file = build_jpeg(make_test_image(16, 16, 3));
  file[frame_header(file)] = 12;
  expect_error(file, ErrorCode::kUnsupported, "8 bits per sample");
}

TEST(Jpeg, RefusesLosslessFrames) {
  Bytes file = build_jpeg(make_test_image(16, 16, 3));
  file[frame_header(file) - 3] = 0xc3;
  expect_error(file, ErrorCode::kUnsupported, "kind of JPEG");
}

TEST(Jpeg, RefusesArithmeticCoding) {
  expect_error(build_jpeg(make_test_image(16, 16, 3), {.arithmetic = true}),
               ErrorCode::kUnsupported, "arithmetic");
}

TEST(Jpeg, RefusesZeroSizes) {
  Bytes file = build_jpeg(make_test_image(16, 16, 3));
  const size_t frame = frame_header(file);
  file[frame + 3] = 0;
  file[frame + 4] = 0;
  expect_error(file, ErrorCode::kInvalid, "");
}

TEST(Jpeg, LimitsTheNumberOfScans) {
  // One component: 64 scans, fine. Three: 190, more than any honest file.
  const Bytes many = build_jpeg(make_test_image(16, 16, 1), {.one_scan_per_coefficient = true});
  const Bytes plain = build_jpeg(make_test_image(16, 16, 1));
  expect_same_pixels(decode_or_fail(many), decode_or_fail(plain));
  expect_error(build_jpeg(make_test_image(16, 16, 3), {.one_scan_per_coefficient = true}),
               ErrorCode::kInvalid, "scans");
}

TEST(Jpeg, RefusesAMissingEndMarker) {
  Bytes file = build_jpeg(make_test_image(32, 32, 3));
  file.resize(file.size() - 2);
  expect_error(file, ErrorCode::kInvalid, "ends too early");
}

TEST(Jpeg, RefusesMissingPixelsBeforeAnEndMarker) {
  Bytes file = build_jpeg(make_test_image(64, 64, 3));
  file.resize(file.size() - file.size() / 4);
  append(file, {0xff, 0xd9});
  expect_error(file, ErrorCode::kInvalid, "damaged");
}

TEST(Jpeg, RefusesBrokenHuffmanTables) {
  Bytes file = build_jpeg(make_test_image(16, 16, 3));
  const Bytes marker = {0xff, 0xc4};
  const auto at = std::search(file.begin(), file.end(), marker.begin(), marker.end());
  ASSERT_NE(at, file.end());
  std::fill(at + 5, at + 21, uint8_t{255});  // 255 codes of each length
  expect_error(file, ErrorCode::kInvalid, "damaged");
}

TEST(Jpeg, ReadsPastExtraBytesBetweenSegments) {
  const Bytes file = build_jpeg(make_test_image(16, 16, 3));
  Bytes padded = file;
  const auto frame = static_cast<std::ptrdiff_t>(frame_header(file)) - 4;
  padded.insert(padded.begin() + frame, 5, uint8_t{0});
  expect_same_pixels(decode_or_fail(padded), decode_or_fail(file));
}

TEST(Jpeg, CannotBeWritten) {
  const Image image = make_test_image(4, 4, 3);
  const auto file = encode_image(image.view(), ImageFileType::kJpeg);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(static_cast<int>(file.error().code), static_cast<int>(ErrorCode::kUnsupported));
}

}  // namespace
}  // namespace tessera
