// Tests that the tool names the right stage where it is known.
#include "lost_choices.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "encoding.h"

namespace tessera::astc {
namespace {

constexpr BlockSize kSize = {4, 4, 1};

// A quick oracle is enough here.
oracle::Options quick() {
  oracle::Options options;
  options.max_partitions = 2;
  options.max_dual_plane_partitions = 1;
  options.refined = 8;
  options.polished = 2;
  return options;
}

// Two unrelated lines of colours, one in each half: a matter of two partitions.
std::vector<oracle::Rgba> two_lines() {
  std::vector<oracle::Rgba> texels;
  for (int t = 0; t < 16; ++t) {
    const int step = t % 4 * 20 + t / 4 * 10;
    texels.push_back(t % 4 < 2 ? oracle::Rgba{static_cast<uint8_t>(250 - step), 10,
                                              static_cast<uint8_t>(step), 255}
                               : oracle::Rgba{5, static_cast<uint8_t>(100 + step),
                                              static_cast<uint8_t>(250 - step / 2), 255});
  }
  return texels;
}

TEST(LostChoices, WithoutPartitionsThereIsNoCandidate) {
  EncodeSettings settings = preset_settings(Preset::kFast, kSize);
  settings.partition_search = PartitionSearch::kOff;
  const LostChoice choice = find_lost_choice(two_lines(), kSize, settings, quick());
  EXPECT_EQ(choice.stage, LostAt::kNoCandidate);
  EXPECT_GT(choice.written_error, choice.oracle_error);
}

TEST(LostChoices, OneFitOfManyIsLostInTheRanking) {
  EncodeSettings settings = preset_settings(Preset::kMedium, kSize);
  settings.fits = settings.refined = settings.fits_per_family = 1;
  settings.partition_fits = 0;
  settings.refine_passes = settings.fit_passes = 1;
  settings.endpoint_moves = 0;
  const Image image = synthetic_rgba(SyntheticKind::kPhoto, 64, 64, 3);
  const LostChoices found = find_lost_choices(image.view(), kSize, settings, quick(), 12);
  const auto at = [&](LostAt stage) { return found.blocks[static_cast<size_t>(stage)]; };
  EXPECT_EQ(std::accumulate(found.blocks.begin(), found.blocks.end(), 0u), 12u);
  EXPECT_GT(at(LostAt::kRanking), at(LostAt::kFitting) + at(LostAt::kStoring));
}

TEST(LostChoices, OfASlowPresetAreFew) {
  const Image image = synthetic_rgba(SyntheticKind::kSprite, 64, 64, 3);
  const auto lost_by = [&](Preset preset) {
    const LostChoices found =
        find_lost_choices(image.view(), kSize, preset_settings(preset, kSize), quick(), 10);
    return std::accumulate(found.lost.begin(), found.lost.end(), uint64_t{0});
  };
  EXPECT_LT(lost_by(Preset::kExhaustive), lost_by(Preset::kRealtime));
}

}  // namespace
}  // namespace tessera::astc
