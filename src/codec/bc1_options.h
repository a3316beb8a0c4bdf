// What a user may ask of the BC1 encoder beyond a preset or a method, before it is checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "bc/bc1_presets.h"

namespace tessera {

// Unset: as the preset or the method has it.
struct Bc1Options {
  std::optional<uint32_t> passes;
  std::optional<uint32_t> starts;
  std::optional<uint32_t> cluster_keep;
  std::optional<uint32_t> sweeps;
  std::optional<uint32_t> lspiro_steps;
  std::optional<uint32_t> lspiro_iterations;
  std::optional<uint32_t> lspiro_radius;
  std::optional<bool> three_colors;
  std::optional<uint32_t> alpha_threshold;  // texels with less alpha become transparent
  bool dark_transparent = false;
  std::string weights;  // "R,G,B"
  std::string decoder;  // "ideal", "nvidia", "amd"

  bool operator==(const Bc1Options&) const = default;
};

// kUsage or kUnsupported with a sentence where something does not fit.
Result<bc1::Settings> make_bc1_settings(Preset preset, std::string_view method,
                                        const Bc1Options& options);

// The decoder's rounding by name; an empty name is the ideal one.
Result<bc1::Rounding> parse_bc1_decoder(std::string_view name);

}  // namespace tessera
