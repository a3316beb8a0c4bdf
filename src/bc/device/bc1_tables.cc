// Makes the tables and settings that kernels of BC1 are given.
#include "bc/device/bc1_tables.h"

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

std::string kernel_settings_text(const Settings& settings) {
  std::string text = "{";
  for (const int32_t value : kernel_settings(settings)) {
    text += (text.size() > 1 ? "," : "") + std::to_string(value);
  }
  return text + "}";
}

}  // namespace tessera::bc1
