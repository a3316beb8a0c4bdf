// Fractal images beside JPEG: quality at equal file size.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "contender.h"

namespace tessera::bench {

// One file: its size and how near its picture is.
struct RatePoint {
  double bits_per_pixel = 0;
  double psnr = 0;
};

// Rates at which curves are compared, bits per pixel.
inline const std::vector<double> kCompareRates = {0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6};
inline constexpr double kDecodeRate = 0.3;  // of the files whose decoding is timed

struct RateRow {
  std::string coder;              // "jpeg", "pure", "hybrid", "dct only"
  std::vector<double> psnr;       // mean over the images, at kCompareRates
  std::vector<RatePoint> points;  // mean points of the settings, for a plot
  double encode_seconds = 0;      // mean of one encode, search included, of the calling thread
  double decode_rate = 0;         // MP/s, all of it
};

struct RateOptions {
  bool color = false;  // else grey
  unsigned threads = 1;
};

// JPEG first (libjpeg-turbo, optimised Huffman tables, progressive), then ours.
Result<std::vector<RateRow>> measure_rates(const std::vector<BenchImage>& images,
                                           const RateOptions& options, const RunControl& control);

std::string rates_to_text(const std::vector<RateRow>& rows);
std::string rates_to_csv(const std::vector<RateRow>& rows, bool color);
std::string rates_to_svg(const std::vector<RateRow>& rows, const std::string& title);

// The PSNR of a curve at a rate: straight lines over the logarithm of the rate.
double psnr_at(const std::vector<RatePoint>& curve, double bits_per_pixel);

}  // namespace tessera::bench
