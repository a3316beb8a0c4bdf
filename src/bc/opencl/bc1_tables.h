// What the OpenCL kernels of BC1 are given: their source, their tables and their settings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// The tables in the layout of bc1_block.cl, for one way of rounding.
std::vector<int32_t> kernel_tables(Rounding rounding);

// The initialiser of a Bc1Settings, as BC1_SETTINGS wants it.
std::string kernel_settings(const Settings& settings);

// Whether the kernel keeps tail sums in local memory.
constexpr bool kernel_needs_scratch(const Settings& settings) {
  return settings.method == Method::kCluster;
}

// The .cl files, put in at build time.
extern const char* const kKernelSource;
extern const char* const kStudyKernelSource;

}  // namespace tessera::bc1
