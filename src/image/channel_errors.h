// Errors of single channels, and of normals.
#pragma once

#include <array>

#include "image/image.h"
#include "image/normal_map.h"

namespace tessera {

// The PSNR of red, green, blue and alpha, in dB, as metrics.h has it for all of them together. The
// images have the same size.
std::array<double, 4> channel_psnr(const ImageView& reference, const ImageView& test);

// The largest difference of any sample of red, green, blue and alpha; 1 is the peak.
std::array<double, 4> channel_max_errors(const ImageView& reference, const ImageView& test);

// Angles between normals whose x, y and z are red, green and blue; their lengths do not matter, and
// texels without a direction are passed over. The images have the same size.
AngularError vector_angles(const ImageView& reference, const ImageView& test);

}  // namespace tessera
