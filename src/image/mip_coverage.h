// Alpha of cut-outs: which part of a picture shows stays the same from level to level.
#pragma once

#include "image/image.h"

namespace tessera {

// The part of all texels, 0…1, whose alpha is at least `threshold`. The image has alpha.
double covered_part(const ImageView& image, double threshold);

// Multiplies alpha so that the part `covered` of all texels has at least `threshold`; of textures
// of which nothing shows at all, nothing is changed.
void keep_coverage(Image& image, double threshold, double covered);

}  // namespace tessera
