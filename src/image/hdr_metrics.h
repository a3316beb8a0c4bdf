// How far two pictures of high dynamic range are apart. Errors in plain numbers say little there:
// bright pixels would count for all. NaN and negative samples count as 0, infinities as 65504.
#pragma once

#include "image/image.h"

namespace tessera {

struct HdrMetrics {
  // PSNR of red, green and blue, in the mean of 21 exposures from -10 to +10 f-stops, each shown
  // with a gamma of 2.2 and clipped: mPSNR as the astcenc command prints it, in dB.
  double mpsnr = 0;
  // Root of the mean squared difference of the logarithms (base 2) of red, green and blue, the
  // three added up for each pixel. Samples below 2^-24, the smallest half float, count as that.
  double log_rmse = 0;
  // PSNR of red, green and blue with the reference's largest sample as peak, in dB.
  double psnr_peak = 0;
  double peak = 0;
};

// The images have the same size, and at least one pixel.
HdrMetrics compute_hdr_metrics(const ImageView& reference, const ImageView& test);

}  // namespace tessera
