// How far two pictures are apart. Samples are compared as stored values in 0…1 (no transfer
// function undone); integer images use their full range as peak. Images may differ in sample type
// and channel count, not in size: grey stands for R, G and B, a missing alpha is opaque. A NaN
// counts as 0 and an infinity as 65504 (the largest half), so that every figure stays a number.
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "image/hdr_metrics.h"
#include "image/image.h"

namespace tessera {

// The PSNR of identical images is infinite; files and JSON need a number.
inline constexpr double kInfinitePsnr = 999.0;

// Peak 1: -10·log10(mse), kInfinitePsnr for zero.
double psnr_from_mse(double mse);

struct WorstBlock {
  uint32_t x = 0;  // in blocks
  uint32_t y = 0;
  uint32_t slice = 0;
  double psnr_rgb = kInfinitePsnr;
};

struct Metrics {
  double psnr_rgb = kInfinitePsnr;   // of R, G and B of all slices
  double psnr_rgba = kInfinitePsnr;  // of R, G, B and A of all slices
  // Each squared colour error times the reference's alpha (clamped to 0…1), divided by the number
  // of colour samples (not by the sum of the weights); errors of alpha itself do not count. What is
  // seen after blending.
  double psnr_alpha_weighted = kInfinitePsnr;
  // Mean SSIM (Wang et al. 2004) of Rec. 709 luma: 11x11 Gaussian window, sigma 1.5, K1 = 0.01,
  // K2 = 0.03; only windows that lie wholly in the image. Where a side is under 11 texels, the
  // window's side is that long, and its weights again add up to 1.
  double ssim = 1.0;
  double max_error = 0.0;  // largest difference of any sample, alpha included; 1 is the peak
  // The block of block_width x block_height texels with the largest mean squared colour error, the
  // first of equals. Blocks at the right and lower edge may be cut off.
  WorstBlock worst_block;
  // Where one of the images has float samples.
  std::optional<HdrMetrics> hdr;
};

struct MetricsOptions {
  uint32_t block_width = 4;
  uint32_t block_height = 4;
  bool ssim = true;  // without it the rest takes a third of the time; it stays 1 then
};

// Fails with kInvalid when the sizes differ.
Result<Metrics> compute_metrics(const ImageView& reference, const ImageView& test,
                                const MetricsOptions& options = {});

}  // namespace tessera
