// What the core can do at best, measured: the yardsticks of the search's kernels.
#pragma once

namespace tessera::bench {

struct PeakRates {
  double float_multiply_adds = 0;  // fused, 32-bit floats, a second
  double int16_multiply_adds = 0;  // 16-bit pairs into 32-bit sums, a second
  double bytes = 0;                // read from memory, a second
};

// On the calling thread, about a quarter of a second.
PeakRates measure_peak_rates();

}  // namespace tessera::bench
