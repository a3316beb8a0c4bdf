// What becomes of float samples that an encoder has no room for.
#pragma once

#include "base/result.h"
#include "codec/pipeline.h"

namespace tessera {

// Whether the picture's light becomes samples of sRGB.
bool maps_tones(const EncodePlan& plan, const ImageInfo& picture);

// Float samples may be more than an encoder takes: what it clamps is counted, and what it has no
// room for at all is mapped, or refused where the plan does not say how. `image` holds what becomes
// of the picture.
Status fit_range(const EncodePlan& plan, const Encoder& encoder, ImageView& source, Image& image,
                 UnusualSamples& clamped);

}  // namespace tessera
