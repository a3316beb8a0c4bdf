// Original, result and error side by side, for eyes.
#pragma once

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// 8-bit RGB: the reference, the test image, and |difference|·gain, separated by thin grey bars.
// Transparent pixels are shown over grey checks. The images must have the same size; only the first
// slice is shown.
Result<Image> make_comparison_sheet(const ImageView& reference, const ImageView& test, double gain);

}  // namespace tessera
