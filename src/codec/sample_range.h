// What becomes of float samples that an encoder has no room for.
#pragma once

#include "base/result.h"
#include "codec/pipeline.h"

namespace tessera {

// Whether the picture's light becomes samples of sRGB.
bool maps_tones(const EncodePlan& plan, const ImageInfo& picture);

// Samples of a float picture that no texture holds are clamped and counted. `image` holds what
// becomes of the picture.
Status clamp_range(ImageView& source, Image& image, UnusualSamples& clamped);

// Float samples may still be more than the encoder or the profile takes: alpha is clamped and
// counted, and light is mapped, or refused where the plan does not say how. `picture` is what
// `source` was made of.
Status fit_range(const EncodePlan& plan, const Encoder& encoder, const ImageView& picture,
                 ImageView& source, Image& image, UnusualSamples& clamped);

}  // namespace tessera
