// Measuring contenders on pictures.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contender.h"

namespace tessera::bench {

struct BenchRow {
  std::string codec;
  std::string setting;
  std::string image;
  uint32_t width = 0;
  uint32_t height = 0;
  double psnr_rgb = 0;
  double ssim = 0;
  size_t bytes = 0;
  double seconds = 0;  // median
};

struct BenchOptions {
  unsigned repeats = 7;
  // A contender that has taken this long on an image is not repeated further.
  double max_seconds_per_image = 1.0;
  // false: all repeats of an image in a row, so that it stays in the cache.
  // true: every pass goes over all images, so that each is read from memory.
  bool streaming = false;
};

// Rows in the order of the contenders, then the images. Contenders take turns image by image (or
// pass by pass), so that changes in the machine's load meet all of them alike.
Result<std::vector<BenchRow>> run_bench(const Contenders& contenders,
                                        const std::vector<BenchImage>& images,
                                        const BenchOptions& options, const RunControl& control);

// Keeps the calling thread, and those it starts, on one core.
void pin_to_one_core();

}  // namespace tessera::bench
