// Every knob of every ASTC preset, as a table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "astc/decode/decode_mode.h"
#include "astc/format/block_size.h"
#include "base/preset.h"

namespace tessera::astc {

// Where the line through a block's colours comes from before least squares moves it.
enum class EndpointStart : uint8_t {
  kPca,         // the leading eigenvector of the covariances
  kBounds,      // the diagonal of the bounding box, signs by covariance
  kMinMax,      // from the texel of the least sum of channels to that of the greatest
  kAccumulate,  // the longest of the sums of deviations on one side of the mean, a channel each
};

// How patterns for blocks of several partitions are found.
enum class PartitionSearch : uint8_t {
  kOff,
  kMoments,         // every pattern, by how well lines fit its parts
  kKmeans,          // the patterns most like a clustering that starts from two distant colours
  kKmeansPlusPlus,  // the same, its start drawn at random by squared distance
  kTable,           // at 4x4 the clustering is looked up in a table; else as kKmeans
};

// The most fits of a block, and the most patterns of one partition count that are ranked for it.
inline constexpr unsigned kMaxFits = 384, kMaxKeptPatterns = 128;

// A search of partitions: of the first `tried` patterns, the best `kept` are ranked.
struct PartitionEffort {
  uint16_t tried = 0;
  uint8_t kept = 0;

  // Two axes tell less of four channels than of three: with alpha, all patterns are tried, and
  // twice as many kept.
  constexpr unsigned kept_with_alpha() const { return 2u * kept; }
};

struct EncodeSettings {
  // What the blocks are meant for: decides how the error of a fit is rounded.
  DecodeMode decode_mode = DecodeMode::kLdrFloat16;
  EndpointStart endpoint_start = EndpointStart::kPca;
  // What a squared error of each channel counts.
  std::array<float, 4> channel_weights = {1, 1, 1, 1};
  // Errors of red, green and blue count by the texel's alpha.
  bool alpha_weight = false;
  // Of HDR: alpha is of high dynamic range, too.
  bool hdr_alpha = false;

  // Blocks may have two planes of weights: one for a channel of its own, one for the others. They
  // are looked at where this part of the estimated one-plane error is the texels' distance from a
  // line.
  bool dual_plane = true;
  float two_plane_share = 0.88F;
  bool every_plane2_channel = false;  // else the most promising one

  PartitionSearch partition_search = PartitionSearch::kOff;
  // Patterns are looked for where they may save this part of the best estimate.
  float partition_share = 0.5F;
  std::array<PartitionEffort, 3> partitions{};  // for 2, 3 and 4 partitions
  bool favors_two_colors = false;  // patterns whose parts have two colours each, as in text
  uint8_t two_plane_patterns = 0;  // of the kept patterns, so many are ranked with two planes, too

  bool base_scale = false;  // endpoints as one colour and a factor
  bool offsets = false;     // endpoints as one colour and the way to the other
  // Partitions of a block may be stored in different ways.
  bool mixed_modes = false;
  // Rounding to few levels is measured for each block, rather than estimated.
  bool measures_rounding = false;
  // Modes ranked of each kind, at most kMaxCandidates.
  uint16_t one_plane_modes = 32;
  uint16_t other_modes = 16;

  // Blocks whose mean squared error of a channel is so small are done with their first fit, and so
  // are those whose error is below this part of the picture's (0: of any picture).
  float small_error = 0;
  float small_factor = 0;
  // Blocks with more than so many times the picture's error are encoded again with
  // harder_settings(); 0: none.
  float hard_factor = 0;
  float hard_scale = 1;  // of the dial; in hard_factor already
  float effort = 0;  // what is done for each block: 0 as realtime … 100 as exhaustive, 125 more

  // The best `fits` estimates are fitted; the best `refined` of those are fitted again, with more
  // passes of least squares, and the best of all is written.
  uint16_t fits = 1;
  uint8_t fits_per_family = 1;  // of one pattern and second plane, at most
  // Of the fits, so many are kept for blocks of several partitions; 0: all compete.
  uint8_t partition_fits = 0;
  uint8_t fit_passes = 1;
  uint16_t refined = 1;
  uint8_t refine_passes = 1;
  // Sweeps of weight descent in the last fit.
  uint8_t weight_sweeps = 0;
  // Moves of stored colours to the next level that are tried after several passes of least squares.
  uint8_t endpoint_moves = 0;

  // One partition has at least one fit.
  constexpr unsigned reserved_fits() const {
    return partition_search == PartitionSearch::kOff || partition_fits >= fits ? 0u
                                                                               : partition_fits;
  }
  constexpr unsigned single_fits() const { return fits - reserved_fits(); }
  constexpr bool weighs_channels() const {
    return channel_weights != std::array<float, 4>{1, 1, 1, 1};
  }
};

// Of what errors of each channel count.
std::array<float, 4> root_weights(const EncodeSettings& settings);

EncodeSettings preset_settings(Preset preset, BlockSize size);

// Between the presets: 0 is realtime, 25 fast, 50 medium, 75 thorough, 100 exhaustive.
EncodeSettings quality_settings(float quality, BlockSize size);

// Blocks that turn out hard go on to the next effort, which spends more on them: at most so many,
// the first one included.
inline constexpr unsigned kMaxEfforts = 3;

// What the next preset would do, with the same wishes.
EncodeSettings harder_settings(const EncodeSettings& settings, BlockSize size);

}  // namespace tessera::astc
