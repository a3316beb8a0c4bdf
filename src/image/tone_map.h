// Pictures of high dynamic range as others: light becomes samples of 0 to 1, encoded as sRGB.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

enum class ToneCurve : uint8_t {
  kClip,      // what is brighter than 1 is white
  kReinhard,  // x / (1 + x) of the luminance: all light gets darker, bright light most
};

struct ToneMap {
  ToneCurve curve = ToneCurve::kClip;
  float exposure = 0;  // f-stops: light is multiplied by 2 to this power first
};

// Of a picture of linear light; alpha is clamped to 0…1. NaN and negative samples are black. The
// result has the same channels, and integer samples.
Result<Image> apply_tone_map(const ImageView& source, const ToneMap& map, SampleType sample);

}  // namespace tessera
