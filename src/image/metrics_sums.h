// What metrics are made of, for the CPU and for devices: errors of texels, sums of them, and the
// figures that follow from the sums. Errors of 8-bit samples are whole numbers, so their order does
// not matter.
#pragma once

#include <cstdint>

#include "image/metrics.h"

namespace tessera {

inline constexpr double kPeakOfBytes = 255.0;

// Of 8-bit texels.
struct ErrorSums {
  uint64_t color = 0;     // squared differences of R, G and B
  uint64_t alpha = 0;     // of A
  uint64_t weighted = 0;  // those of colours times the reference's alpha
  uint32_t largest = 0;   // difference
  uint32_t unused = 0;    // devices copy it, so it must have a value

  // Texels as RGBA words, R in the lowest byte.
  constexpr void add_texel(uint32_t reference, uint32_t test) {
    uint32_t squares = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
      squares += squared_difference(reference >> shift, test >> shift);
    }
    color += squares;
    alpha += squared_difference(reference >> 24, test >> 24);
    weighted += uint64_t{squares} * (reference >> 24);
  }
  constexpr void add(const ErrorSums& other) {
    color += other.color;
    alpha += other.alpha;
    weighted += other.weighted;
    largest = largest > other.largest ? largest : other.largest;
  }

 private:
  constexpr uint32_t squared_difference(uint32_t a, uint32_t b) {
    a &= 0xFF;
    b &= 0xFF;
    const uint32_t difference = a > b ? a - b : b - a;
    largest = largest > difference ? largest : difference;
    return difference * difference;
  }
};

constexpr double mean_square(double sum, double count, double peak) {
  return sum / (count * peak * peak);
}

// Rec. 709, 0…1.
constexpr double luma_of(double r, double g, double b, double peak) {
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / peak;
}

// All but ssim and the worst block.
template <class Sum>
Metrics metrics_of_sums(Sum color, Sum alpha, Sum weighted, double largest, double peak,
                        double pixels) {
  const auto psnr = [&](Sum sum, double count) {
    return psnr_from_mse(mean_square(static_cast<double>(sum), count, peak));
  };
  Metrics metrics;
  metrics.psnr_rgb = psnr(color, 3.0 * pixels);
  metrics.psnr_rgba = psnr(color + alpha, 4.0 * pixels);
  metrics.psnr_alpha_weighted =
      psnr_from_mse(mean_square(static_cast<double>(weighted), 3.0 * pixels, peak) / peak);
  metrics.max_error = largest / peak;
  return metrics;
}

}  // namespace tessera
