// OpenEXR files: written by the code under test, put together by hand, and made by the library in
// forms that the code under test does not write.
#include "files/pictures/exr.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/half.h"
#include "exr_files.h"
#include "files/pictures/image_file.h"
#include "float_images.h"
#include "test_files.h"

namespace tessera {
namespace {

constexpr SampleType kFloatTypes[] = {SampleType::kF16, SampleType::kF32};

TEST(Exr, RoundTrip) {
  SKIP_WITHOUT_OPENEXR();
  for (const SampleType sample : kFloatTypes) {
    for (uint32_t channels = 1; channels <= 4; ++channels) {
      for (const auto& [width, height] : {std::pair(1u, 1u), {17u, 1u}, {1u, 40u}, {61u, 37u}}) {
        const Image image = make_float_image(width, height, channels, sample);
        const auto file = encode_image(image.view(), ImageFileType::kExr);
        ASSERT_TRUE(file.ok()) << file.error().message;
        EXPECT_EQ(detect_image_file_type(*file), ImageFileType::kExr);
        expect_same_bits(decode_or_fail(*file), image);
      }
    }
  }
}

TEST(Exr, OddNumbersSurvive) {
  SKIP_WITHOUT_OPENEXR();
  Image image = make_float_image(3, 2, 1, SampleType::kF32);
  using Limits = std::numeric_limits<float>;
  const float odd[6] = {-0.0f,
                        Limits::infinity(),
                        -Limits::infinity(),
                        Limits::quiet_NaN(),
                        Limits::denorm_min(),
                        -Limits::max()};
  std::copy_n(odd, 3, image.row<float>(0));
  std::copy_n(odd + 3, 3, image.row<float>(1));
  expect_same_bits(decode_or_fail(*encode_image(image.view(), ImageFileType::kExr)), image);
}

TEST(Exr, FileByHand) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.right = 1;
  parts.channels = {{"Y", 2, 1, 1}};
  parts.rows = {{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}};  // 1, -2
  const Image image = decode_or_fail(build_exr(parts));
  EXPECT_EQ(image.info().channels, 1u);
  EXPECT_EQ(image.info().sample, SampleType::kF32);
  EXPECT_EQ(image.info().color_space, ColorSpace::kLinear);
  EXPECT_EQ(image.row<float>(0)[0], 1.0f);
  EXPECT_EQ(image.row<float>(0)[1], -2.0f);
}

TEST(Exr, TheDataWindowIsTheImage) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.left = -3;
  parts.right = -2;
  parts.top = 1000;
  parts.bottom = 1001;
  parts.channels = {{"Y", 1, 1, 1}};
  parts.rows = {{0, 0x3c, 0, 0x40}, {0, 0x42, 0, 0x44}};  // 1, 2; 3, 4
  const Image image = decode_or_fail(build_exr(parts));
  ASSERT_EQ(image.width(), 2u);
  ASSERT_EQ(image.height(), 2u);
  EXPECT_EQ(image.info().sample, SampleType::kF16);
  EXPECT_EQ(image.row<uint16_t>(0)[0], 0x3c00);
  EXPECT_EQ(image.row<uint16_t>(1)[1], 0x4400);
}

TEST(Exr, ChannelsComeInTheImagesOrder) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.channels = {{"A", 1, 1, 1}, {"B", 1, 1, 1}, {"G", 1, 1, 1}, {"R", 1, 1, 1}, {"Z", 2, 1, 1}};
  parts.rows = {{1, 0, 2, 0, 3, 0, 4, 0, 0, 0, 0, 0}};
  const Image image = decode_or_fail(build_exr(parts));
  ASSERT_EQ(image.info().channels, 4u);
  EXPECT_EQ(image.info().sample, SampleType::kF16) << "Z does not count";
  for (uint16_t c = 0; c < 4; ++c) {
    EXPECT_EQ(image.row<uint16_t>(0)[c], 4 - c);
  }
}

TEST(Exr, HalfBesideFloatBecomesFloat) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.channels = {{"A", 1, 1, 1}, {"Y", 2, 1, 1}};
  parts.rows = {{0, 0x38, 0, 0, 0x80, 0x3f}};
  const Image image = decode_or_fail(build_exr(parts));
  ASSERT_EQ(image.info().channels, 2u);
  ASSERT_EQ(image.info().sample, SampleType::kF32);
  EXPECT_EQ(image.row<float>(0)[0], 1.0f);
  EXPECT_EQ(image.row<float>(0)[1], 0.5f);
}

TEST(Exr, EveryLosslessCompressionAndTiles) {
  SKIP_WITHOUT_OPENEXR();
  const Image image = make_float_image(70, 45, 4, SampleType::kF16);
  for (const int compression : {0, 1, 2, 3, 4}) {
    for (const uint32_t tile : {0u, 1u, 16u, 64u, 100u}) {
      SCOPED_TRACE(std::to_string(compression) + " " + std::to_string(tile));
      expect_same_bits(decode_or_fail(library_exr(image, compression, tile)), image);
    }
  }
}

// The library takes it three times, or three and a half, however small the picture is.
TEST(Exr, TheMemoryOfATileCounts) {
  SKIP_WITHOUT_OPENEXR();
  constexpr uint32_t kTile = 2000;
  constexpr uint64_t kTileBytes = uint64_t{kTile} * kTile * 3 * sizeof(uint16_t);
  const Image image = make_float_image(16, 16, 3, SampleType::kF16);
  for (const int compression : {1, 3, 4}) {  // RLE, ZIP, PIZ
    const Bytes file = library_exr(image, compression, kTile);
    Limits limits;
    limits.max_memory = 3 * kTileBytes;
    const auto refused = decode_image(file, "it", ReadBudget(limits, nullptr));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kFailed);
    limits.max_memory = 5 * kTileBytes;  // the program counts, too
    const auto image_of_tile = decode_image(file, "it", ReadBudget(limits, nullptr));
    EXPECT_TRUE(image_of_tile) << image_of_tile.error().message;
  }
}

TEST(Exr, LossyCompressionsAreRead) {
  SKIP_WITHOUT_OPENEXR();
  const Image image = make_float_image(70, 45, 3, SampleType::kF16);
  for (const int compression : {5, 6, 7, 8, 9}) {
    EXPECT_EQ(decode_or_fail(library_exr(image, compression, 0)).info(), image.info());
  }
}

TEST(Exr, FlatPicturesArePlausible) {
  SKIP_WITHOUT_OPENEXR();
  ImageInfo info = make_float_image(1, 1, 3, SampleType::kF16).info();
  info.width = info.height = 2048;
  const Image image = std::move(Image::create(info).value());
  for (const int compression : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    SCOPED_TRACE(compression);
    expect_same_bits(decode_or_fail(library_exr(image, compression, 0)), image);
  }
}

TEST(Exr, OtherKindsAreNotSupported) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  const auto refused = [&](const std::string& part) {
    expect_error(build_exr(parts), ErrorCode::kUnsupported, part);
  };
  parts.rows = {Bytes(64)};
  parts.channels = {{"R", 1, 1, 1}, {"G", 1, 1, 1}};
  refused("channels");
  parts.channels = {{"A", 1, 1, 1}};
  refused("channels");
  parts.channels = {{"left.Y", 1, 1, 1}};
  refused("channels");
  parts.channels = {{"BY", 1, 2, 2}, {"RY", 1, 2, 2}, {"Y", 1, 1, 1}};
  refused("channels");
  parts.channels = {{"Y", 0, 1, 1}};
  refused("integers");
  parts.channels = {{"Y", 1, 2, 1}};
  refused("every pixel");
  parts.channels = {{"Y", 1, 1, 1}};
  parts.version = 3;
  refused("version");
  for (const uint32_t flag : {0x800u, 0x1000u, 0x2000u}) {
    parts.version = 2 | flag;
    refused("cannot decode");
  }
  parts.version = 2;
  parts.compression = 10;
  refused("compression");
}

TEST(Exr, BadHeadersAreInvalid) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts good;
  good.channels = {{"Y", 1, 1, 1}};
  good.rows = {{0, 0}};
  ASSERT_TRUE(decode_image(build_exr(good), "x").ok());
  const auto refused = [&](const auto& change, const std::string& part) {
    ExrParts parts = good;
    change(parts);
    expect_error(build_exr(parts), ErrorCode::kInvalid, part);
  };
  refused([](ExrParts& p) { p.right = -1; }, "no pixels");
  refused([](ExrParts& p) { p.bottom = -5; }, "no pixels");
  refused([](ExrParts& p) { p.left = INT32_MIN, p.right = INT32_MAX; }, "2^24");
  refused([](ExrParts& p) { p.channels[0].type = 3; }, "header");
  refused([](ExrParts& p) { p.channels[0].x_sampling = 0; }, "header");
  refused([](ExrParts& p) { p.version |= 0x200; }, "header");  // tiled, but no tiles
  refused([](ExrParts& p) { p.leave_out = "channels"; }, "header");
  refused([](ExrParts& p) { p.leave_out = "compression"; }, "header");
  refused([](ExrParts& p) { p.leave_out = "dataWindow"; }, "header");
  refused([](ExrParts& p) { p.extra = exr_attribute("compression", "compression", {0}); },
          "header");
  refused([](ExrParts& p) { p.extra = exr_attribute("tiles", "tiledesc", Bytes(9)); }, "header");
}

TEST(Exr, OtherAttributesAreNotLookedAt) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.channels = {{"Y", 1, 1, 1}};
  parts.rows = {{0, 0x3c}};
  const Bytes huge = {0xff, 0xff, 0xff, 0x7f};
  const Bytes huge_preview = {0, 0, 0xff, 0, 0, 0, 0xff, 0};
  for (const Bytes& extra :
       {exr_attribute("owner", "string", bytes_of("me")),
        exr_attribute("type", "string", bytes_of("scanlineimage")),
        exr_attribute("multiView", "stringvector", huge), exr_attribute("x", "box2i", {1}),
        exr_attribute("preview", "preview", huge_preview), exr_attribute("x", "float", {}),
        exr_attribute("x", "something new", {1, 2, 3})}) {
    parts.extra = extra;
    const Image image = decode_or_fail(build_exr(parts));
    EXPECT_EQ(image.row<uint16_t>(0)[0], 0x3c00);
  }
}

TEST(Exr, AttributesMustHaveTheirTypesAndLengths) {
  SKIP_WITHOUT_OPENEXR();
  ExrParts parts;
  parts.channels = {{"Y", 1, 1, 1}};
  parts.rows = {{0, 0}};
  Bytes too_long = exr_attribute("owner", "string", bytes_of("me"));
  too_long[too_long.size() - 3] = 0x7f;  // the highest byte of the length
  for (const Bytes& extra :
       {too_long, exr_attribute("displayWindow", "box2i", {1}),
        exr_attribute("displayWindow", "box2f", Bytes(16)),
        exr_attribute("pixelAspectRatio", "float", Bytes(5)),
        exr_attribute("lineOrder", "lineOrder", {}), exr_attribute("type", "int", Bytes(4))}) {
    parts.extra = extra;
    expect_error(build_exr(parts), ErrorCode::kInvalid, "header");
  }
}

TEST(Exr, HugeClaimsAreRefused) {
  SKIP_WITHOUT_OPENEXR();
  for (const uint8_t compression : Bytes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    ExrParts parts;
    parts.channels = {{"B", 1, 1, 1}, {"G", 1, 1, 1}, {"R", 1, 1, 1}};
    parts.compression = compression;
    parts.right = parts.bottom = 59999;
    parts.rows = {Bytes(100)};
    expect_error(build_exr(parts), ErrorCode::kInvalid, "60000x60000");
    parts.right = (1 << 24) - 1;
    parts.bottom = 0;
    expect_error(build_exr(parts), ErrorCode::kInvalid, "cannot decode");
  }
  ExrParts tiles;
  tiles.version = 0x202;
  tiles.channels = {{"Y", 1, 1, 1}};
  tiles.rows = {Bytes(100)};
  for (const uint32_t side : {0u, 1u << 20, 1u << 25, UINT32_MAX}) {
    tiles.extra = exr_tiles(side, side);
    expect_error(build_exr(tiles), ErrorCode::kInvalid, "cannot decode");
  }
}

TEST(Exr, WithoutTheLibraryItIsNotSupported) {
  if (have_openexr()) {
    GTEST_SKIP() << "this build has OpenEXR";
  }
  expect_error(Bytes{0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0}, ErrorCode::kUnsupported,
               "without OpenEXR");
  const Image image = make_float_image(1, 1, 1, SampleType::kF32);
  EXPECT_EQ(encode_image(image.view(), ImageFileType::kExr).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tessera
