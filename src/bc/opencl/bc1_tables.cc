// Makes the tables and settings that the OpenCL kernels of BC1 are given.
#include "bc/opencl/bc1_tables.h"

#include "base/bits.h"
#include "bc/cluster_table.h"
#include "bc/lspiro_table.h"
#include "bc/solid_table.h"
#include "bc/start_table.h"

namespace tessera::bc1 {

std::vector<int32_t> kernel_tables(Rounding rounding) {
  std::vector<int32_t> tables;
  for (const auto* lines : {&kThirdsLines, &kHalvesLines}) {
    for (const StartLine& line : *lines) {
      tables.push_back(line.slope);
      tables.push_back(line.offset);
    }
  }
  tables.insert(tables.end(), kLspiroMagic.begin(), kLspiroMagic.end());
  for (const int steps : {3, 2}) {
    const SolidTable& solid = solid_table(rounding, steps);
    tables.insert(tables.end(), solid.five.begin(), solid.five.end());
    tables.insert(tables.end(), solid.six.begin(), solid.six.end());
  }
  for (const float inverse : thirds_inverse()) {
    tables.push_back(bit_cast<int32_t>(inverse));
  }
  return tables;
}

std::string kernel_settings(const Settings& settings) {
  const uint32_t values[] = {static_cast<uint32_t>(settings.method),
                             settings.passes,
                             settings.box_axis,
                             settings.start_count,
                             settings.ranking == Ranking::kExact,
                             settings.cluster_keep,
                             settings.lspiro_steps,
                             settings.lspiro_iterations,
                             settings.lspiro_radius,
                             settings.descent_sweeps,
                             settings.pair_moves,
                             settings.three_colors,
                             settings.punch_through,
                             settings.alpha_threshold,
                             settings.dark_transparent,
                             settings.weights[0],
                             settings.weights[1],
                             settings.weights[2],
                             static_cast<uint32_t>(settings.rounding)};
  std::string text = "{";
  for (const uint32_t value : values) {
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  }
  return text + "}";
}

}  // namespace tessera::bc1
