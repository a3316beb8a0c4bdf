// The paper's search, measured: its three kernels against each other and against the core's peak.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "fractal/paper_search.h"
#include "peak_rate.h"

namespace tessera::bench {

struct SearchRow {
  std::string kernel;
  uint32_t image_side = 0;
  double epsilon = 0;
  double seconds = 0;        // of the whole search, one thread
  bool sampled = false;      // from some ranges of every level, each of which costs the same
  double flops = 0;          // as the paper counts: ranges · domains · (18 n + 18) a level
  double multiply_adds = 0;  // what the kernel really does
};

struct SearchReport {
  PeakRates peak;
  std::vector<SearchRow> rows;
  // The dot-product kernel alone: the deepest level of the largest image.
  double kernel_multiply_adds = 0;
  double kernel_seconds = 0;
  // 512x512, 4x4 ranges, every half-resolution position, four rotations.
  double every_position_seconds = 0;
};

SearchReport measure_searches();

std::string searches_to_text(const SearchReport& report);

// The paper's three plots, from our measurements: roofline.svg, performance.svg, runtime.svg.
Status write_search_plots(const SearchReport& report, const std::string& folder);

}  // namespace tessera::bench
