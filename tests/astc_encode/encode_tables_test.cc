// The encoder's tables against the standard's.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include "astc/encode/candidate_lists.h"
#include "astc/encode/candidate_order.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/usable_seeds.h"
#include "astc/format/block_layout.h"
#include "astc/format/infill.h"
#include "astc/format/partition.h"
#include "astc/format/quantization.h"
#include "encoding.h"
#include "image/synthetic.h"

namespace tessera::astc {
namespace {

TEST(WeightLevels, GiveTheLevelsOfTheStandard) {
  for (unsigned range = 0; range < kWeightRangeCount; ++range) {
    const unsigned levels = range_levels(range_from_index(range));
    const WeightLevels& w = kWeightLevels[range];
    const auto& values = kWeightTables[range].value_of_rank;
    EXPECT_EQ(static_cast<unsigned>(w.last), (levels - 1) / 2);
    for (unsigned rank = 0; rank < levels; ++rank) {
      const unsigned folded = std::min(rank, levels - 1 - rank);
      const auto value = static_cast<unsigned>(static_cast<float>(folded) * w.step + w.offset);
      EXPECT_EQ(rank == folded ? value : 64 - value, values[rank]) << levels << " " << rank;
    }
  }
}

TEST(WeightLevels, RoundEveryLevelToItself) {
  for (unsigned range = 0; range < kWeightRangeCount; ++range) {
    const WeightLevels& w = kWeightLevels[range];
    for (unsigned rank = 0; rank <= static_cast<unsigned>(w.last); ++rank) {
      const float value = kWeightTables[range].value_of_rank[rank];
      EXPECT_EQ(static_cast<unsigned>(value * w.per_step + 0.5F), rank) << range;
    }
  }
}

TEST(WeightCodes, AreThoseOfTheStandard) {
  for (unsigned range = 0; range < kWeightRangeCount; ++range) {
    const RangeInfo& info = range_info(range_from_index(range));
    const WeightCodes codes = make_weight_codes(range_from_index(range));
    EXPECT_EQ(codes.entries[0], 0);  // what lanes::look_up() asks for
    for (unsigned rank = 0; rank < info.levels; ++rank) {
      const unsigned value = kWeightTables[range].value_of_rank[rank];
      const bool is_above = value > 32;
      const unsigned level = is_above ? info.levels - 1u - rank : rank;
      const unsigned entry =
          codes.entries[level ^ (is_above ? static_cast<unsigned>(codes.flipped_index) : 0u)];
      const unsigned plain =
          (entry & 15) ^ (is_above ? static_cast<unsigned>(codes.flipped_plain) : 0u);
      EXPECT_EQ(kWeightTables[range].value_of_code[plain | (entry >> 4) << info.bits], value)
          << info.levels << " " << rank;
    }
  }
}

TEST(ColorCodes, AreTheNearestLevels) {
  for (unsigned range = 0; range < kColorRangeCount; ++range) {
    const ColorTable& table = kColorTables[range];
    const unsigned levels = range_levels(range_from_index(range + 4));
    for (int value = 0; value < 256; ++value) {
      const int32_t entry = all_tables({4, 4, 1}).colors.nearest[static_cast<size_t>(
          first_color_entry(range_from_index(range + 4)) + value)];
      const auto code = static_cast<size_t>(entry >> 8);
      ASSERT_LT(code, levels);
      EXPECT_EQ(table.value_of_code[code], entry & 0xFF);
      for (unsigned other = 0; other < levels; ++other) {
        EXPECT_LE(std::abs(value - (entry & 0xFF)), std::abs(value - table.value_of_code[other]));
      }
    }
  }
}

TEST(Families, HaveAnIndexEachAndStoreTheValuesTheirModesNeed) {
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family& family = family_of_index(index);
    EXPECT_TRUE(family.is_legal());
    EXPECT_EQ(family_index(family), index);
    const EndpointMode mode = family.endpoint_mode(family.storage());
    const auto count = [](EndpointMode m) { return color_value_count(static_cast<unsigned>(m)); };
    EXPECT_EQ(family.values_of_part(family.storage()), count(mode));
    unsigned values = (family.partitions - family.reduced_count()) * count(mode);
    if (family.mixes_modes()) {
      const EndpointMode reduced = family.endpoint_mode(family.reduced_storage());
      values += family.reduced_count() * count(reduced);
      EXPECT_EQ(Family::mode_class(reduced) + 1, Family::mode_class(mode));
    }
    EXPECT_EQ(family.color_values(), values);
  }
}

class Candidates : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Sizes, Candidates, testing::Range(0u, kBlockSizeCount2d),
                         [](const auto& i) { return block_size_name(kBlockSizes[i.param]); });

// There is no code to fit others.
TEST_P(Candidates, HaveTwoPlanesOnlyWhereTheyAreTried) {
  const EncodeTables& tables = all_tables(kBlockSizes[GetParam()]);
  unsigned with_partitions = 0;
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    if (family.dual_plane && !tables.candidates(index).empty()) {
      EXPECT_TRUE(may_have_two_planes(stored_channels(family.color_class), family.partitions))
          << index;
      with_partitions += family.partitions > 1 ? 1 : 0;
    }
  }
  EXPECT_GT(with_partitions, 0u);
}

TEST_P(Candidates, AreLegalModesWithTheColourRangeTheyImply) {
  const BlockSize size = kBlockSizes[GetParam()];
  const EncodeTables& table = all_tables(size);
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    const unsigned values = family.color_values();
    const auto& candidates = table.candidates(index);
    EXPECT_TRUE(family.is_legal() || candidates.empty());
    // One partition always leaves enough bits.
    EXPECT_TRUE(family.partitions > 1 || table.needs.candidates(family) == 0 ||
                !candidates.empty());
    EXPECT_LE(candidates.size(), kMaxCandidates);
    for (const Candidate& candidate : candidates) {
      const auto* entry = block_mode_table(size).find(candidate.mode_bits);
      ASSERT_NE(entry, nullptr);
      EXPECT_EQ(entry->mode.dual_plane, family.dual_plane);
      EXPECT_EQ(entry->mode.grid, table.grids[candidate.grid].size);
      EXPECT_EQ(entry->mode.weight_range, candidate.weight_range);
      EXPECT_EQ(entry->weight_bit_count, candidate.weight_bit_count);
      EXPECT_EQ(color_range(values, color_bit_count(entry->weight_bit_count, family.partitions,
                                                    family.dual_plane, family.mixes_modes())),
                candidate.color_range);
      EXPECT_GT(candidate.weight_error, 0);
      EXPECT_GT(candidate.color_error, 0);
    }
  }
}

TEST(Families, IndexAndFamilyAgree) {
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    EXPECT_EQ(family_index(family_of_index(index)), index);
  }
}

TEST_P(Candidates, ReachesAreTheTapsTurnedRound) {
  for (const WeightGrid& grid : all_tables(kBlockSizes[GetParam()]).grids) {
    ASSERT_EQ(grid.first_reach.size(), grid.size.count() + 1u);
    size_t taps = 0;
    for (size_t t = 0; t < grid.taps.size(); ++t) {
      for (unsigned k = 0; k < grid.taps[t].count; ++k, ++taps) {
        const unsigned point = grid.taps[t].grid[k];
        const auto found = std::count_if(
            grid.reaches.begin() + grid.first_reach[point],
            grid.reaches.begin() + grid.first_reach[point + 1u], [&](const auto& reach) {
              return reach.texel == t && reach.share * 16 == grid.taps[t].factor[k];
            });
        EXPECT_GE(found, 1);
      }
    }
    EXPECT_EQ(grid.reaches.size(), taps);
  }
}

class Patterns : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {};

INSTANTIATE_TEST_SUITE_P(Sizes, Patterns,
                         testing::Combine(testing::Range(0u, kBlockSizeCount2d),
                                          testing::Range(2u, 5u)));

TEST_P(Patterns, HoldEveryUsablePatternOnce) {
  const auto [index, partitions] = GetParam();
  const BlockSize size = kBlockSizes[index];
  const PatternTable& table = all_tables(size).patterns(partitions);
  const PartitionTable& standard = partition_table(size, partitions);
  std::vector<int32_t> seeds(table.seeds(), table.seeds() + table.count());
  for (size_t i = 0; i < table.count(); ++i) {
    const auto pattern = standard.pattern(static_cast<unsigned>(seeds[i]));
    std::array<unsigned, kMaxPartitions> texels{};
    for (unsigned t = 0; t < size.texel_count(); ++t) {
      const auto word =
          static_cast<uint32_t>(table.words()[i * table.words_per_pattern() + t / 16]);
      ASSERT_EQ(word >> (2 * (t % 16)) & 3u, pattern[t]);
      ++texels[pattern[t]];
      for (unsigned p = 1; p < partitions; ++p) {
        const unsigned subset = table.subsets(i, p)[t / 4];
        ASSERT_EQ(subset / 16, t / 4);
        ASSERT_EQ((subset >> (t % 4) & 1u) != 0, pattern[t] == p);
      }
    }
    for (unsigned p = 0; p < partitions; ++p) {
      ASSERT_FLOAT_EQ(table.per_texel(i, p) * static_cast<float>(texels[p]), 1.0F);
    }
  }
  std::sort(seeds.begin(), seeds.end());
  const auto usable = usable_seeds(size, partitions);
  EXPECT_TRUE(std::equal(seeds.begin(), seeds.end(), usable.begin(), usable.end()));
}

TEST(Patterns4x4, TheTableNamesTheNearestPattern) {
  TableNeeds needs;
  needs.partitions[0] = needs.nearest_patterns = true;
  const Flat<EncodeTables> tables = make_encode_tables({4, 4, 1}, needs);
  const PatternTable& table = tables.root().patterns(2);
  const auto mask_of = [&](size_t i) {
    unsigned mask = 0;
    for (unsigned t = 0; t < 16; ++t) {
      mask |= (static_cast<uint32_t>(table.words()[i]) >> (2 * t) & 1u) << t;
    }
    return mask;
  };
  const auto distance = [](unsigned a, unsigned b) {
    const int count = std::popcount(a ^ b);
    return std::min(count, 16 - count);
  };
  for (unsigned group = 0; group < 65536; group += 97) {
    int least = 16;
    for (size_t i = 0; i < table.count(); ++i) {
      least = std::min(least, distance(mask_of(i), group));
    }
    const auto named = static_cast<size_t>(tables.root().patterns_nearest_to_groups[group]);
    EXPECT_EQ(distance(mask_of(named), group), least) << group;
  }
}

TEST_P(Candidates, GridsRecoverWhatTheyInterpolate) {
  // Infill of any grid values, then least squares, gives the grid values back, but for the
  // standard's rounding of factors to sixteenths.
  const BlockSize size = kBlockSizes[GetParam()];
  for (const WeightGrid& grid : all_tables(size).grids) {
    const auto weight = [](unsigned i) { return static_cast<float>(i * 37 % 65); };
    std::vector<float> texels;
    for (const WeightGrid::Taps& taps : grid.taps) {
      float sum = 0, factors = 0;
      for (unsigned k = 0; k < taps.count; ++k) {
        sum += taps.factor[k] * weight(taps.grid[k]) / 16;
        factors += taps.factor[k];
      }
      EXPECT_EQ(factors, 16);
      texels.push_back(sum);
    }
    ASSERT_EQ(texels.size(), size.texel_count());
    for (unsigned v = 0; v < grid.size.y; ++v) {
      for (unsigned u = 0; u < grid.size.x; ++u) {
        float sum = 0;
        for (unsigned y = 0; y < size.height; ++y) {
          for (unsigned x = 0; x < size.width; ++x) {
            sum += grid.down[v * size.height + y] * grid.across[u * size.width + x] *
                   texels[y * size.width + x];
          }
        }
        EXPECT_NEAR(sum, weight(v * grid.size.x + u), 6.0F)
            << unsigned{grid.size.x} << "x" << unsigned{grid.size.y};
      }
    }
  }
}

TEST_P(Candidates, CosinesAreOrthonormal) {
  const BlockSize size = kBlockSizes[GetParam()];
  const float* rows = all_tables(size).cosines.across.data();
  for (unsigned a = 0; a < size.width; ++a) {
    for (unsigned b = 0; b < size.width; ++b) {
      float dot = 0;
      for (unsigned x = 0; x < size.width; ++x) {
        dot += rows[a * size.width + x] * rows[b * size.width + x];
      }
      EXPECT_NEAR(dot, a == b ? 1 : 0, 1e-6F);
    }
  }
}

TEST(ColorCodes, KeepTheHighestBitsWhereTheyCan) {
  const ColorCodeTables& colors = all_tables({4, 4, 1}).colors;
  for (unsigned range = 0; range < kColorRangeCount; ++range) {
    const auto& values = kColorTables[range].value_of_code;
    const unsigned levels = range_levels(range_from_index(range + 4));
    for (const unsigned mask : {0x80u, 0xC0u}) {
      const FlatArray<int32_t>& table =
          mask == 0x80 ? colors.nearest_in_half : colors.nearest_in_quarter;
      for (unsigned value = 0; value < 256; ++value) {
        unsigned expected = 0;
        int least = 256;
        for (unsigned code = 0; code < levels; ++code) {
          const int distance = std::abs(static_cast<int>(values[code]) - static_cast<int>(value));
          if (((values[code] ^ value) & mask) == 0 && distance < least) {
            expected = code;
            least = distance;
          }
        }
        ASSERT_EQ(table[256 * range + value],
                  static_cast<int32_t>(expected << 8 | values[expected]))
            << range << " " << value;
      }
    }
  }
}

TEST(ColorCodes, StepToTheNextLevels) {
  const ColorCodeTables& colors = all_tables({4, 4, 1}).colors;
  for (unsigned range = 0; range < kColorRangeCount; ++range) {
    const auto& values = kColorTables[range].value_of_code;
    const unsigned levels = range_levels(range_from_index(range + 4));
    for (unsigned code = 0; code < levels; ++code) {
      const size_t entry = 256 * range + code;
      ASSERT_EQ(colors.level_of_code[entry], values[code]);
      const int above = values[static_cast<size_t>(colors.code_above[entry])];
      const int below = values[static_cast<size_t>(colors.code_below[entry])];
      for (unsigned other = 0; other < levels; ++other) {
        EXPECT_FALSE(values[other] > values[code] && values[other] < above);
        EXPECT_FALSE(values[other] < values[code] && values[other] > below);
      }
      EXPECT_TRUE(above > values[code] || values[code] == 255);
      EXPECT_TRUE(below < values[code] || values[code] == 0);
    }
  }
}

// Whatever else a preset needs, it gets the same candidates in the same order.
TEST_P(Candidates, OfAPresetAreTheFirstOfAll) {
  const BlockSize size = kBlockSizes[GetParam()];
  const EncodeTables& all = all_tables(size);
  for (const Preset preset :
       {Preset::kRealtime, Preset::kFast, Preset::kMedium, Preset::kThorough}) {
    const EncodeSettings settings = preset_settings(preset, size);
    const EncodeTables& some = encode_tables(size, TableNeeds::of(settings, size));
    for (unsigned family = 0; family < kFamilyCount; ++family) {
      const auto few = some.candidates(family), many = all.candidates(family);
      const size_t wanted = some.needs.candidates(family_of_index(family));
      ASSERT_EQ(few.size(), std::min(wanted, many.size()));
      for (size_t i = 0; i < few.size(); ++i) {
        ASSERT_EQ(few[i].mode_bits, many[i].mode_bits);
        ASSERT_EQ(few[i].color_range, many[i].color_range);
        ASSERT_EQ(few[i].color_error, many[i].color_error);
        ASSERT_EQ(few[i].weight_error, many[i].weight_error);
        ASSERT_EQ(some.grids[few[i].grid].size, all.grids[many[i].grid].size);
        for (size_t k = 0; k < i; ++k) {
          ASSERT_EQ(few[k].grid < few[i].grid, many[k].grid < many[i].grid);
        }
      }
    }
  }
}

TEST(EncodeTables, HoldNoMoreThanIsNeeded) {
  const BlockSize size = {6, 6, 1};
  const auto tables_of = [&](Preset preset) {
    return make_encode_tables(size, TableNeeds::of(preset_settings(preset, size), size));
  };
  const auto realtime = tables_of(Preset::kRealtime), all = tables_of(Preset::kExhaustive);
  EXPECT_LT(realtime.bytes().size(), all.bytes().size() / 2);
  for (unsigned partitions = 2; partitions <= kMaxPartitions; ++partitions) {
    EXPECT_EQ(realtime.root().patterns(partitions).count(), 0u);
    EXPECT_GT(all.root().patterns(partitions).count(), 0u);
  }
  const Family several = {ColorClass::kRgb, 2, false, 0};
  EXPECT_TRUE(realtime.root().candidates(family_index(several)).empty());
  EXPECT_FALSE(all.root().candidates(family_index(several)).empty());
}

std::vector<uint16_t> learned_order(BlockSize size, const ModeGroup& group) {
  ModeOrders orders(size);
  return orders.of_group(mode_group_index(group), distinct_mode_bits(size, group.dual_plane));
}

// Several patterns of bits can mean the same mode; the order names those that candidates use.
TEST_P(Candidates, InLearnedOrderAreModesOfTheirGroup) {
  const BlockSize size = kBlockSizes[GetParam()];
  for (unsigned family = 0; family < kFamilyCount; ++family) {
    const ModeGroup group = mode_group(family_of_index(family));
    ASSERT_LT(mode_group_index(group), kModeGroupCount);
    std::vector<uint16_t> seen;
    for (const uint16_t bits : learned_order(size, group)) {
      const BlockModeTable::Entry* entry = block_mode_table(size).find(bits);
      ASSERT_NE(entry, nullptr);
      ASSERT_EQ(entry->mode.dual_plane, group.dual_plane);
      ASSERT_EQ(encode_block_mode(entry->mode, false), bits);
      ASSERT_EQ(std::count(seen.begin(), seen.end(), bits), 0);
      seen.push_back(bits);
    }
  }
}

// Candidates that the order names come first and in its order; with all modes wanted, none is left
// out.
TEST_P(Candidates, FollowTheLearnedOrder) {
  const BlockSize size = kBlockSizes[GetParam()];
  for (unsigned family = 0; family < kFamilyCount; ++family) {
    const auto order = learned_order(size, mode_group(family_of_index(family)));
    const auto place = [&](const Candidate& candidate) {
      return std::find(order.begin(), order.end(), candidate.mode_bits) - order.begin();
    };
    const auto candidates = all_tables(size).candidates(family);
    for (size_t i = 1; i < candidates.size(); ++i) {
      ASSERT_LE(place(candidates[i - 1]), place(candidates[i]));
    }
  }
}

// By the projection itself: interpolation of the nearest grid values.
TEST_P(Candidates, KeepTheShareOfACosineThatTheirGridCanFollow) {
  const BlockSize size = kBlockSizes[GetParam()];
  const EncodeTables& tables = all_tables(size);
  for (const WeightGrid& grid : tables.grids) {
    for (unsigned frequency = 0; frequency < size.width; ++frequency) {
      const float* const cosine = tables.cosines.across.data() + size_t{frequency} * size.width;
      float lost = 0;
      for (unsigned x = 0; x < size.width; ++x) {
        float followed = 0;
        for (unsigned i = 0; i < grid.taps[x].count; ++i) {  // the first row of texels
          const unsigned point = grid.taps[x].grid[i] % grid.size.x;
          for (unsigned k = 0; k < size.width; ++k) {
            followed +=
                grid.taps[x].factor[i] / 16 * grid.across[point * size.width + k] * cosine[k];
          }
        }
        lost += (cosine[x] - followed) * (cosine[x] - followed);
      }
      ASSERT_NEAR(tables.kept.across[(grid.size.x - 1u) * size.width + frequency], 1 - lost, 1e-4F)
          << unsigned{grid.size.x} << " points, frequency " << frequency;
    }
  }
}

// How good a picture is in the whole decides about its blocks, so parts must know of it.
TEST(PictureFacts, FollowFromThePictureAlone) {
  const BlockSize size = {6, 6, 1};
  const Image image = synthetic_rgba(SyntheticKind::kSprite, 200, 150, 4);
  EncodeScratch scratch;
  const EncodeSettings settings = preset_settings(Preset::kFast, size);
  const float error = look_at_picture(image.view(), size, settings, scratch).mean_error;
  EXPECT_GT(error, 0.0F);
  EncodeScratch another;
  EXPECT_EQ(look_at_picture(image.view(), size, settings, another).mean_error, error);
  EncodeSettings alone = settings;
  alone.hard_factor = alone.small_factor = 0;
  EXPECT_EQ(look_at_picture(image.view(), size, alone, scratch).mean_error, 0.0F);  // nobody asks
  const Image flat = synthetic_rgba(SyntheticKind::kConstant, 64, 64, 4);
  EXPECT_EQ(look_at_picture(flat.view(), size, settings, scratch).mean_error, 0.0F);
}

TEST(EncodeTables, OfEverySizeCanHoldEverything) {
  for (unsigned i = 0; i < kBlockSizeCount2d; ++i) {
    TableNeeds needs = all_needs(kBlockSizes[i]);
    needs.one_plane_modes = needs.other_modes = kMaxCandidates;
    needs.nearest_patterns = kBlockSizes[i] == BlockSize{4, 4, 1};
    EXPECT_GT(make_encode_tables(kBlockSizes[i], needs).bytes().size(), 0u);
  }
}

TEST(EncodeTables, ACopyElsewhereServesAsWell) {
  const BlockSize size = {5, 5, 1};
  const Image image = synthetic_rgba(SyntheticKind::kSprite, 96, 64, 4);
  const EncodeSettings settings = preset_settings(Preset::kThorough, size);
  const Bytes expected = encode(image.view(), size, settings);
  std::optional<Flat<EncodeTables>> original =
      make_encode_tables(size, TableNeeds::of(settings, size));
  FlatBytes elsewhere = allocate_flat(original->bytes().size());
  std::memcpy(elsewhere.get(), original->bytes().data(), original->bytes().size());
  const Flat<EncodeTables> copy(std::move(elsewhere), original->bytes().size());
  // Nothing may lead back to the memory that the copy was made from.
  std::memset(const_cast<std::byte*>(original->bytes().data()), 0xFF, original->bytes().size());
  original.reset();
  Bytes blocks(expected.size());
  EncodeScratch scratch;
  const PictureFacts facts = look_at_picture(copy.root(), image.view(), settings, scratch);
  encode_rows(copy.root(), image.view(), 0, 0, (64 + 4) / 5, settings, facts, scratch, blocks);
  EXPECT_EQ(blocks, expected);
}

}  // namespace
}  // namespace tessera::astc
