// What a user may ask of BC1 beyond a preset or a method.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "bc/bc1_presets.h"
#include "codec/options.h"

namespace tessera {

// Unset: as the preset or the method has it. Ranges are those of the descriptors.
struct Bc1Options {
  std::optional<uint32_t> passes;
  std::optional<uint32_t> starts;
  std::optional<uint32_t> cluster_keep;
  std::optional<uint32_t> sweeps;
  std::optional<uint32_t> lspiro_steps;
  std::optional<uint32_t> lspiro_iterations;
  std::optional<uint32_t> lspiro_radius;
  bool three_colors = false;
  std::optional<uint32_t> alpha_threshold;  // texels with less alpha become transparent
  bool dark_transparent = false;
  std::string weights;  // "R,G,B"
  bc1::Rounding rounding = bc1::Rounding::kIdeal;
  bc1::RateGoal rate;
};

std::span<const OptionDescriptor> bc1_encode_options();
std::span<const OptionDescriptor> bc1_decode_options();

// Of a list that fits the descriptors.
Result<Bc1Options> read_bc1_options(const OptionList& list);
bc1::Rounding read_bc1_rounding(const OptionList& list);

// kUsage or kUnsupported with a sentence where something does not go together.
Result<bc1::Settings> make_bc1_settings(Preset preset, std::string_view method,
                                        const Bc1Options& options);

}  // namespace tessera
