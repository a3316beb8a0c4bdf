// PSNR of every preset on pictures made by code, held against golden_psnr.csv in this folder. The
// encoder writes the same bytes on every machine, so the numbers are the same everywhere, too.
//
// After a change that is meant to move them, renew the file with
//   TESSERA_WRITE_GOLDEN=1 tests/test_astc_golden
// in the build folder (it is written to the source tree), and let the change of the file be part of
// the same commit.
#include "golden.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "astc/decode/decode_image.h"
#include "encoding.h"

namespace tessera::astc::golden {
namespace {

constexpr BlockSize kSizes[] = {{4, 4, 1}, {5, 5, 1}, {6, 6, 1}, {8, 8, 1}, {12, 12, 1}};
constexpr Preset kPresets[] = {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough,
                               Preset::kExhaustive};
constexpr uint32_t kWidth = 96, kHeight = 48;  // whole blocks of all sizes but 5x5

// Slow changes of colour in two directions, with a soft fold.
Image gradient_picture() {
  return drawn_rgba(kWidth, kHeight, [](uint32_t x, uint32_t y) {
    const uint32_t fold = x > 2 * y ? x - 2 * y : 2 * y - x;
    return rgba(30 + 2 * x, 60 + 3 * y, 220 - fold, 255);
  });
}

// Discs with soft edges on a transparent ground, as icons have them.
Image icon_picture() {
  return drawn_rgba(kWidth, kHeight, [](uint32_t x, uint32_t y) {
    const int dx = static_cast<int>(x % 24) - 12, dy = static_cast<int>(y % 24) - 12;
    const int radius = 6 + static_cast<int>(x / 24 + y / 24);
    const int inside = std::clamp((radius * radius - dx * dx - dy * dy) * 12 + 128, 0, 255);
    const bool shines = dx + dy < -4;
    return rgba(shines ? 250 : 40 * (x / 24) + 60, shines ? 250 : 120, 200 - 60 * (y / 24),
                static_cast<uint32_t>(inside));
  });
}

// Hard pixels of few colours, some of them transparent.
Image pixel_art_picture() {
  constexpr uint32_t kColors[] = {0x00000000, 0xFF202040, 0xFF3070C0, 0xFF80E0F0,
                                  0xFF408030, 0xFF60C050, 0xFF2030B0, 0xFFF0F0F0};
  return drawn_rgba(kWidth, kHeight, [&](uint32_t x, uint32_t y) {
    const uint32_t tile = x / 16 + 3 * (y / 16);
    const uint32_t shape = (x % 16 * (tile + 3) + y % 16 * (tile % 4 + 2)) / 9;
    return kColors[(shape ^ (x % 16 / 4 * (y % 16 / 5))) % 8];
  });
}

// A value of its own in each channel: a slope, spots, and a mask with two values.
Image packed_picture() {
  return drawn_rgba(kWidth, kHeight, [](uint32_t x, uint32_t y) {
    const uint32_t spots = (x * x / 7 + y * y / 5 + x * y / 11) % 96;
    return rgba(2 * x + y, 120 + spots, (x / 13 + y / 9) % 2 == 0 ? 20 : 235, 255);
  });
}

// A photograph of which an alpha with a hard edge leaves a part.
Image cut_out_picture() {
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, kWidth, kHeight, 12);
  return drawn_rgba(kWidth, kHeight, [&](uint32_t x, uint32_t y) {
    const bool is_in = (x % 32 - 16) * (x % 32 - 16) + (y % 24 - 12) * (y % 24 - 12) < 130;
    return (photo.view().row<uint32_t>(y)[x] & 0xFFFFFF) | (is_in ? 0xFF000000 : 0);
  });
}

Image grey_picture() {
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, kWidth, kHeight, 13);
  return drawn_rgba(kWidth, kHeight, [&](uint32_t x, uint32_t y) {
    const uint32_t green = photo.view().row<uint32_t>(y)[x] >> 8 & 255;
    return rgba(green, green, green, 255);
  });
}

struct Picture {
  std::string name;
  Image image;
};

std::vector<Picture> pictures() {
  std::vector<Picture> result;
  for (const SyntheticKind kind : {SyntheticKind::kPhoto, SyntheticKind::kSprite,
                                   SyntheticKind::kInterface, SyntheticKind::kNormalMap}) {
    result.push_back(
        {std::string(synthetic_kind_name(kind)), synthetic_rgba(kind, kWidth, kHeight, 11)});
  }
  result.push_back({"gradient", gradient_picture()});
  result.push_back({"icons", icon_picture()});
  result.push_back({"pixel-art", pixel_art_picture()});
  result.push_back({"packed", packed_picture()});
  result.push_back({"cut-out", cut_out_picture()});
  result.push_back({"grey", grey_picture()});
  return result;
}

Row measure(const Picture& picture, BlockSize size, Preset preset) {
  const ImageView view = picture.image.view();
  const Image decoded = decode_image(encode(view, size, preset_settings(preset, size)), view.info,
                                     size, DecodeMode::kLdrFloat16)
                            .value();
  double color = 0, alpha = 0;
  for (uint32_t y = 0; y < kHeight; ++y) {
    for (uint32_t i = 0; i < 4 * kWidth; ++i) {
      const int difference = view.row<uint8_t>(y)[i] - decoded.row<uint8_t>(y)[i];
      (i % 4 == 3 ? alpha : color) += difference * difference;
    }
  }
  constexpr double kTexels = kWidth * kHeight;
  return {picture.name, block_size_name(size), std::string(preset_name(preset)),
          psnr(color / (3 * kTexels)), psnr((color + alpha) / (4 * kTexels))};
}

const std::vector<Row>& measured_rows() {
  static const std::vector<Row> rows = [] {
    std::vector<Row> made;
    for (const Picture& picture : pictures()) {
      for (const BlockSize size : kSizes) {
        for (const Preset preset : kPresets) {
          made.push_back(measure(picture, size, preset));
        }
      }
    }
    return made;
  }();
  return rows;
}

TEST(GoldenPsnr, NothingHasBecomeWorse) {
  if (std::getenv("TESSERA_WRITE_GOLDEN") != nullptr) {
    std::ofstream file(TESSERA_GOLDEN_PSNR, std::ios::binary);
    file << to_text(measured_rows());
    file.close();
    ASSERT_TRUE(file.good()) << TESSERA_GOLDEN_PSNR << " could not be written";
  }
  std::ifstream file(TESSERA_GOLDEN_PSNR, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  const auto golden = parse(text.str());
  ASSERT_TRUE(golden.ok()) << golden.error().message;
  for (const std::string& sentence : differences(*golden, measured_rows())) {
    ADD_FAILURE() << sentence;
  }
}

TEST(GoldenPsnr, SlowerPresetsAreBetter) {
  for (const Disorder& disorder : disorders(measured_rows())) {
    ADD_FAILURE() << disorder.sentence();
  }
}

const Row kSome = {"photo", "4x4", "fast", 40.0, 41.0};

Row with_psnr(Row row, double rgb, double rgba) {
  row.psnr_rgb = rgb;
  row.psnr_rgba = rgba;
  return row;
}

TEST(GoldenComparison, SmallChangesAreFine) {
  EXPECT_TRUE(differences({kSome}, {kSome}).empty());
  EXPECT_TRUE(differences({kSome}, {with_psnr(kSome, 39.985, 41.29)}).empty());
}

TEST(GoldenComparison, AFallInEitherColumnIsTold) {
  for (const Row& row : {with_psnr(kSome, 39.97, 41.0), with_psnr(kSome, 40.0, 40.97)}) {
    const auto sentences = differences({kSome}, {row});
    ASSERT_EQ(sentences.size(), 1u);
    EXPECT_NE(sentences[0].find("photo, 4x4, fast"), std::string::npos);
    EXPECT_NE(sentences[0].find("a fall"), std::string::npos);
    EXPECT_NE(sentences[0].find("TESSERA_WRITE_GOLDEN=1"), std::string::npos);
  }
}

TEST(GoldenComparison, AGreatRiseIsTold) {
  const auto sentences = differences({kSome}, {with_psnr(kSome, 40.31, 41.31)});
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_NE(sentences[0].find("no longer guards"), std::string::npos);
}

TEST(GoldenComparison, RowsMustMatch) {
  Row other = kSome;
  other.preset = "medium";
  EXPECT_EQ(differences({kSome}, {kSome, other}).size(), 1u);
  EXPECT_EQ(differences({kSome, other}, {kSome}).size(), 1u);
  EXPECT_EQ(differences({}, {kSome}).size(), 1u);
}

TEST(GoldenComparison, DisorderIsAMatterOfOneImageAndBlockSize) {
  Row next = with_psnr(kSome, 41.0, 40.97);  // what counts is all that was to be encoded
  next.preset = "medium";
  ASSERT_EQ(disorders({kSome, next}).size(), 1u);
  EXPECT_EQ(disorders({kSome, next})[0].sentence(),
            "photo, 4x4, medium reaches 40.970 dB, but fast 41.000 dB");
  EXPECT_TRUE(disorders({kSome, with_psnr(next, 39.0, 40.985)}).empty());
  next.block = "5x5";
  EXPECT_TRUE(disorders({kSome, next}).empty());
}

TEST(GoldenFile, ReadsWhatItWrites) {
  Row other = with_psnr(kSome, 999, 0.125);
  other.image = "sprite";
  const auto rows = parse(to_text({kSome, other}));
  ASSERT_TRUE(rows.ok()) << rows.error().message;
  ASSERT_EQ(rows->size(), 2u);
  EXPECT_TRUE((*rows)[1].is_about_the_same(other));
  EXPECT_DOUBLE_EQ((*rows)[1].psnr_rgb, 999);
  EXPECT_DOUBLE_EQ((*rows)[1].psnr_rgba, 0.125);
}

TEST(GoldenFile, DamageIsTold) {
  const std::string heading = "image,block,preset,psnr_rgb,psnr_rgba\n";
  EXPECT_TRUE(parse(heading).ok());
  EXPECT_FALSE(parse("").ok());
  EXPECT_FALSE(parse("image,block,preset,psnr\nphoto,4x4,fast,40\n").ok());
  for (const char* line : {"photo,4x4,fast,40", "photo,4x4,fast,40,", "photo,4x4,fast,forty,41",
                           "photo,4x4,fast,40,41,42", "photo,4x4,fast,40,-1", "",
                           "photo,4x4,fast,40,nan", "photo,4x4,fast,40,41\nphoto,4x4,fast,40,41"}) {
    EXPECT_FALSE(parse(heading + line + "\n").ok()) << line;
  }
}

}  // namespace
}  // namespace tessera::astc::golden
