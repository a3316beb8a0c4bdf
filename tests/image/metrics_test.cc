// Tests metrics against plain loops and values computed by hand.
#include "image/metrics.h"

#include <algorithm>
#include <limits>

#include "image/convert.h"
#include "image_helpers.h"

namespace tessera {
namespace {

struct Pixel {
  double r, g, b, a;
};

Pixel pixel_at(const ImageView& image, uint32_t x, uint32_t y, uint32_t slice) {
  const uint32_t channels = image.info.channels;
  const bool grey = channels <= 2;
  return {get(image, x, y, 0, slice), get(image, x, y, grey ? 0 : 1, slice),
          get(image, x, y, grey ? 0 : 2, slice),
          image.info.has_alpha() ? get(image, x, y, channels - 1, slice) : 1.0};
}

double square(double value) {
  return value * value;
}

double color_error(const Pixel& p, const Pixel& q) {
  return square(p.r - q.r) + square(p.g - q.g) + square(p.b - q.b);
}

double luma(const Pixel& pixel) {
  return 0.2126 * pixel.r + 0.7152 * pixel.g + 0.0722 * pixel.b;
}

double psnr(double mse) {
  return mse == 0.0 ? 999.0 : 10.0 * std::log10(1.0 / mse);
}

// SSIM as the paper writes it: every window on its own, every weight a two-dimensional Gaussian.
double ssim_oracle(const ImageView& a, const ImageView& b) {
  const uint32_t window_width = std::min(11u, a.info.width);
  const uint32_t window_height = std::min(11u, a.info.height);
  const auto gaussian = [&](uint32_t i, uint32_t j) {
    const double dx = i - (window_width - 1) / 2.0;
    const double dy = j - (window_height - 1) / 2.0;
    return std::exp(-(dx * dx + dy * dy) / (2.0 * 1.5 * 1.5));
  };
  double total_weight = 0.0;
  for (uint32_t j = 0; j < window_height; ++j) {
    for (uint32_t i = 0; i < window_width; ++i) {
      total_weight += gaussian(i, j);
    }
  }
  double sum = 0.0;
  uint64_t windows = 0;
  for (uint32_t slice = 0; slice < a.info.slices(); ++slice) {
    for (uint32_t y = 0; y + window_height <= a.info.height; ++y) {
      for (uint32_t x = 0; x + window_width <= a.info.width; ++x) {
        const auto mean = [&](auto value) {
          double weighted = 0.0;
          for (uint32_t j = 0; j < window_height; ++j) {
            for (uint32_t i = 0; i < window_width; ++i) {
              weighted += gaussian(i, j) / total_weight *
                          value(luma(pixel_at(a, x + i, y + j, slice)),
                                luma(pixel_at(b, x + i, y + j, slice)));
            }
          }
          return weighted;
        };
        const double mean_a = mean([](double p, double) { return p; });
        const double mean_b = mean([](double, double q) { return q; });
        const double variance_a = mean([&](double p, double) { return square(p - mean_a); });
        const double variance_b = mean([&](double, double q) { return square(q - mean_b); });
        const double covariance =
            mean([&](double p, double q) { return (p - mean_a) * (q - mean_b); });
        const double c1 = 0.0001;
        const double c2 = 0.0009;
        sum += (2 * mean_a * mean_b + c1) * (2 * covariance + c2) /
               ((square(mean_a) + square(mean_b) + c1) * (variance_a + variance_b + c2));
        ++windows;
      }
    }
  }
  return sum / static_cast<double>(windows);
}

WorstBlock worst_block_oracle(const ImageView& a, const ImageView& b,
                              const MetricsOptions& options) {
  WorstBlock worst;
  double worst_mse = 0.0;
  for (uint32_t slice = 0; slice < a.info.slices(); ++slice) {
    for (uint32_t by = 0; by * options.block_height < a.info.height; ++by) {
      for (uint32_t bx = 0; bx * options.block_width < a.info.width; ++bx) {
        double sum = 0.0;
        int count = 0;
        for (uint32_t y = 0; y < a.info.height; ++y) {
          for (uint32_t x = 0; x < a.info.width; ++x) {
            if (x / options.block_width == bx && y / options.block_height == by) {
              sum += color_error(pixel_at(a, x, y, slice), pixel_at(b, x, y, slice));
              count += 3;
            }
          }
        }
        if (sum / count > worst_mse * (1.0 + 1e-12)) {
          worst_mse = sum / count;
          worst = {bx, by, slice, psnr(worst_mse)};
        }
      }
    }
  }
  return worst;
}

void expect_metrics(const Image& a, const Image& b, const MetricsOptions& options) {
  double color = 0.0;
  double alpha = 0.0;
  double weighted = 0.0;
  double largest = 0.0;
  const ImageInfo& info = a.info();
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      for (uint32_t x = 0; x < info.width; ++x) {
        const Pixel p = pixel_at(a.view(), x, y, slice);
        const Pixel q = pixel_at(b.view(), x, y, slice);
        color += color_error(p, q);
        alpha += square(p.a - q.a);
        weighted += color_error(p, q) * p.a;
        largest = std::max({largest, std::abs(p.r - q.r), std::abs(p.g - q.g), std::abs(p.b - q.b),
                            std::abs(p.a - q.a)});
      }
    }
  }
  const auto pixels = static_cast<double>(info.pixel_count());
  const OddlyStridedCopy strided_a(a);
  const OddlyStridedCopy strided_b(b);
  const auto metrics = compute_metrics(strided_a.view(), strided_b.view(), options);
  ASSERT_TRUE(metrics.ok());
  EXPECT_NEAR(metrics->psnr_rgb, psnr(color / (3 * pixels)), 1e-8);
  EXPECT_NEAR(metrics->psnr_rgba, psnr((color + alpha) / (4 * pixels)), 1e-8);
  EXPECT_NEAR(metrics->psnr_alpha_weighted, psnr(weighted / (3 * pixels)), 1e-8);
  EXPECT_NEAR(metrics->max_error, largest, 1e-12);
  EXPECT_NEAR(metrics->ssim, ssim_oracle(a.view(), b.view()), 1e-9);
  const WorstBlock worst = worst_block_oracle(a.view(), b.view(), options);
  EXPECT_EQ(metrics->worst_block.x, worst.x);
  EXPECT_EQ(metrics->worst_block.y, worst.y);
  EXPECT_EQ(metrics->worst_block.slice, worst.slice);
  EXPECT_NEAR(metrics->worst_block.psnr_rgb, worst.psnr_rgb, 1e-8);
}

TEST(Metrics, MatchPlainLoopsForEveryPairOfImageTypes) {
  uint32_t seed = 1;
  for (const SampleType sample_a : kAllSampleTypes) {
    for (const SampleType sample_b : kAllSampleTypes) {
      for (uint32_t channels_a = 1; channels_a <= 4; ++channels_a) {
        for (uint32_t channels_b = 1; channels_b <= 4; ++channels_b) {
          ++seed;
          expect_metrics(random_image(make_info(6, 5, channels_a, sample_a), seed),
                         random_image(make_info(6, 5, channels_b, sample_b), seed + 1000), {});
        }
      }
    }
  }
}

TEST(Metrics, MatchPlainLoopsForEverySize) {
  struct Size {
    uint32_t width, height;
  };
  uint32_t seed = 500;
  for (const Size size : {Size{1, 1},
                          {2, 1},
                          {1, 7},
                          {3, 30},
                          {30, 3},
                          {10, 11},
                          {11, 11},
                          {12, 11},
                          {11, 13},
                          {16, 16},
                          {33, 17},
                          {25, 10}}) {
    for (const SampleType sample : {SampleType::kU8, SampleType::kF32}) {
      ++seed;
      expect_metrics(random_image(make_info(size.width, size.height, 4, sample), seed),
                     random_image(make_info(size.width, size.height, 4, sample), seed + 1000), {});
    }
  }
}

TEST(Metrics, MatchPlainLoopsForVolumesArraysAndBlockSizes) {
  uint32_t seed = 900;
  for (const MetricsOptions options :
       {MetricsOptions{4, 4}, MetricsOptions{12, 10}, MetricsOptions{1, 1}, MetricsOptions{5, 3},
        MetricsOptions{1000, 4000000000u}}) {
    ImageInfo info = make_info(13, 14, 3);
    info.layers = 2;
    info.depth = 3;
    ++seed;
    expect_metrics(random_image(info, seed), random_image(info, seed + 1000), options);
  }
}

// Real pictures differ little; the windows then see high correlation.
TEST(Metrics, MatchPlainLoopsForSmallErrors) {
  for (const double noise : {0.004, 0.05}) {
    Image a = make_image(make_info(40, 24, 3));
    Image b = make_image(make_info(40, 24, 3));
    std::mt19937 random(5);
    std::uniform_real_distribution<double> offset(-noise, noise);
    for_each_sample(a.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
      const double value = 0.2 + 0.4 * x / 40.0 + 0.2 * y / 24.0 + (x / 8 % 2 == 0 ? 0.1 : 0.0);
      set(a, x, y, c, value);
      set(b, x, y, c, value + offset(random));
    });
    expect_metrics(a, b, {});
    EXPECT_GT(compute_metrics(a.view(), b.view())->ssim, 0.8);
  }
}

TEST(Metrics, OfIdenticalImagesArePerfect) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image image = random_image(make_info(20, 15, 4, sample), 3);
    const Metrics metrics = compute_metrics(image.view(), image.view()).value();
    EXPECT_EQ(metrics.psnr_rgb, kInfinitePsnr);
    EXPECT_EQ(metrics.psnr_rgba, kInfinitePsnr);
    EXPECT_EQ(metrics.psnr_alpha_weighted, kInfinitePsnr);
    EXPECT_NEAR(metrics.ssim, 1.0, 1e-12);
    EXPECT_EQ(metrics.max_error, 0.0);
    EXPECT_EQ(metrics.worst_block.psnr_rgb, kInfinitePsnr);
    EXPECT_EQ(metrics.worst_block.x, 0u);
  }
}

TEST(Metrics, HandComputedPsnr) {
  // One of 2x2 pixels is off by (3, 4, 0), alpha by 12: 25 / (3·4·255²), (25 + 144) / (4·4·255²).
  Image a = constant_image(make_info(2, 2, 4), {0.4, 0.4, 0.4, 0.4});  // 102 = 0.4·255
  Image b = copy_image(a.view()).value();
  b.row<uint8_t>(1)[4] = 105;
  b.row<uint8_t>(1)[5] = 98;
  b.row<uint8_t>(1)[7] = 114;
  const Metrics metrics = compute_metrics(a.view(), b.view()).value();
  EXPECT_NEAR(metrics.psnr_rgb, 10.0 * std::log10(12.0 * 65025.0 / 25.0), 1e-10);
  EXPECT_NEAR(metrics.psnr_rgba, 10.0 * std::log10(16.0 * 65025.0 / 169.0), 1e-10);
  EXPECT_NEAR(metrics.psnr_alpha_weighted, 10.0 * std::log10(12.0 * 65025.0 / 10.0), 1e-10);
  EXPECT_DOUBLE_EQ(metrics.max_error, 12.0 / 255.0);
}

TEST(Metrics, BlackAgainstWhiteIsZeroDecibels) {
  for (const SampleType sample : kAllSampleTypes) {
    const Image black = constant_image(make_info(16, 16, 3, sample), {0, 0, 0});
    const Image white = constant_image(make_info(16, 16, 3, sample), {1, 1, 1});
    const Metrics metrics = compute_metrics(black.view(), white.view()).value();
    EXPECT_NEAR(metrics.psnr_rgb, 0.0, 1e-12);
    EXPECT_NEAR(metrics.psnr_rgba, 10.0 * std::log10(4.0 / 3.0), 1e-12);
    EXPECT_EQ(metrics.max_error, 1.0);
    // No variance, means 0 and 1: C1 / (1 + C1).
    EXPECT_NEAR(metrics.ssim, 0.0001 / 1.0001, 1e-12);
  }
}

TEST(Metrics, ErrorsUnderTransparencyDoNotCountInTheWeightedFigure) {
  const Image a = constant_image(make_info(4, 4, 4), {0.2, 0.3, 0.4, 0.0});
  const Image b = constant_image(make_info(4, 4, 4), {1.0, 0.0, 0.6, 0.0});
  const Metrics metrics = compute_metrics(a.view(), b.view()).value();
  EXPECT_EQ(metrics.psnr_alpha_weighted, kInfinitePsnr);
  EXPECT_LT(metrics.psnr_rgb, 10.0);
}

TEST(Metrics, TheSamePictureInOtherTypesIsIdentical) {
  const Image bytes = random_image(make_info(12, 12, 3), 8);
  const Image words = convert_samples(bytes.view(), SampleType::kU16).value();
  const Image rgba = convert_channels(bytes.view(), 4).value();
  EXPECT_EQ(compute_metrics(bytes.view(), words.view())->psnr_rgb, kInfinitePsnr);
  EXPECT_EQ(compute_metrics(bytes.view(), rgba.view())->psnr_rgba, kInfinitePsnr);
}

TEST(Metrics, FindTheWorstBlock) {
  const Image a = constant_image(make_info(64, 64, 3), {0.5, 0.5, 0.5});
  Image b = copy_image(a.view()).value();
  b.row<uint8_t>(10)[3 * 21] = 255;
  b.row<uint8_t>(40)[3 * 50] = 253;
  const WorstBlock worst = compute_metrics(a.view(), b.view())->worst_block;
  EXPECT_EQ(worst.x, 5u);
  EXPECT_EQ(worst.y, 2u);
  EXPECT_NEAR(worst.psnr_rgb, 10.0 * std::log10(48.0 * 65025.0 / (127.0 * 127.0)), 1e-10);
}

TEST(Metrics, StayNumbersForInfinityAndNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const SampleType sample : {SampleType::kF16, SampleType::kF32}) {
    const Image good = constant_image(make_info(12, 12, 4, sample), {0.5, 0.5, 0.5, 1.0});
    const Image bad = constant_image(make_info(12, 12, 4, sample), {infinity, nan, -infinity, nan});
    for (const auto& metrics :
         {compute_metrics(good.view(), bad.view()), compute_metrics(bad.view(), good.view())}) {
      ASSERT_TRUE(metrics.ok());
      EXPECT_TRUE(std::isfinite(metrics->psnr_rgb));
      EXPECT_LT(metrics->psnr_rgb, -80.0);
      EXPECT_TRUE(std::isfinite(metrics->psnr_rgba));
      EXPECT_TRUE(std::isfinite(metrics->psnr_alpha_weighted));
      EXPECT_TRUE(std::isfinite(metrics->ssim));
      EXPECT_EQ(metrics->max_error, 65504.5);
    }
    EXPECT_EQ(compute_metrics(bad.view(), bad.view())->psnr_rgba, kInfinitePsnr);
  }
}

TEST(Metrics, RefuseDifferentSizes) {
  const Image a = random_image(make_info(8, 8, 3), 1);
  ImageInfo volume = make_info(8, 8, 3);
  volume.depth = 2;
  ImageInfo array = make_info(8, 8, 3);
  array.layers = 3;
  for (const ImageInfo& other : {make_info(9, 8, 3), make_info(8, 7, 3), volume, array}) {
    const auto metrics = compute_metrics(a.view(), random_image(other, 2).view());
    ASSERT_FALSE(metrics.ok());
    EXPECT_EQ(metrics.error().code, ErrorCode::kInvalid);
    EXPECT_NE(metrics.error().message.find("8x8"), std::string::npos);
  }
  const auto metrics = compute_metrics(a.view(), random_image(array, 2).view());
  EXPECT_NE(metrics.error().message.find("3 layers"), std::string::npos);
}

TEST(Metrics, RefuseImagesWithoutPixelsAndEmptyBlocks) {
  EXPECT_FALSE(compute_metrics(ImageView{}, ImageView{}).ok());
  const Image image = random_image(make_info(8, 8, 3), 1);
  const auto narrow = compute_metrics(image.view(), image.view(), {0, 4});
  ASSERT_FALSE(narrow.ok());
  EXPECT_EQ(narrow.error().code, ErrorCode::kUsage);
  EXPECT_FALSE(compute_metrics(image.view(), image.view(), {4, 0}).ok());
  ImageView broken = image.view();
  broken.info.channels = 9;
  EXPECT_FALSE(compute_metrics(image.view(), broken).ok());
}

TEST(PsnrFromMse, KnownValues) {
  EXPECT_EQ(psnr_from_mse(0.0), kInfinitePsnr);
  EXPECT_DOUBLE_EQ(psnr_from_mse(1.0), 0.0);
  EXPECT_DOUBLE_EQ(psnr_from_mse(0.001), 30.0);
  EXPECT_DOUBLE_EQ(psnr_from_mse(10.0), -10.0);
}

}  // namespace
}  // namespace tessera
