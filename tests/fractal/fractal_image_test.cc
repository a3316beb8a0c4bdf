// Tests fractal images as a whole: quality, sizes, threads, damage.
#include "fractal/fractal_image.h"

#include <cmath>
#include <thread>

#include "image/metrics.h"
#include "test_pictures.h"

namespace tessera {
namespace {

using namespace fractal;

Bytes encode(const Image& image, uint32_t quality, LeafChoice choice = LeafChoice::kHybrid,
             const ParallelFor& parallel = run_serially) {
  EncodeSettings settings;
  settings.quality = quality;
  settings.choice = choice;
  return encode_fractal(image.view(), settings, parallel).value();
}

Image decode(ByteSpan bytes, const DecodeSettings& settings = {}) {
  return decode_fractal(bytes, settings, run_serially, "test").value();
}

double psnr(const Image& a, const Image& b) {
  return compute_metrics(a.view(), b.view()).value().psnr_rgb;
}

bool same_pixels(const Image& a, const Image& b) {
  if (!(a.info() == b.info())) {
    return false;
  }
  for (uint32_t y = 0; y < a.height(); ++y) {
    if (!std::equal(a.row<uint8_t>(y), a.row<uint8_t>(y) + a.width() * a.info().channels,
                    b.row<uint8_t>(y))) {
      return false;
    }
  }
  return true;
}

// Parts in odd sizes, backwards, on several threads.
Status run_scattered(size_t count, size_t grain, double, const RangeCall& call) {
  std::vector<std::thread> threads;
  const size_t part = std::max<size_t>(grain, count / 3 + 1);
  for (size_t begin = 0; begin < count; begin += part) {
    threads.emplace_back([&, begin] { call(begin, std::min(begin + part, count)); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return {};
}

TEST(FractalImage, EveryKindOfCodingComesNear) {
  const Image image = photo(192, 128, 1);
  for (const LeafChoice choice : {LeafChoice::kPure, LeafChoice::kHybrid, LeafChoice::kDctOnly}) {
    const Bytes low = encode(image, 30, choice);
    const Bytes high = encode(image, 80, choice);
    EXPECT_LT(low.size(), high.size());
    EXPECT_LT(psnr(image, decode(low)), psnr(image, decode(high)));
    EXPECT_GT(psnr(image, decode(high)), choice == LeafChoice::kPure ? 30.0 : 34.0);
  }
}

TEST(FractalImage, DomainsBringSomething) {
  const Image image = photo(192, 128, 1, 5);
  const auto statistics = leaf_statistics(encode(image, 60), "test").value();
  uint64_t fractal = 0;
  uint64_t dct = 0;
  for (size_t size = 0; size < 16; ++size) {
    fractal += statistics.count[1][size];
    dct += statistics.count[2][size];
  }
  EXPECT_GT(fractal, 10u);
  EXPECT_GT(dct, 10u);
  const auto pure = leaf_statistics(encode(image, 60, LeafChoice::kPure), "test").value();
  for (size_t size = 0; size < 16; ++size) {
    EXPECT_EQ(pure.count[2][size], 0u);
  }
}

TEST(FractalImage, AnySizeAndColour) {
  for (const auto& [width, height] :
       {std::pair<uint32_t, uint32_t>{1, 1}, {5, 3}, {31, 70}, {64, 64}, {200, 33}}) {
    for (const uint32_t channels : {1u, 3u}) {
      const Image image = photo(width, height, channels);
      const Image decoded = decode(encode(image, 90));
      EXPECT_TRUE(decoded.info() == image.info());
      EXPECT_GT(psnr(image, decoded), width < 8 ? 22.0 : 27.0)
          << width << "x" << height << " " << channels;
    }
  }
}

// Their streams end with more zeros than a reader would make up.
TEST(FractalImage, LargeImagesOfOneColorComeBack) {
  Image image = photo(1024, 512, 1);
  for (uint32_t y = 0; y < image.height(); ++y) {
    std::fill_n(image.row<uint8_t>(y), image.width() * image.info().channels, uint8_t{128});
  }
  const auto decoded = decode_fractal(encode(image, 50), {}, run_serially, "test");
  ASSERT_TRUE(decoded.ok()) << decoded.error().message;
  EXPECT_GT(psnr(*decoded, image), 40);
}

TEST(FractalImage, TilesOfLargeImagesFitTogether) {
  const Image image = photo(1100, 40, 1);
  const Bytes bytes = encode(image, 70);
  EXPECT_EQ(read_tsf(bytes, "x").value().tiles.size(), 2u);
  EXPECT_GT(psnr(image, decode(bytes)), 32.0);
}

TEST(FractalImage, ThreadsDoNotMatter) {
  const Image image = photo(150, 130, 3);
  const Bytes bytes = encode(image, 50);
  EXPECT_EQ(encode(image, 50, LeafChoice::kHybrid, run_scattered), bytes);
  const Image wide = photo(1100, 40, 3);
  const Bytes tiles = encode(wide, 50);
  EXPECT_TRUE(same_pixels(decode(tiles), decode_fractal(tiles, {}, run_scattered, "test").value()));
}

class FractalIsa : public OnEveryIsa {};
INSTANTIATE_TEST_SUITE_P(Isas, FractalIsa, testing::ValuesIn(isas_to_test()),
                         [](const auto& isa) { return isa.param; });

TEST_P(FractalIsa, SameBytesAndPixels) {
  const Image image = photo(120, 96, 3, 2);
  const Bytes bytes = encode(image, 55);
  const Image decoded = decode(bytes);
  const Image twice = decode(bytes, {std::nullopt, 2});
  ASSERT_TRUE(restrict_isa(available_isas().back()));
  EXPECT_EQ(encode(image, 55), bytes);
  EXPECT_TRUE(same_pixels(decode(bytes), decoded));
  EXPECT_TRUE(same_pixels(decode(bytes, {std::nullopt, 2}), twice));
}

TEST(FractalImage, PassesConverge) {
  const Image image = photo(128, 128, 1, 3);
  const Bytes bytes = encode(image, 70, LeafChoice::kPure);
  const double none = psnr(image, decode(bytes, {0u, 1}));
  const double one = psnr(image, decode(bytes, {1u, 1}));
  const double six = psnr(image, decode(bytes, {6u, 1}));
  const double many = psnr(image, decode(bytes, {30u, 1}));
  EXPECT_LT(none, one);
  EXPECT_LT(one, six);
  EXPECT_NEAR(six, many, 0.1);
}

TEST(FractalImage, TwiceTheSizeLooksLikeTheOriginal) {
  const Image image = photo(128, 96, 3);
  const Image twice = decode(encode(image, 80), {std::nullopt, 2});
  ASSERT_EQ(twice.width(), 256u);
  ASSERT_EQ(twice.height(), 192u);
  double error = 0;
  for (uint32_t y = 0; y < 96; ++y) {
    for (uint32_t x = 0; x < 128 * 3; ++x) {
      const uint32_t left = x / 3 * 6 + x % 3;
      const int mean =
          (twice.row<uint8_t>(2 * y)[left] + twice.row<uint8_t>(2 * y)[left + 3] +
           twice.row<uint8_t>(2 * y + 1)[left] + twice.row<uint8_t>(2 * y + 1)[left + 3] + 2) /
          4;
      error += std::pow(mean - image.row<uint8_t>(y)[x], 2);
    }
  }
  EXPECT_GT(10 * std::log10(65025.0 * 96 * 128 * 3 / error), 26.0);
}

TEST(FractalImage, BitsAPixelAreKept) {
  const Image image = photo(192, 128, 1, 8);
  size_t last = 0;
  for (const double rate : {0.5, 1.0, 2.0}) {
    EncodeSettings settings;
    settings.bits_per_pixel = rate;
    const Bytes bytes = encode_fractal(image.view(), settings, run_serially).value();
    EXPECT_LE(8.0 * static_cast<double>(bytes.size()) / (192 * 128), rate);
    EXPECT_GT(bytes.size(), last);
    last = bytes.size();
  }
}

TEST(FractalImage, ThePapersCoderRoundTrips) {
  const Image image = photo(128, 128, 1);
  EncodeSettings settings;
  settings.paper = PaperSettings{};
  settings.paper->depth = 5;
  settings.paper->epsilon = 30;
  const Bytes simd = encode_fractal(image.view(), settings, run_serially).value();
  settings.paper->kernel = SearchKernel::kBaseline;
  EXPECT_EQ(encode_fractal(image.view(), settings, run_scattered).value(), simd);
  EXPECT_GT(psnr(image, decode(simd)), 27.0);
  EXPECT_EQ(decode(simd, {std::nullopt, 2}).width(), 256u);
}

TEST(FractalImage, WrongRequestsAreRefused) {
  const auto code = [](const Image& image, const EncodeSettings& settings) {
    return encode_fractal(image.view(), settings, run_serially).error().code;
  };
  EncodeSettings settings;
  EXPECT_EQ(code(photo(8, 8, 4), settings), ErrorCode::kUnsupported);
  settings.quality = 0;
  EXPECT_EQ(code(photo(8, 8, 1), settings), ErrorCode::kUsage);
  settings.quality = 101;
  EXPECT_EQ(code(photo(8, 8, 1), settings), ErrorCode::kUsage);
  settings = {};
  settings.bits_per_pixel = -1;
  EXPECT_EQ(code(photo(8, 8, 1), settings), ErrorCode::kUsage);
  settings = {};
  settings.paper = PaperSettings{};
  EXPECT_EQ(code(photo(128, 100, 1), settings), ErrorCode::kUnsupported);
  EXPECT_EQ(code(photo(128, 128, 3), settings), ErrorCode::kUnsupported);
  const Bytes bytes = encode(photo(16, 16, 1), 50);
  EXPECT_EQ(decode_fractal(bytes, {std::nullopt, 3}, run_serially, "x").error().code,
            ErrorCode::kUsage);
}

TEST(FractalImage, StoppedWorkIsReported) {
  const ParallelFor stopped = [](size_t, size_t, double, const RangeCall&) -> Status {
    return Error{ErrorCode::kInterrupted, "stopped"};
  };
  const Image image = photo(64, 64, 1);
  EXPECT_EQ(encode_fractal(image.view(), {}, stopped).error().code, ErrorCode::kInterrupted);
  const Bytes bytes = encode(image, 50);
  EXPECT_EQ(decode_fractal(bytes, {}, stopped, "x").error().code, ErrorCode::kInterrupted);
}

TEST(FractalImage, CutStreamsAreRefused) {
  const Image image = photo(128, 128, 1);
  const Bytes bytes = encode(image, 70);
  ASSERT_GT(bytes.size(), 200u);
  Bytes cut(bytes.begin(), bytes.begin() + 124);
  cut[20] = 100;  // the tile's length
  cut[21] = 0;
  EXPECT_EQ(decode_fractal(cut, {}, run_serially, "x").error().code, ErrorCode::kInvalid);
}

TEST(FractalImage, DamagedStreamsDoNoHarm) {
  Random random(4);
  const Bytes good = encode(photo(96, 64, 3), 60);
  for (int trial = 0; trial < 60; ++trial) {
    Bytes bytes = good;
    for (int i = 0; i < 4; ++i) {
      bytes[24 + random() % (bytes.size() - 24)] = static_cast<uint8_t>(random());
    }
    const auto image = decode_fractal(bytes, {}, run_serially, "x");
    if (image) {
      EXPECT_EQ(image->width(), 96u);
    } else {
      EXPECT_EQ(image.error().code, ErrorCode::kInvalid);
    }
  }
}

}  // namespace
}  // namespace tessera
