// Benchmark results as CSV and as a table of means.
#pragma once

#include <string>
#include <vector>

#include "contender.h"
#include "run_bench.h"

namespace tessera::bench {

// codec,format,block,preset,image,width,height,psnr_rgb,ssim,bytes,seconds,mpixels_per_second
std::string to_csv(const std::vector<BenchRow>& rows, const Subject& subject);

struct BenchMean {
  std::string codec;
  std::string setting;
  double psnr_rgb = 0;            // mean of dB
  double ssim = 0;                // mean
  double bits_per_pixel = 0;      // total bits over total pixels
  double mpixels_per_second = 0;  // total pixels over total seconds
};

// One row per contender, in order.
std::vector<BenchMean> mean_rows(const std::vector<BenchRow>& rows);

// For people; rates also as multiples of the first rival's.
std::string to_text(const std::vector<BenchMean>& means);

}  // namespace tessera::bench
