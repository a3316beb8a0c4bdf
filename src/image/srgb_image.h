// Whole images between linear light and sRGB.
#pragma once

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// A picture of linear light with its colours as sRGB. Alpha stays; so does the type of the samples.
// Floats above 1 go on along the curve.
Result<Image> convert_to_srgb(const ImageView& linear);

}  // namespace tessera
