// What kernels of BC1 on devices are given: their source, their tables and their settings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// The tables in the layout of bc1_block.cl, for one way of rounding.
std::vector<int32_t> kernel_tables(Rounding rounding);

// The fields of a Bc1Settings.
constexpr std::array<int32_t, 19> kernel_settings(const Settings& settings) {
  const auto number = [](auto value) { return static_cast<int32_t>(value); };
  return {number(settings.method),
          number(settings.passes),
          number(settings.box_axis),
          number(settings.start_count),
          number(settings.ranking == Ranking::kExact),
          number(settings.cluster_keep),
          number(settings.lspiro_steps),
          number(settings.lspiro_iterations),
          number(settings.lspiro_radius),
          number(settings.descent_sweeps),
          number(settings.pair_moves),
          number(settings.three_colors),
          number(settings.punch_through),
          number(settings.alpha_threshold),
          number(settings.dark_transparent),
          number(settings.weights[0]),
          number(settings.weights[1]),
          number(settings.weights[2]),
          number(settings.rounding)};
}

// The same as the initialiser that BC1_SETTINGS is to be.
std::string kernel_settings_text(const Settings& settings);

// Whether the kernel keeps tail sums in local memory.
constexpr bool kernel_needs_scratch(const Settings& settings) {
  return settings.method == Method::kCluster;
}

// The .cl files for OpenCL, put in at build time.
extern const char* const kKernelSource;
extern const char* const kStudyKernelSource;

}  // namespace tessera::bc1
