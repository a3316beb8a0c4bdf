// Every knob of the BC1 encoders, and the presets as a table of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/preset.h"

namespace tessera::bc1 {

// How the two end colours of a block are found.
enum class Method : uint8_t {
  kBounds,    // corners of the bounding box
  kFarthest,  // the two texels farthest apart
  kLuma,      // the texels with the least and the most r + 2g + b
  kRange,     // extremes along an axis, then least squares
  kStarts,    // several guesses of the selectors along the axis, each solved by least squares
  kCluster,   // all splits of the texels in their order along the axis
  kLspiro,    // regression over sorted unique values, refits, search of the neighbourhood
};

// How guesses are compared, from quick to thorough.
enum class Ranking : uint8_t {
  kLattice,  // by the closed-form error of the rounded ends
  kExact,    // by the true error with the nearest palette colours
};

inline constexpr std::array<std::string_view, 7> kMethodNames = {
    "bounds", "farthest", "luma", "range", "starts", "cluster", "lspiro"};

// How the decoder that matters rounds the colours between the ends.
enum class Rounding : uint8_t {
  kIdeal,   // thirds and halves rounded down, as in most software
  kNvidia,  // NVIDIA's texture units
  kAmd,     // AMD's texture units
};

inline constexpr std::array<std::string_view, 3> kRoundingNames = {"ideal", "nvidia", "amd"};

template <typename Enum, size_t kCount>
constexpr std::optional<Enum> parse_name(const std::array<std::string_view, kCount>& names,
                                         std::string_view name) {
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] == name) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

constexpr std::string_view method_name(Method method) {
  return kMethodNames[static_cast<size_t>(method)];
}
constexpr std::optional<Method> parse_method(std::string_view name) {
  return parse_name<Method>(kMethodNames, name);
}
constexpr std::optional<Rounding> parse_rounding(std::string_view name) {
  return parse_name<Rounding>(kRoundingNames, name);
}

inline constexpr uint32_t kMaxStarts = 20;
inline constexpr uint32_t kMaxClusterKeep = 8;
inline constexpr uint32_t kMaxPasses = 64;
inline constexpr uint32_t kMaxLspiroRadius = 3;
inline constexpr uint32_t kMaxChannelWeight = 16;
inline constexpr uint32_t kMaxSweeps = 64;

// For textures that are compressed further (optimise_rate.h).
struct RateGoal {
  float lambda = 0;  // squared error that a saved bit may cost; 0: none
  float size = 1;    // instead: the part of the compressed size to come to; 1: all of it

  constexpr bool any() const { return lambda > 0 || size < 1; }
};

struct Settings {
  Method method = Method::kStarts;

  // Least-squares passes after the first selectors (range), or after the best candidate was chosen
  // (starts, cluster).
  uint32_t passes = 1;
  // range only: the diagonal of the bounding box instead of the principal axis, and selectors by
  // projection on the line instead of the nearest palette colour. For real time.
  bool box_axis = false;

  uint32_t start_count = 3;             // starts: guesses, in the order of kStarts
  Ranking ranking = Ranking::kLattice;  // starts: how the guesses are compared
  uint32_t cluster_keep = 4;            // cluster: splits that are solved on the 5:6:5 lattice

  uint32_t lspiro_steps = 3;       // 1, 1+2 or 1+2+3
  uint32_t lspiro_iterations = 8;  // of step 2
  uint32_t lspiro_radius = 1;      // of step 3, in steps of the 5:6:5 lattice

  // After any method: sweeps that move one 5:6:5 coordinate of one end by one, as long as that
  // helps some block; pair_moves also moves both ends of a channel at once.
  uint32_t descent_sweeps = 0;
  bool pair_moves = false;

  bool three_colors = false;       // try blocks of three colours, too
  bool punch_through = false;      // texels with alpha below the threshold become transparent
  uint32_t alpha_threshold = 128;  // 0…255
  bool dark_transparent = false;   // dark texels may become transparent black

  // What an error in red, green, blue costs, 0…kMaxChannelWeight.
  std::array<uint32_t, 3> weights = {1, 1, 1};
  Rounding rounding = Rounding::kIdeal;
  RateGoal rate;

  // Nothing but the plain colours of opaque blocks.
  constexpr bool is_plain() const {
    return !three_colors && !punch_through && !dark_transparent &&
           weights == std::array<uint32_t, 3>{1, 1, 1} && rounding == Rounding::kIdeal &&
           descent_sweeps == 0;
  }
};

// The presets. Each column is a knob; quality and rate are in docs/bc1.md.
inline constexpr Settings make_preset(Method method, uint32_t passes, bool box_axis,
                                      uint32_t start_count, Ranking ranking,
                                      uint32_t descent_sweeps, bool pair_moves, bool three_colors) {
  Settings settings;
  settings.method = method;
  settings.passes = passes;
  settings.box_axis = box_axis;
  settings.start_count = start_count;
  settings.ranking = ranking;
  settings.descent_sweeps = descent_sweeps;
  settings.pair_moves = pair_moves;
  settings.three_colors = three_colors;
  return settings;
}

inline constexpr std::array<Settings, 5> kPresets = {{
    //                          method           passes box   starts ranking sweeps pairs three
    /* realtime   */ make_preset(Method::kRange, 1, true, 0, Ranking::kLattice, 0, false, false),
    /* fast       */
    make_preset(Method::kStarts, 0, false, 3, Ranking::kLattice, 0, false, false),
    /* medium     */ make_preset(Method::kStarts, 1, false, 6, Ranking::kExact, 0, false, false),
    /* thorough   */ make_preset(Method::kStarts, 1, false, 11, Ranking::kExact, 1, false, false),
    /* exhaustive */ make_preset(Method::kStarts, 2, false, 20, Ranking::kExact, 1, false, true),
}};

constexpr const Settings& preset_settings(Preset preset) {
  return kPresets[static_cast<size_t>(preset)];
}

// What a method does when it is asked for by name.
constexpr Settings method_settings(Method method) {
  Settings settings;
  settings.method = method;
  settings.passes = method == Method::kRange ? 2 : 1;
  settings.start_count = 7;
  settings.ranking = Ranking::kExact;
  return settings;
}

}  // namespace tessera::bc1
