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
