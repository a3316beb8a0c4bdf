// The table of presets, and what lies between them.
#include "astc/encode/presets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "astc/encode/encoder_scope.h"
#include "astc/format/block_layout.h"
#include "astc/format/block_mode.h"
#include "base/bits.h"

namespace tessera::astc {
namespace {

// The numbers that presets differ in; what is between two presets is between their numbers.
struct Knobs {
  float two_plane_share;
  float partition_share;
  float patterns[3][2];  // tried and kept, of two, three and four partitions
  float two_plane_patterns;
  float one_plane_modes;
  float other_modes;
  float fits;
  float fits_per_family;
  float partition_fits;
  float fit_passes;
  float refined;
  float refine_passes;
  float weight_sweeps;
  float endpoint_moves;
  float small_error;  // as PSNR, dB
  float hard_factor;  // times the picture's error; 0: no block is
};

constexpr unsigned kPresetCount = 5;
// Behind the presets' rows is one for the hardest blocks of the last preset.
constexpr unsigned kRowCount = kPresetCount + 1;
constexpr float kEffortPerRow = 25;

// Where between the first two presets partitions come in.
constexpr float kFirstPartitions = 0.5F;

// Blocks are done early with less than this part of the picture's error.
constexpr float kSmallFactor = 0.5F;

// Small blocks store one weight per texel and have few modes to choose from; large ones live by the
// choice of their grid, and the larger they are the more there is to choose.
struct SizeClass {
  unsigned first_texels;  // of the smallest block
  Knobs rows[kRowCount];
};

// clang-format off
// For the hardest blocks, of all sizes but the smallest: estimates of blocks with few colours or
// with alpha put the best patterns behind many others.
constexpr Knobs kHardest =
    {0.00F, 0.00F, {{1024,64}, {1024,64}, {1024,48}}, 8, 256, 256, 384, 20, 0, 1, 192, 4, 3, 24, 80, 0};

constexpr SizeClass kSizeClasses[] = {
    // planes partitions  2          3          4     planes  modes       fits  passes refined sweeps  enough hard
    {16, {  // 4x4, 5x4
    {0.985F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  32,  16,  1, 1,  0, 1,  1, 1, 0, 0, 48, 16},
    {0.80F, 0.30F, {{  64, 1}, {   0, 0}, {   0, 0}}, 1,  32,  16,  3, 3,  0, 1,  3, 1, 0, 4, 50, 5},
    {0.50F, 0.00F, {{ 128, 3}, {   0, 0}, {   0, 0}}, 1,  32,  16,  8, 4,  3, 1,  1, 2, 0, 6, 56, 3.5F},
    {0.00F, 0.00F, {{1024, 6}, {1024, 3}, {   0, 0}}, 2,  64,  64, 24, 6, 15, 1,  3, 3, 1, 12, 60, 8},
    {0.00F, 0.00F, {{1024,16}, {1024, 8}, {1024, 4}}, 4, 256, 256, 128, 16, 64, 2, 16, 4, 2, 24, 80, 8},
    {0.00F, 0.00F, {{1024,32}, {1024,24}, {1024,16}}, 6, 256, 256, 256, 20, 128, 1, 96, 4, 2, 24, 80, 0}}},
    {25, {  // 5x5 to 8x5
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  48,  24,  1, 1,  0, 1,  1, 1, 0, 0, 44, 16},
    {0.70F, 0.00F, {{  64, 1}, {   0, 0}, {   0, 0}}, 0,  96,  48,  3, 3,  0, 1,  3, 1, 1, 0, 46, 5},
    {0.30F, 0.00F, {{ 128, 2}, {   0, 0}, {   0, 0}}, 1, 128, 128, 10, 8,  0, 1,  2, 2, 0, 6, 50, 3.5F},
    {0.00F, 0.00F, {{1024, 6}, {1024, 3}, {   0, 0}}, 1, 256, 256, 28, 8,  0, 1,  3, 2, 1, 8, 56, 5},
    {0.00F, 0.00F, {{1024,20}, {1024,20}, {1024,10}}, 2, 256, 256, 192, 32, 0, 2, 24, 4, 3, 24, 80, 8},
    kHardest}},
    {48, {  // 8x6 to 8x8
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  48,  24,  1, 1,  0, 1,  1, 1, 0, 0, 40, 16},
    {0.70F, 0.00F, {{  64, 1}, {   0, 0}, {   0, 0}}, 0, 128,  64,  3, 3,  0, 1,  3, 1, 1, 0, 42, 8},
    {0.30F, 0.00F, {{ 128, 3}, {   0, 0}, {   0, 0}}, 1, 128, 128, 11, 8,  0, 1,  2, 2, 1, 6, 46, 3.5F},
    {0.00F, 0.00F, {{1024, 8}, {1024, 3}, {   0, 0}}, 1, 256, 256, 28, 8,  0, 1,  4, 2, 1, 10, 50, 5},
    {0.00F, 0.00F, {{1024,16}, {1024,16}, {1024, 8}}, 2, 256, 256, 192, 40, 0, 2, 32, 4, 3, 24, 80, 8},
    kHardest}},
    {80, {  // 10x8 to 12x12
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  48,  24,  1, 1,  0, 1,  1, 1, 0, 0, 38, 16},
    {0.50F, 0.00F, {{  64, 1}, {   0, 0}, {   0, 0}}, 0, 128,  64,  4, 4,  0, 1,  4, 1, 1, 0, 40, 5},
    {0.30F, 0.00F, {{1024, 4}, {   0, 0}, {   0, 0}}, 1, 256, 256, 24, 8,  0, 1,  3, 2, 2, 6, 44, 3.5F},
    {0.00F, 0.00F, {{1024, 8}, {1024, 4}, {   0, 0}}, 1, 256, 256, 40, 8,  0, 1,  5, 3, 2, 10, 48, 8},
    {0.00F, 0.00F, {{1024,16}, {1024,16}, {1024, 8}}, 2, 256, 256, 192, 40, 0, 2, 32, 4, 3, 24, 80, 8},
    kHardest}},
};

// Of volumes. Blocks of 3D hold much alike, and their estimates are good: fewer modes and fits reach
// the same, and few different ones fill vectors better where a volume has few blocks.
constexpr SizeClass kVolumeClasses[] = {
    {27, {  // 3x3x3, 4x3x3
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  48,  24,  1, 1,  0, 1,  1, 1, 0, 0, 44, 16},
    {0.70F, 0.00F, {{  64, 1}, {   0, 0}, {   0, 0}}, 0,  96,  48,  3, 3,  0, 1,  3, 1, 1, 0, 46, 5},
    {0.70F, 0.00F, {{  96, 2}, {   0, 0}, {   0, 0}}, 1,  96,  64,  4, 4,  0, 1,  2, 2, 1, 6, 48, 5},
    {0.30F, 0.00F, {{ 128, 2}, {   0, 0}, {   0, 0}}, 1, 128, 128, 10, 8,  0, 1,  2, 2, 0, 8, 54, 8},
    {0.00F, 0.00F, {{1024,20}, {1024,20}, {1024,10}}, 2, 256, 256, 192, 32, 0, 2, 24, 4, 3, 24, 80, 8},
    kHardest}},
    {48, {  // 4x4x3, 4x4x4
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  64,  24,  1, 1,  0, 1,  1, 1, 1, 0, 40, 16},
    {0.70F, 0.00F, {{  96, 1}, {   0, 0}, {   0, 0}}, 0, 128,  64,  3, 3,  0, 1,  3, 2, 1, 0, 42, 5},
    {0.50F, 0.00F, {{ 192, 3}, {   0, 0}, {   0, 0}}, 1, 128,  64,  8, 6,  0, 1,  3, 3, 1, 6, 50, 8},
    {0.20F, 0.00F, {{ 512, 5}, {   0, 0}, {   0, 0}}, 1, 160, 128, 18, 10, 0, 1,  5, 3, 1, 8, 56, 8},
    {0.00F, 0.00F, {{1024,16}, {1024,16}, {1024, 8}}, 2, 256, 256, 192, 40, 0, 2, 32, 4, 3, 24, 80, 8},
    kHardest}},
    {80, {  // 5x4x4 to 6x6x6
    {0.90F, 0.95F, {{  64, 0}, {   0, 0}, {   0, 0}}, 0,  64,  24,  1, 1,  0, 1,  1, 1, 2, 0, 38, 16},
    {0.50F, 0.00F, {{  64, 1}, {   0, 0}, {   0, 0}}, 0,  96,  64,  4, 4,  0, 1,  4, 2, 2, 0, 40, 4},
    {0.20F, 0.00F, {{ 256, 2}, {   0, 0}, {   0, 0}}, 1,  64,  48,  6, 6,  0, 1,  3, 3, 2, 3, 44, 4},
    {0.20F, 0.00F, {{ 256, 3}, {   0, 0}, {   0, 0}}, 1, 128,  96, 24, 10, 0, 1,  4, 3, 2, 8, 62, 8},
    {0.00F, 0.00F, {{1024,16}, {1024,16}, {1024, 8}}, 2, 256, 256, 192, 40, 0, 2, 32, 4, 3, 24, 80, 8},
    kHardest}},
};
// clang-format on

constexpr bool is_within_limits(const Knobs& row) {
  return row.fits <= kMaxFits &&
         std::all_of(std::begin(row.patterns), std::end(row.patterns), [](const auto& p) {
           const PartitionEffort effort = {static_cast<uint16_t>(p[0]), static_cast<uint8_t>(p[1])};
           return effort.tried <= kPartitionSeedCount &&
                  effort.kept_with_alpha() <= kMaxKeptPatterns;
         });
}
constexpr bool are_within_limits(std::span<const SizeClass> classes) {
  return std::all_of(classes.begin(), classes.end(), [](const SizeClass& size_class) {
    return std::all_of(std::begin(size_class.rows), std::end(size_class.rows), is_within_limits);
  });
}
static_assert(are_within_limits(kSizeClasses) && are_within_limits(kVolumeClasses));

float between(float a, float b, float share) {
  return a + (b - a) * share;
}

// All knobs are of one type, so what holds for one holds for the others.
Knobs between(const Knobs& a, const Knobs& b, float share) {
  using Values = std::array<float, sizeof(Knobs) / sizeof(float)>;
  auto values = bit_cast<Values>(a);
  const auto ends = bit_cast<Values>(b);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = between(values[i], ends[i], share);
  }
  return bit_cast<Knobs>(values);
}

// e^x for |x| < 32 by its series, so that it is the same number with every C library.
double exponential(double x) {
  constexpr int kHalvings = 10;
  const double part = x / (1 << kHalvings);
  double term = 1, sum = 1;
  for (int i = 1; i <= 8; ++i) {
    term *= part / i;
    sum += term;
  }
  for (int i = 0; i < kHalvings; ++i) {
    sum *= sum;
  }
  return sum;
}

// Of a PSNR in dB.
float mean_square_error(float psnr) {
  constexpr double kLogOf10 = 2.302585092994046;
  return static_cast<float>(255.0 * 255.0 * exponential(-psnr * kLogOf10 / 10));
}

EncodeSettings settings_of(const Knobs& knobs, bool is_realtime, bool is_thorough) {
  const auto whole = [](float v) { return static_cast<uint8_t>(v + 0.5F); };
  const auto wide = [](float v) { return static_cast<uint16_t>(v + 0.5F); };
  EncodeSettings s;
  s.two_plane_share = knobs.two_plane_share;
  s.partition_share = knobs.partition_share;
  bool any_partitions = false;
  for (unsigned i = 0; i < 3; ++i) {
    s.partitions[i] = {wide(knobs.patterns[i][0]), whole(knobs.patterns[i][1])};
    any_partitions = any_partitions || s.partitions[i].kept > 0;
  }
  s.partition_search = any_partitions ? PartitionSearch::kMoments : PartitionSearch::kOff;
  s.two_plane_patterns = whole(knobs.two_plane_patterns);
  s.one_plane_modes = wide(knobs.one_plane_modes);
  s.other_modes = wide(knobs.other_modes);
  s.fits = wide(knobs.fits);
  s.fits_per_family = whole(knobs.fits_per_family);
  s.partition_fits = whole(knobs.partition_fits);
  s.fit_passes = whole(knobs.fit_passes);
  s.refined = std::min(wide(knobs.refined), s.fits);
  s.refine_passes = whole(knobs.refine_passes);
  s.weight_sweeps = whole(knobs.weight_sweeps);
  s.endpoint_moves = whole(knobs.endpoint_moves);
  s.small_error = is_realtime ? 0 : mean_square_error(knobs.small_error);
  s.small_factor = is_realtime ? 0 : kSmallFactor;
  s.hard_factor = knobs.hard_factor;
  s.base_scale = !is_realtime;
  s.offsets = !is_realtime;
  s.mixed_modes = !is_realtime;
  s.measures_rounding = !is_realtime;
  s.every_plane2_channel = is_thorough;
  return s;
}

const Knobs* rows_of(BlockSize size) {
  std::span<const SizeClass> classes = kSizeClasses;
  if (kEncodesAll && size.is_3d()) {
    classes = kVolumeClasses;
  }
  const Knobs* rows = classes.front().rows;
  for (const SizeClass& size_class : classes) {
    rows = size.texel_count() >= size_class.first_texels ? size_class.rows : rows;
  }
  return rows;
}

EncodeSettings effort_settings(float effort, BlockSize size) {
  const Knobs* const rows = rows_of(size);
  const float place = effort / kEffortPerRow;
  const auto row = std::min(static_cast<unsigned>(place), kRowCount - 2);
  const Knobs knobs = between(rows[row], rows[row + 1], place - static_cast<float>(row));
  EncodeSettings settings = settings_of(knobs, place < kFirstPartitions, place >= 2.5F);
  settings.effort = effort;
  if (place < kFirstPartitions) {
    // Until all blocks may have partitions, more and more of them get there as hard ones.
    constexpr double kLogOfHalf = -0.6931471805599453;
    constexpr double kHalvings = 3 / kFirstPartitions;
    settings.hard_factor *=
        static_cast<float>(exponential(kLogOfHalf * kHalvings * static_cast<double>(place)));
  } else if (row == 0) {
    // From there on, what the next preset does, and at first more of it, as all blocks have less.
    settings.hard_factor = rows[1].hard_factor * between(0.65F, 1.0F, 2 * place - 1);
  }
  // Where grids with one weight per texel leave but two levels.
  settings.favors_two_colors =
      place >= kFirstPartitions && size.texel_count() > 20 && size.texel_count() <= kMaxWeights;
  return settings;
}

// More effort for the hardest blocks gains more than the same time spent on all of them, so after
// each preset the dial first lowers what counts as hard, by this scale, and then raises the effort
// for all.
struct DialPoint {
  float quality;
  float effort;
  float hard_scale;
};
constexpr std::array<DialPoint, 9> kDial = {{{0, 0, 1},
                                             {25, 25, 1},
                                             {33, 29, 0.45F},
                                             {41, 37, 0.3F},
                                             {50, 50, 1},
                                             {58, 52, 0.3F},
                                             {66, 60, 0.6F},
                                             {75, 75, 1},
                                             {100, 100, 0.1875F}}};

}  // namespace

std::array<float, 4> root_weights(const EncodeSettings& settings) {
  std::array<float, 4> roots;
  for (unsigned i = 0; i < 4; ++i) {
    // Rounded as IEEE asks, so the same everywhere.
    roots[i] = std::sqrt(settings.channel_weights[i]);
  }
  return roots;
}

EncodeSettings quality_settings(float quality, BlockSize size) {
  const auto next = std::find_if(kDial.begin() + 1, kDial.end() - 1,
                                 [&](const DialPoint& point) { return quality <= point.quality; });
  const DialPoint &high = *next, &low = *(next - 1);
  const float share =
      (std::clamp(quality, 0.0F, 100.0F) - low.quality) / (high.quality - low.quality);
  EncodeSettings settings = effort_settings(between(low.effort, high.effort, share), size);
  settings.hard_scale = between(low.hard_scale, high.hard_scale, share);
  settings.hard_factor *= settings.hard_scale;
  return settings;
}

EncodeSettings preset_settings(Preset preset, BlockSize size) {
  return quality_settings(static_cast<float>(preset) * 100.0F / (kPresetCount - 1), size);
}

EncodeSettings harder_settings(const EncodeSettings& settings, BlockSize size) {
  // Less of a step towards thorough, as exhaustive takes many times as long. No further step from
  // thorough on, nor from where every nanosecond counts.
  constexpr float kFast = 25, kThorough = 75, kStep = 25;
  const bool is_quick = settings.effort < kFirstPartitions * kFast;
  const bool is_last = settings.effort >= kThorough || is_quick;
  const float step = std::min(kStep, (kStep + std::abs(kThorough - settings.effort)) / 2);
  // Before all blocks may have partitions, the first preset that has them is enough: to give it to
  // more blocks gains more than to do more for few.
  EncodeSettings harder = effort_settings(is_quick ? kFast : settings.effort + step, size);
  harder.hard_scale = (settings.hard_scale + 1) / 2;
  harder.hard_factor = is_last ? 0 : harder.hard_factor * harder.hard_scale;
  harder.decode_mode = settings.decode_mode;
  harder.endpoint_start = settings.endpoint_start;
  harder.channel_weights = settings.channel_weights;
  harder.alpha_weight = settings.alpha_weight;
  harder.hdr_alpha = settings.hdr_alpha;
  // What is hard for one line may be easy for two, also where all its texels lie on one.
  harder.partition_share = 0;
  // A preset that has no partitions leads to one that has; who asks for none gets none.
  if (settings.partition_search != effort_settings(settings.effort, size).partition_search) {
    harder.partition_search = settings.partition_search;
  }
  harder.dual_plane = settings.dual_plane;
  harder.endpoint_moves = std::min(harder.endpoint_moves, settings.endpoint_moves);
  return harder;
}

}  // namespace tessera::astc
