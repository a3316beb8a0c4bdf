// Follows the oracle's block through the encoder's stages.
#include "lost_choices.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "astc/encode/chunk.h"
#include "astc/encode/encode_rows.h"
#include "astc/encode/fit_jobs.h"
#include "astc/encode/stages.h"
#include "astc/format/block128.h"
#include "encoding.h"

namespace tessera::astc {
namespace {

using ImageChunk = ChunkBuffer<Rgba8Texels>;
using Texels = std::span<const oracle::Rgba>;

Image block_image(Texels texels, BlockSize size) {
  return drawn_rgba(size.width, size.height, [&](uint32_t x, uint32_t y) {
    const oracle::Rgba& t = texels[y * size.width + x];
    return rgba(t[0], t[1], t[2], t[3]);
  });
}

ColorClass class_of(Texels texels) {
  const bool grey = std::all_of(texels.begin(), texels.end(),
                                [](const oracle::Rgba& t) { return t[0] == t[1] && t[1] == t[2]; });
  const bool opaque =
      std::all_of(texels.begin(), texels.end(), [](const oracle::Rgba& t) { return t[3] == 255; });
  return static_cast<ColorClass>((grey ? 0 : 2) + (opaque ? 0 : 1));
}

// The encoder's family of such blocks; nothing where it has none.
std::optional<Family> family_of(const SymbolicBlock& block, ColorClass color_class) {
  Family family = {color_class, block.partition_count, block.mode.dual_plane, 0};
  std::array<unsigned, kMaxPartitions> values{};
  unsigned saved = 0;
  for (unsigned p = 0; p < block.partition_count; ++p) {
    values[p] = color_value_count(static_cast<unsigned>(block.endpoint_modes[p]));
    if (values[p] > 2 * stored_channels(color_class)) {
      return std::nullopt;
    }
    saved += stored_channels(color_class) - values[p] / 2;
  }
  family.saved_pairs = static_cast<uint8_t>(saved);
  if (!family.is_legal()) {
    return std::nullopt;
  }
  for (unsigned p = 0; p < block.partition_count; ++p) {
    const bool is_full = values[p] == family.values_of_part(family.storage());
    if (!is_full &&
        !(family.mixes_modes() && values[p] == family.values_of_part(family.reduced_storage()))) {
      return std::nullopt;
    }
  }
  return family;
}

// The block's configuration without its reduced partitions; nothing where tables have none.
std::optional<Configuration> configuration_of(const SymbolicBlock& block, ColorClass color_class,
                                              const EncodeTables& tables,
                                              const EncodeSettings& settings) {
  const auto family = family_of(block, color_class);
  const auto bits = encode_block_mode(block.mode, false);
  if (!family || !bits) {
    return std::nullopt;
  }
  const bool is_plain = family->partitions == 1 && !family->dual_plane;
  const size_t most = is_plain ? settings.one_plane_modes : settings.other_modes;
  const auto candidates = tables.candidates(family_index(*family));
  const auto end = candidates.begin() + static_cast<ptrdiff_t>(std::min(most, candidates.size()));
  const auto found = std::find_if(candidates.begin(), end,
                                  [&](const Candidate& c) { return c.mode_bits == *bits; });
  if (found == end) {
    return std::nullopt;
  }
  Configuration result = {family_index(*family), static_cast<unsigned>(found - candidates.begin()),
                          block.mode.dual_plane ? block.plane2_channel : 0u, 0, 0};
  if (family->partitions > 1) {
    const PatternTable& patterns = tables.patterns(family->partitions);
    const int32_t* const end_seed = patterns.seeds() + patterns.count();
    const int32_t* const seed =
        std::find(patterns.seeds(), end_seed, int32_t{block.partition_seed});
    if (seed == end_seed) {
      return std::nullopt;
    }
    result.pattern = static_cast<unsigned>(seed - patterns.seeds());
  }
  return result;
}

class OneBlock {
 public:
  OneBlock(Texels texels, BlockSize size, const EncodeSettings& settings)
      : settings_(settings), tables_(encode_tables(size, TableNeeds::of(settings, size))) {
    const Image image = block_image(texels, size);
    chunk_->start(size, settings.fits, 1);
    load_blocks(image.view(), size, {0, 0, 0, 1, 0}, false, *chunk_);
    findings_->lend_to(*chunk_, settings.fits);
  }

  const EncodeTables& tables() const { return tables_; }

  // The code of a configuration in the list that the ranking leaves; nothing: it is not there.
  std::optional<int32_t> ranked_code(const Configuration& wanted) {
    const size_t promising = rank_one_plane(tables_, settings_, *chunk_);
    if (settings_.dual_plane) {
      rank_two_planes(tables_, settings_, promising, *chunk_);
    }
    if (settings_.partition_search != PartitionSearch::kOff) {
      rank_partitions(tables_, settings_, *chunk_);
    }
    for (unsigned i = 0; i < settings_.fits; ++i) {
      const int32_t code = chunk_->configuration(i)[0];
      const Configuration c = Configuration::of_code(code);
      if (code != kNoConfiguration && c.family == wanted.family &&
          c.candidate == wanted.candidate && c.pattern == wanted.pattern &&
          c.plane2_channel == wanted.plane2_channel) {
        return code;
      }
    }
    return std::nullopt;
  }

  // Fits one configuration as settings do in the end.
  Block128 fit(int32_t code, const EncodeSettings& effort) {
    for (unsigned i = 0; i < settings_.fits; ++i) {
      chunk_->configuration(i)[0] = i == 0 ? code : kNoConfiguration;
      chunk_->estimate(i)[0] = 0;
    }
    chunk_->error[0] = kNoError;
    const auto jobs = std::make_unique<FitJobs>();
    jobs->collect(tables_, *chunk_, 1, kNoError);
    std::array<uint8_t, kBlockBytes> out{};
    const FitContext context = {tables_,
                                tables_.size,
                                settings_,
                                {1, 1, 1, 1},
                                effort.refine_passes,
                                effort.weight_sweeps,
                                effort.endpoint_moves,
                                true,
                                effort.refine_passes > 1,
                                out.data()};
    fit_luminance(context, *chunk_, *jobs);
    fit_luminance_alpha(context, *chunk_, *jobs);
    fit_rgb(context, *chunk_, *jobs);
    fit_rgba(context, *chunk_, *jobs);
    return load_block(out.data());
  }

 private:
  EncodeSettings settings_;
  const EncodeTables& tables_;
  std::unique_ptr<ImageChunk> chunk_ = std::make_unique<ImageChunk>();
  std::unique_ptr<ChunkFindings> findings_ = std::make_unique<ChunkFindings>();
};

LostAt stage_of(Texels texels, BlockSize size, const EncodeSettings& settings,
                const oracle::Found& best) {
  OneBlock block(texels, size, settings);
  const auto wanted =
      configuration_of(unpack_block(best.bits, size), class_of(texels), block.tables(), settings);
  if (!wanted) {
    return LostAt::kNoCandidate;
  }
  const auto code = block.ranked_code(*wanted);
  if (!code) {
    return LostAt::kRanking;
  }
  const Block128 patient = block.fit(*code, preset_settings(Preset::kExhaustive, size));
  const double reached = oracle::squared_error(patient, texels, size);
  return reached <= 1.1 * best.error + 1 ? LostAt::kFitting : LostAt::kStoring;
}

}  // namespace

LostChoice find_lost_choice(Texels texels, BlockSize size, const EncodeSettings& given,
                            const oracle::Options& options) {
  EncodeSettings settings = given;
  settings.hard_factor = settings.small_factor = settings.small_error = 0;
  const Bytes written = encode(block_image(texels, size).view(), size, settings);
  const oracle::Found best = oracle::search_block(texels, size, options);
  LostChoice choice;
  choice.written_error = oracle::squared_error(load_block(written.data()), texels, size);
  choice.oracle_error = best.error;
  constexpr double kAboutAsGood = 1.02;
  if (choice.written_error > kAboutAsGood * best.error + 1) {
    choice.stage = stage_of(texels, size, settings, best);
  }
  return choice;
}

LostChoices find_lost_choices(const ImageView& picture, BlockSize size,
                              const EncodeSettings& settings, const oracle::Options& options,
                              unsigned count) {
  LostChoices result;
  const uint32_t across = picture.info.width / size.width;
  const uint32_t blocks = across * (picture.info.height / size.height);
  for (uint32_t i = 0; i < std::min(count, blocks); ++i) {
    const auto block = static_cast<uint32_t>(uint64_t{blocks} * (2 * i + 1) / (2u * count));
    std::vector<oracle::Rgba> texels;
    for (uint32_t t = 0; t < size.texel_count(); ++t) {
      const uint32_t x = block % across * size.width + t % size.width;
      const uint32_t y = block / across * size.height + t / size.width;
      const uint8_t* const texel = picture.row<uint8_t>(y) + 4 * size_t{x};
      texels.push_back({texel[0], texel[1], texel[2], texel[3]});
    }
    if (std::equal(texels.begin() + 1, texels.end(), texels.begin())) {
      continue;
    }
    const LostChoice choice = find_lost_choice(texels, size, settings, options);
    const auto stage = static_cast<size_t>(choice.stage);
    ++result.blocks[stage];
    result.lost[stage] +=
        choice.written_error - std::min(choice.written_error, choice.oracle_error);
    result.written_error += choice.written_error;
    result.oracle_error += choice.oracle_error;
  }
  return result;
}

}  // namespace tessera::astc
