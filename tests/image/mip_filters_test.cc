// Tests mip filters that are wider than a box, normals of length 1, and coverage.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "image/mip_coverage.h"
#include "image/mip_kernel.h"
#include "image/mipmap.h"
#include "image_helpers.h"

namespace tessera {
namespace {

constexpr MipFilter kWideFilters[] = {MipFilter::kKaiser, MipFilter::kLanczos};
constexpr MipEdge kEdges[] = {MipEdge::kClamp, MipEdge::kWrap};

double sinc(double x) {
  return x == 0 ? 1 : std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

// The filters as books have them, with the functions of the standard library.
double kernel(double x, MipFilter filter) {
  if (std::abs(x) >= 3) {
    return 0;
  }
  const double part = x / 3;
  return sinc(x) * (filter == MipFilter::kLanczos
                        ? sinc(part)
                        : std::cyl_bessel_i(0.0, 4 * std::sqrt(1 - part * part)) /
                              std::cyl_bessel_i(0.0, 4.0));
}

// One sample of the next level of a linear picture without alpha, straight from the description.
double expected_sample(const ImageView& source, uint32_t x, uint32_t y, uint32_t channel,
                       MipFilter filter, MipEdge edge) {
  const auto width = static_cast<int>(source.info.width);
  const auto height = static_cast<int>(source.info.height);
  const double across = static_cast<double>(width) / mip_extent(source.info.width, 1);
  const double down = static_cast<double>(height) / mip_extent(source.info.height, 1);
  const auto place = [edge](int i, int extent) {
    const int rest = i % extent;
    return static_cast<uint32_t>(edge == MipEdge::kClamp ? std::clamp(i, 0, extent - 1)
                                                         : (rest + extent) % extent);
  };
  double sum = 0;
  double total = 0;
  for (int j = -20; j < height + 20; ++j) {
    for (int i = -20; i < width + 20; ++i) {
      const double weight =
          (width == 1 ? (i == 0 ? 1.0 : 0.0) : kernel((i + 0.5) / across - (x + 0.5), filter)) *
          (height == 1 ? (j == 0 ? 1.0 : 0.0) : kernel((j + 0.5) / down - (y + 0.5), filter));
      sum += weight * get(source, place(i, width), place(j, height), channel);
      total += weight;
    }
  }
  return sum / total;
}

TEST(WideMipFilters, AreTheFiltersOfTheBooks) {
  uint32_t seed = 1;
  for (const SampleType sample : kAllSampleTypes) {
    for (const MipFilter filter : kWideFilters) {
      for (const MipEdge edge : kEdges) {
        for (const auto& [width, height] : {std::pair{8U, 12U}, {7U, 5U}, {1U, 9U}, {3U, 2U}}) {
          const ImageInfo info = make_info(width, height, 3, sample, ColorSpace::kLinear);
          const Image source = random_image(info, ++seed);
          const auto level = next_mip_level(source.view(), filter, edge);
          ASSERT_TRUE(level.ok());
          const double step = sample == SampleType::kU8    ? 0.5001 / 255
                              : sample == SampleType::kU16 ? 0.501 / 65535
                              : sample == SampleType::kF16 ? 0x1.01p-11
                                                           : 1e-6;
          for_each_sample(level->info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
            const double made = expected_sample(source.view(), x, y, c, filter, edge);
            const bool is_whole = sample == SampleType::kU8 || sample == SampleType::kU16;
            // The pictures have no negative colours, and whole numbers none above 1.
            const double expected = std::clamp(made, 0.0, is_whole ? 1.0 : 1e9);
            ASSERT_NEAR(get(level->view(), x, y, c), expected, step);
          });
        }
      }
    }
  }
}

TEST(WideMipFilters, KeepConstantPictures) {
  for (const SampleType sample : kAllSampleTypes) {
    for (const ColorSpace space : {ColorSpace::kSrgb, ColorSpace::kLinear}) {
      for (uint32_t channels = 1; channels <= 4; ++channels) {
        for (const MipFilter filter : kWideFilters) {
          Image source = make_image(make_info(13, 6, channels, sample, space));
          for_each_sample(source.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
            set(source, x, y, c, c == 3 ? 0.8 : 0.2 + 0.2 * c);
          });
          const Image level = next_mip_level(source.view(), filter).value();
          for_each_sample(level.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
            ASSERT_NEAR(get(level.view(), x, y, c), get(source.view(), 0, 0, c), 2e-4);
          });
        }
      }
    }
  }
}

// A texture that repeats: its levels repeat, too, wherever it is cut.
TEST(WideMipFilters, WrapAround) {
  const ImageInfo info = make_info(16, 16, 4, SampleType::kU8, ColorSpace::kSrgb);
  const Image source = random_image(info, 5);
  Image shifted = make_image(info);
  for_each_sample(info, [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
    set(shifted, (x + 6) % 16, (y + 2) % 16, c, get(source.view(), x, y, c));
  });
  for (const MipFilter filter : kWideFilters) {
    const Image level = next_mip_level(source.view(), filter, MipEdge::kWrap).value();
    const Image other = next_mip_level(shifted.view(), filter, MipEdge::kWrap).value();
    const Image clamped = next_mip_level(source.view(), filter, MipEdge::kClamp).value();
    bool differs = false;
    for_each_sample(level.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
      ASSERT_NEAR(get(other.view(), (x + 3) % 8, (y + 1) % 8, c), get(level.view(), x, y, c),
                  1.01 / 255);
      differs |= get(clamped.view(), x, y, c) != get(level.view(), x, y, c);
    });
    EXPECT_TRUE(differs);
  }
}

// Waves that the next level can hold keep more of their height than under a box.
TEST(WideMipFilters, AreSharper) {
  Image source = make_image(make_info(60, 4, 1, SampleType::kF32, ColorSpace::kLinear));
  for_each_sample(source.info(), [&](uint32_t x, uint32_t y, uint32_t, uint32_t) {
    set(source, x, y, 0, 0.5 + 0.5 * std::cos(2 * std::numbers::pi * x / 6));
  });
  const auto height = [&](MipFilter filter) {
    const Image level = next_mip_level(source.view(), filter, MipEdge::kWrap).value();
    double least = 1;
    double most = 0;
    for_each_sample(level.info(), [&](uint32_t x, uint32_t y, uint32_t, uint32_t) {
      least = std::min(least, get(level.view(), x, y, 0));
      most = std::max(most, get(level.view(), x, y, 0));
    });
    return most - least;
  };
  EXPECT_GT(height(MipFilter::kKaiser), 1.02 * height(MipFilter::kBox));
  EXPECT_GT(height(MipFilter::kLanczos), 1.02 * height(MipFilter::kBox));
}

TEST(WideMipFilters, DoNotLetTransparentColorsShow) {
  Image source = make_image(make_info(16, 16, 4, SampleType::kU8, ColorSpace::kSrgb));
  for_each_sample(source.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
    const bool shows = x < 8;  // red; the rest is green that nobody sees
    set(source, x, y, c,
        c == 3 || c == 0 ? (shows ? 1.0 : 0.0)
        : c == 1         ? (shows ? 0.0 : 1.0)
                         : 0.0);
  });
  for (const MipFilter filter : kWideFilters) {
    const Image level = next_mip_level(source.view(), filter).value();
    for (uint32_t x = 0; x < 8; ++x) {
      const bool shows = get(level.view(), x, 4, 3) > 0;
      EXPECT_EQ(get(level.view(), x, 4, 0), shows ? 1.0 : 0.0) << x;
      EXPECT_EQ(get(level.view(), x, 4, 1), shows ? 0.0 : 1.0) << x;
    }
  }
}

TEST(WideMipFilters, AreNotForVolumes) {
  ImageInfo info = make_info(8, 8, 4, SampleType::kU8, ColorSpace::kLinear);
  info.depth = 4;
  const Image volume = random_image(info, 3);
  EXPECT_FALSE(next_mip_level(volume.view(), MipFilter::kKaiser).ok());
  EXPECT_TRUE(next_mip_level(volume.view()).ok());
}

// Two slopes side by side, tilted by 60 degrees to either side: x is 0.866 or -0.866.
Image roof(NormalChannels channels) {
  Image image = make_image(make_info(4, 4, 4, SampleType::kU8, ColorSpace::kLinear));
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 4; ++x) {
      const double tilt = (x < 2 ? 0.866025 : 0.0) / 2 + 0.5;
      const double up = (x < 2 ? 0.5 : 1.0) / 2 + 0.5;
      const bool is_rgb = channels == NormalChannels::kRgb;
      set(image, x, y, 0, tilt);
      set(image, x, y, 1, is_rgb ? 0.5 : tilt);
      set(image, x, y, 2, is_rgb ? up : tilt);
      set(image, x, y, 3, is_rgb ? 0.25 : 0.5);
    }
  }
  return image;
}

TEST(MipNormals, HaveTheLengthOne) {
  for (const MipFilter filter : {MipFilter::kBox, MipFilter::kKaiser}) {
    MipSettings settings;
    settings.filter = filter;
    settings.normals = NormalChannels::kRgb;
    const auto levels = make_mip_levels(roof(settings.normals).view(), 9, settings).value();
    ASSERT_EQ(levels.size(), 2u);
    // The mean of a normal tilted by 60 degrees and one that is not is tilted by 30 degrees.
    const ImageView last = levels[1].view();
    EXPECT_NEAR(get(last, 0, 0, 0) * 2 - 1, 0.5, 0.01);
    EXPECT_NEAR(get(last, 0, 0, 1) * 2 - 1, 0.0, 0.01);
    EXPECT_NEAR(get(last, 0, 0, 2) * 2 - 1, 0.866, 0.01);
    EXPECT_NEAR(get(last, 0, 0, 3), 0.25, 0.005);  // is no part of the normal

    settings.normals = NormalChannels::kRedAlpha;
    const auto stored = make_rgba8_mip_levels(roof(settings.normals).view(), 9, settings).value();
    for (uint32_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(get(stored[1].view(), 0, 0, c) * 2 - 1, 0.5, 0.01);
    }
    EXPECT_NEAR(get(stored[1].view(), 0, 0, 3) * 2 - 1, 0.0, 0.01);
  }
}

// A fence: a line in every eighth column shows.
TEST(MipCoverage, StaysFromLevelToLevel) {
  Image fence = make_image(make_info(64, 64, 4, SampleType::kU8, ColorSpace::kSrgb));
  for_each_sample(fence.info(), [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) {
    set(fence, x, y, c, c == 3 ? (x % 8 == 0 ? 1.0 : (x + y) % 5 * 0.02) : 0.5);
  });
  EXPECT_EQ(covered_part(fence.view(), 0.5), 0.125);
  MipSettings settings;
  const auto faded = make_mip_levels(fence.view(), 4, settings).value();
  settings.coverage = 0.5;
  const auto kept = make_mip_levels(fence.view(), 4, settings).value();
  const auto same = make_rgba8_mip_levels(fence.view(), 4, settings).value();
  for (size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(covered_part(faded[i].view(), 0.5), i == 0 ? 0.25 : 0.0) << i;
    EXPECT_GE(covered_part(kept[i].view(), 0.5), 0.125) << i;
    if (i < 2) {  // below, lines are narrower than the texels between them
      EXPECT_LE(covered_part(kept[i].view(), 0.5), 0.5) << i;
    }
    EXPECT_TRUE(same_samples(kept[i].view(), same[i].view())) << i;
  }
}

TEST(MipCoverage, LeavesWhatNeverShows) {
  Image ghost = make_image(make_info(8, 8, 2, SampleType::kU16, ColorSpace::kSrgb));
  for_each_sample(ghost.info(),
                  [&](uint32_t x, uint32_t y, uint32_t c, uint32_t) { set(ghost, x, y, c, 0.3); });
  MipSettings settings;
  const auto plain = make_mip_levels(ghost.view(), 4, settings).value();
  settings.coverage = 0.5;
  const auto kept = make_mip_levels(ghost.view(), 4, settings).value();
  EXPECT_TRUE(same_samples(plain.back().view(), kept.back().view()));
}

}  // namespace
}  // namespace tessera
