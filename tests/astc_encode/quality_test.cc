// What must not look bad: blocks that are hard for an encoder of this kind, with a floor for the
// worst of them, and what the choices of the settings are worth.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "astc/decode/decode_image.h"
#include "astc/encode/effort_plan.h"
#include "astc/inspect/block_statistics.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

double worst_block_psnr(const Image& image, BlockSize size, const EncodeSettings& settings) {
  const Image decoded =
      decode_image(encode(image.view(), size, settings), image.info(), size, settings.decode_mode)
          .value();
  double worst = 0;
  for (uint32_t by = 0; by < image.height(); by += size.height) {
    for (uint32_t bx = 0; bx < image.width(); bx += size.width) {
      double sum = 0;
      uint32_t count = 0;
      for (uint32_t y = by; y < std::min<uint32_t>(by + size.height, image.height()); ++y) {
        for (uint32_t x = bx; x < std::min<uint32_t>(bx + size.width, image.width()); ++x) {
          for (unsigned k = 0; k < 4; ++k, ++count) {
            const int d = image.row<uint8_t>(y)[4 * x + k] - decoded.row<uint8_t>(y)[4 * x + k];
            sum += d * d;
          }
        }
      }
      worst = std::max(worst, sum / count);
    }
  }
  return psnr(worst);
}

double quality(const Image& image, BlockSize size, const EncodeSettings& settings) {
  return psnr(mean_squared_error(image.view(), encode(image.view(), size, settings), size,
                                 settings.decode_mode));
}

EncodeSettings settings_of(Preset preset, BlockSize size) {
  return preset_settings(preset, size);
}

// Two saturated colours that meet at edges of all directions.
Image color_edges() {
  constexpr uint32_t kColors[] = {rgba(255, 0, 0, 255), rgba(0, 0, 255, 255), rgba(0, 200, 0, 255),
                                  rgba(255, 255, 0, 255)};
  return drawn_rgba(192, 96, [&](uint32_t x, uint32_t y) {
    const uint32_t cell = x / 24 + 8 * (y / 24);
    const auto dx = static_cast<int>(x % 24) - 12, dy = static_cast<int>(y % 24) - 12;
    const int side = dx * static_cast<int>(cell % 7) + dy * (static_cast<int>(cell % 5) - 2);
    return side > 0 ? kColors[cell % 4] : kColors[(cell / 4 + cell + 1) % 4];
  });
}

// Barely visible slopes, where rounding shows as bands.
Image gentle_slopes() {
  return drawn_rgba(192, 96, [](uint32_t x, uint32_t y) {
    return rgba(100 + x / 16, 120 + (x + y) / 24, 140 + y / 12, 255);
  });
}

Image black_text() {
  return synthetic_rgba(SyntheticKind::kInterface, 192, 96, 11);
}

TEST(WorstBlock, SharpEdgesBetweenColoursStayTwoColours) {
  // Two colours lie on one line, so even one partition must keep them.
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium}) {
    EXPECT_GT(worst_block_psnr(color_edges(), {4, 4, 1}, settings_of(preset, {4, 4, 1})), 38)
        << preset_name(preset);
  }
}

TEST(WorstBlock, GentleSlopesDoNotBand) {
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium}) {
    EXPECT_GT(worst_block_psnr(gentle_slopes(), {4, 4, 1}, settings_of(preset, {4, 4, 1})), 46)
        << preset_name(preset);
    EXPECT_GT(worst_block_psnr(gentle_slopes(), {8, 8, 1}, settings_of(preset, {8, 8, 1})), 44)
        << preset_name(preset);
  }
}

TEST(WorstBlock, TextStaysReadable) {
  EXPECT_GT(worst_block_psnr(black_text(), {4, 4, 1}, settings_of(Preset::kRealtime, {4, 4, 1})),
            20);
  EXPECT_GT(worst_block_psnr(black_text(), {4, 4, 1}, settings_of(Preset::kMedium, {4, 4, 1})), 27);
}

// Four colours of which no line holds three: one partition cannot keep them, two can.
TEST(WorstBlock, PartitionsKeepFourColours) {
  const Image image = drawn_rgba(128, 64, [](uint32_t x, uint32_t y) {
    const bool right = x % 4 >= 2, odd = y % 2 != 0;
    return right ? (odd ? rgba(250, 250, 0, 255) : rgba(250, 0, 250, 255))
                 : (odd ? rgba(0, 250, 250, 255) : rgba(10, 10, 10, 255));
  });
  EncodeSettings with = settings_of(Preset::kMedium, {4, 4, 1});
  EncodeSettings without = with;
  without.partition_search = PartitionSearch::kOff;
  EXPECT_GT(worst_block_psnr(image, {4, 4, 1}, with),
            worst_block_psnr(image, {4, 4, 1}, without) + 6);
}

TEST(Fringes, GreyNextToAlphaStaysGrey) {
  const Image image = drawn_rgba(96, 96, [](uint32_t x, uint32_t y) {
    const uint32_t grey = (x * 5 + y * 3) % 256;
    return rgba(grey, grey, grey, (x / 5 + y / 7) % 2 != 0 ? 255 : y * 2);
  });
  for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kThorough}) {
    for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 6, 1}}) {
      const EncodeSettings settings = settings_of(preset, size);
      const Image decoded = decode_image(encode(image.view(), size, settings), image.info(), size,
                                         DecodeMode::kLdrFloat16)
                                .value();
      for (uint32_t y = 0; y < 96; ++y) {
        for (uint32_t x = 0; x < 96; ++x) {
          const uint8_t* texel = decoded.row<uint8_t>(y) + 4 * x;
          ASSERT_TRUE(texel[0] == texel[1] && texel[1] == texel[2]) << x << "," << y;
        }
      }
    }
  }
}

TEST(Fringes, AlphaLosesNoMoreThanColour) {
  for (const SyntheticKind kind : {SyntheticKind::kSprite, SyntheticKind::kInterface}) {
    const Image image = synthetic_rgba(kind, 160, 160, 7);
    for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium}) {
      const Image decoded =
          decode_image(encode(image.view(), {4, 4, 1}, settings_of(preset, {4, 4, 1})),
                       image.info(), {4, 4, 1}, DecodeMode::kLdrFloat16)
              .value();
      double of_channel[4] = {};
      for (uint32_t y = 0; y < 160; ++y) {
        for (uint32_t i = 0; i < 640; ++i) {
          const int d = image.row<uint8_t>(y)[i] - decoded.row<uint8_t>(y)[i];
          of_channel[i % 4] += d * d;
        }
      }
      const double color = (of_channel[0] + of_channel[1] + of_channel[2]) / 3;
      EXPECT_LE(of_channel[3], color * 1.05 + 1) << preset_name(preset);
    }
  }
}

TEST(Choices, PresetsAreInOrder) {
  for (const SyntheticKind kind : {SyntheticKind::kPhoto, SyntheticKind::kInterface,
                                   SyntheticKind::kSprite, SyntheticKind::kNormalMap}) {
    const Image image = synthetic_rgba(kind, 96, 96, 5);
    for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 6, 1}, BlockSize{10, 8, 1}}) {
      double before = 0;
      for (const Preset preset :
           {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough}) {
        const double now = quality(image, size, settings_of(preset, size));
        EXPECT_GT(now, before - 0.02) << preset_name(preset) << " at " << block_size_name(size);
        before = now;
      }
    }
  }
}

// Greyish photographs have blocks whose partitions are nearly grey: two luminances store those.
TEST(Choices, NearlyGreyPartitionsAreStoredAsGreys) {
  const Image image = drawn_rgba(96, 96, [](uint32_t x, uint32_t y) {
    const uint32_t noise = (x * 73 + y * 151) * 2654435761u >> 27;
    const bool warm = (x / 7 + y / 9) % 2 != 0;
    const uint32_t grey = 90 + noise * 3;
    return warm ? rgba(grey + 60, grey, grey / 3, 255) : rgba(grey + 1, grey, grey, 255);
  });
  const BlockSize size = {8, 8, 1};
  const Bytes blocks = encode(image.view(), size, settings_of(Preset::kThorough, size));
  const BlockStatistics statistics = count_blocks(blocks, size);
  EXPECT_GT(statistics.endpoint_modes[static_cast<size_t>(EndpointMode::kLuminance)], 0u);
  EXPECT_GT(statistics.endpoint_modes[static_cast<size_t>(EndpointMode::kRgbScale)], 0u);
}

// Smoke and steel in sprites: beside alpha with a plane of its own, six colour values would say
// what two luminances do.
TEST(Choices, NearlyGreyColoursBesideAlphaAreStoredAsGreys) {
  const auto picture = [](uint32_t tint) {
    return drawn_rgba(96, 96, [tint](uint32_t x, uint32_t y) {
      const uint32_t noise = (x * 73 + y * 151) * 2654435761u;
      const uint32_t grey = 20 + (noise >> 25);
      return rgba(grey + tint, grey, grey + tint / 2, (noise >> 10) % 256);
    });
  };
  for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{5, 5, 1}}) {
    for (const Preset preset : {Preset::kFast, Preset::kMedium, Preset::kThorough}) {
      const EncodeSettings settings = settings_of(preset, size);
      EXPECT_GT(quality(picture(2), size, settings), quality(picture(0), size, settings) - 0.5)
          << preset_name(preset) << " at " << block_size_name(size);
    }
  }
}

// With the alpha that a function gives for each texel.
template <class Alpha>
Image with_alpha(const Image& image, const Alpha& alpha) {
  return drawn_rgba(image.width(), image.height(), [&](uint32_t x, uint32_t y) {
    const uint8_t* const texel = image.row<uint8_t>(y) + size_t{4} * x;
    return rgba(texel[0], texel[1], texel[2], alpha(x, y));
  });
}

// As scaled pictures have it: what tells 254 from 255 takes bits that colours need.
TEST(Choices, AlphaAStepFromOpaqueTakesNoBits) {
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, 96, 96, 5);
  const Image rough = with_alpha(
      photo, [](uint32_t x, uint32_t y) { return (x * 73 + y * 151) % 4 == 0 ? 254u : 255u; });
  for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{8, 8, 1}}) {
    for (const Preset preset : {Preset::kRealtime, Preset::kFast, Preset::kMedium}) {
      const EncodeSettings settings = settings_of(preset, size);
      EXPECT_GT(quality(rough, size, settings), quality(photo, size, settings) - 0.05)
          << preset_name(preset) << " at " << block_size_name(size);
    }
  }
}

// A part of a block that is nearly opaque, beside one that is not, is stored without alpha.
TEST(Choices, NearlyOpaquePartsAreStoredWithoutAlpha) {
  const Image photo = synthetic_rgba(SyntheticKind::kPhoto, 96, 96, 5);
  const BlockSize size = {6, 6, 1};
  const auto error = [&](uint32_t opaque) {
    const Image image = with_alpha(photo, [&](uint32_t x, uint32_t y) {
      return (x / 9 + y / 9) % 2 == 0 ? 90u : (x + y) % 3 != 0 ? 255u : opaque;
    });
    return quality(image, size, settings_of(Preset::kThorough, size));
  };
  EXPECT_GT(error(253), error(255) - 0.15);
}

// The faded rim of a sprite is a little brighter than the rest, so that the line from it to the
// rest is stored the other way round than that from nothing: weights of a coarse grid cannot serve
// both.
TEST(Choices, LinesOfPartsPointToTheBrighterEnd) {
  const Image image = drawn_rgba(96, 96, [](uint32_t x, uint32_t y) {
    const uint32_t noise = (x * 73 + y * 151) * 2654435761u >> 28;
    if (y % 8 < 6) {
      return rgba(118 + noise, 88 + noise, 50 + noise, 255);
    }
    const uint32_t alpha = y % 8 == 6 ? 130 - 12 * ((x + y / 8) % 8) : 2 + noise / 3;
    return x % 8 < 3 + x / 8 % 3 ? rgba(132 + noise, 105 + noise, 68 + noise, alpha) : 0u;
  });
  const BlockSize size = {8, 8, 1};
  EXPECT_GT(quality(image, size, settings_of(Preset::kFast, size)), 25);
  EXPECT_GT(quality(image, size, settings_of(Preset::kThorough, size)), 28);
}

TEST(Choices, ExhaustiveHasMoreForHardBlocks) {
  for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 6, 1}, BlockSize{12, 12, 1}}) {
    const EncodeSettings settings = settings_of(Preset::kExhaustive, size);
    const EncodeSettings harder = harder_settings(settings, size);
    EXPECT_GT(settings.hard_factor, 0);
    EXPECT_GT(harder.fits, settings.fits);
    EXPECT_GT(harder.partitions[0].kept, settings.partitions[0].kept);
    EXPECT_EQ(harder.hard_factor, 0);
    // What thorough goes on to is between it and exhaustive.
    const EncodeSettings above_thorough =
        harder_settings(settings_of(Preset::kThorough, size), size);
    EXPECT_LT(above_thorough.fits, settings.fits);
    for (float number = 75; number < 100; number += 5) {
      EXPECT_LT(harder_settings(quality_settings(number, size), size).effort,
                harder_settings(quality_settings(number + 5, size), size).effort);
    }
  }
}

// Few colours and alpha, where estimates put the best patterns far behind.
TEST(Choices, HardBlocksGainByMoreThanExhaustive) {
  const Image image = synthetic_rgba(SyntheticKind::kInterface, 96, 96, 5);
  const BlockSize size = {8, 8, 1};
  const EncodeSettings settings = settings_of(Preset::kExhaustive, size);
  EncodeSettings as_much_for_all = settings;
  as_much_for_all.hard_factor = 0;
  EXPECT_GT(quality(image, size, settings), quality(image, size, as_much_for_all) + 0.02);
}

TEST(Choices, EasyBlocksStopEarlyAndHardOnesGoOn) {
  const BlockSize size = {8, 8, 1};
  const Image image = synthetic_rgba(SyntheticKind::kInterface, 256, 256, 5);
  const EncodeSettings settings = settings_of(Preset::kFast, size);
  const double normal = quality(image, size, settings);
  EncodeSettings tireless = settings;
  tireless.small_error = 0;
  EXPECT_NEAR(quality(image, size, tireless), normal, 0.1);
  EncodeSettings hasty = settings;
  hasty.hard_factor = 0;
  EXPECT_GT(normal, quality(image, size, hasty) + 0.1);
  hasty.small_error = 400;
  hasty.small_factor = 0;
  EXPECT_GT(normal, quality(image, size, hasty) + 1);
}

TEST(Choices, HarderSettingsKeepWhatWasAskedFor) {
  const BlockSize size = {6, 6, 1};
  EncodeSettings settings = settings_of(Preset::kFast, size);
  settings.decode_mode = DecodeMode::kSrgb;
  settings.channel_weights = {1, 2, 3, 4};
  settings.alpha_weight = true;
  const EncodeSettings harder = harder_settings(settings, size);
  EXPECT_EQ(harder.decode_mode, settings.decode_mode);
  EXPECT_EQ(harder.channel_weights, settings.channel_weights);
  EXPECT_TRUE(harder.alpha_weight);
  EXPECT_EQ(harder.fits, settings_of(Preset::kMedium, size).fits);
}

// Before all blocks may have partitions, and no further.
TEST(Choices, HardBlocksOfQuickSettingsGetWhatFastDoes) {
  for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{8, 8, 1}}) {
    const EncodeSettings fast = settings_of(Preset::kFast, size);
    for (const float quality : {0.0F, 6.0F, 12.0F}) {
      const EncodeSettings harder = harder_settings(quality_settings(quality, size), size);
      EXPECT_EQ(harder.effort, fast.effort);
      EXPECT_EQ(harder.fits, fast.fits);
      EXPECT_EQ(harder.hard_factor, 0.0F);
    }
    EXPECT_GT(harder_settings(quality_settings(13, size), size).effort, fast.effort);
  }
}

// What is far above the limit of the next effort, too, is not tried with it.
TEST(Choices, TheHardestBlocksSkipAnEffort) {
  const BlockSize size = {6, 6, 1};
  const PictureFacts facts = {10};
  for (const Preset preset : {Preset::kFast, Preset::kMedium}) {
    const EffortPlan efforts(settings_of(preset, size), size);
    ASSERT_EQ(efforts.count(), 3u);
    const HardRule first(efforts, 0, facts, size);
    const float just_hard = 1.01F * first.limit * 36;
    EXPECT_TRUE(first.is_hard(just_hard, 36));
    if (preset == Preset::kFast) {  // where both limits are nearly the same, all blocks skip one
      EXPECT_EQ(first.steps(just_hard, 36), 2u);
      continue;
    }
    EXPECT_EQ(first.steps(just_hard, 36), 1u);
    EXPECT_GT(first.skip_limit, efforts[1].hard_factor * facts.mean_error);
    EXPECT_EQ(first.steps(0.99F * first.skip_limit * 36, 36), 1u);
    EXPECT_EQ(first.steps(1.01F * first.skip_limit * 36, 36), 2u);
  }
  // There is nothing to skip to.
  const EffortPlan efforts(settings_of(Preset::kFast, size), size);
  const HardRule second(efforts, 1, facts, size);
  EXPECT_EQ(second.steps(1e20F, 36), 1u);
  const EffortPlan quick(settings_of(Preset::kRealtime, size), size);
  ASSERT_EQ(quick.count(), 2u);
  EXPECT_EQ(HardRule(quick, 0, facts, size).steps(1e20F, 36), 1u);
}

TEST(Choices, QualityRunsThroughThePresets) {
  const BlockSize size = {6, 6, 1};
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 96, 96, 5);
  for (const auto& [number, preset] :
       {std::pair{0.0F, Preset::kRealtime}, {50.0F, Preset::kMedium}, {75.0F, Preset::kThorough}}) {
    EXPECT_EQ(encode(image.view(), size, quality_settings(number, size)),
              encode(image.view(), size, preset_settings(preset, size)));
  }
  EXPECT_GT(quality(image, size, quality_settings(40, size)),
            quality(image, size, quality_settings(10, size)));
}

TEST(Choices, EveryStartAndSearchIsOfUse) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 160, 160, 9);
  const BlockSize size = {4, 4, 1};
  EncodeSettings base = settings_of(Preset::kFast, size);
  base.partition_search = PartitionSearch::kOff;
  const double without = quality(image, size, base);
  std::vector<Bytes> outputs;
  for (const PartitionSearch search : {PartitionSearch::kMoments, PartitionSearch::kKmeans,
                                       PartitionSearch::kKmeansPlusPlus, PartitionSearch::kTable}) {
    EncodeSettings settings = base;
    settings.partition_search = search;
    EXPECT_GE(quality(image, size, settings), without - 0.005);
    outputs.push_back(encode(image.view(), size, settings));
  }
  EXPECT_NE(outputs[0], outputs[1]);
  EXPECT_NE(outputs[1], outputs[2]);
  const double by_pca = quality(image, size, base);
  for (const EndpointStart start :
       {EndpointStart::kBounds, EndpointStart::kMinMax, EndpointStart::kAccumulate}) {
    EncodeSettings settings = base;
    settings.endpoint_start = start;
    const double other = quality(image, size, settings);
    EXPECT_GT(other, by_pca - 1.5);
    EXPECT_NE(encode(image.view(), size, settings), encode(image.view(), size, base));
  }
}

TEST(Choices, AFitForTheDecoderInUseIsTheBetterOne) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 160, 160, 4);
  const BlockSize size = {4, 4, 1};
  EncodeSettings for_unorm8 = settings_of(Preset::kMedium, size);
  for_unorm8.decode_mode = DecodeMode::kLdrUnorm8;
  const EncodeSettings for_float16 = settings_of(Preset::kMedium, size);
  const auto error = [&](const EncodeSettings& settings) {
    return mean_squared_error(image.view(), encode(image.view(), size, settings), size,
                              DecodeMode::kLdrUnorm8);
  };
  EXPECT_LT(error(for_unorm8), error(for_float16));
}

// The best of a longer list of fits is at least as good, block by block: but only if a fit's error
// is what the decoder will make of it, to the last bit.
TEST(Choices, MoreFitsNeverLose) {
  const Image images[] = {gentle_slopes(), synthetic_rgba(SyntheticKind::kPhoto, 96, 96, 4),
                          synthetic_rgba(SyntheticKind::kSprite, 96, 96, 4)};
  for (const DecodeMode mode :
       {DecodeMode::kLdrFloat16, DecodeMode::kLdrUnorm8, DecodeMode::kSrgb}) {
    for (const BlockSize size : {BlockSize{4, 4, 1}, BlockSize{6, 6, 1}}) {
      EncodeSettings settings = settings_of(Preset::kMedium, size);
      settings.decode_mode = mode;
      settings.partition_fits = 0;
      settings.fits_per_family = 16;
      settings.hard_factor = 0;  // which blocks are hard depends on the error of all of them
      for (const Image& image : images) {
        double error = 1e30;
        for (const uint8_t fits : {uint8_t{1}, uint8_t{2}, uint8_t{5}, uint8_t{16}}) {
          settings.fits = settings.refined = fits;
          const double next =
              mean_squared_error(image.view(), encode(image.view(), size, settings), size, mode);
          EXPECT_LE(next, error) << +fits << " fits";
          error = next;
        }
      }
    }
  }
}

TEST(Choices, ChannelWeightsMoveTheError) {
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 160, 160, 4);
  const BlockSize size = {8, 8, 1};
  EncodeSettings green_first = settings_of(Preset::kMedium, size);
  green_first.channel_weights = {1, 20, 1, 1};
  const auto green_error = [&](const EncodeSettings& settings) {
    const Image decoded = decode_image(encode(image.view(), size, settings), image.info(), size,
                                       DecodeMode::kLdrFloat16)
                              .value();
    double sum = 0;
    for (uint32_t y = 0; y < 160; ++y) {
      for (uint32_t x = 0; x < 160; ++x) {
        const int d = image.row<uint8_t>(y)[4 * x + 1] - decoded.row<uint8_t>(y)[4 * x + 1];
        sum += d * d;
      }
    }
    return sum;
  };
  EXPECT_LT(green_error(green_first), 0.8 * green_error(settings_of(Preset::kMedium, size)));
}

TEST(Choices, AlphaWeightSparesWhatIsSeen) {
  std::mt19937 random(3);
  const Image image = drawn_rgba(128, 128, [&](uint32_t x, uint32_t y) {
    const bool seen = (x / 3 + y / 2) % 2 == 0;
    const auto noise = [&] { return static_cast<uint32_t>(random() % 256); };
    return seen ? rgba(x, y, 128, 255) : rgba(noise(), noise(), noise(), 0);
  });
  const BlockSize size = {5, 5, 1};
  EncodeSettings weighted = settings_of(Preset::kMedium, size);
  weighted.alpha_weight = true;
  const auto seen_error = [&](const EncodeSettings& settings) {
    const Image decoded = decode_image(encode(image.view(), size, settings), image.info(), size,
                                       DecodeMode::kLdrFloat16)
                              .value();
    double sum = 0;
    for (uint32_t y = 0; y < 128; ++y) {
      for (uint32_t x = 0; x < 128; ++x) {
        for (unsigned k = 0; k < 3; ++k) {
          const int d = image.row<uint8_t>(y)[4 * x + k] - decoded.row<uint8_t>(y)[4 * x + k];
          sum += d * d * image.row<uint8_t>(y)[4 * x + 3] / 255;
        }
      }
    }
    return sum;
  };
  EXPECT_LT(seen_error(weighted), 0.5 * seen_error(settings_of(Preset::kMedium, size)));
}

}  // namespace
}  // namespace tessera::astc
