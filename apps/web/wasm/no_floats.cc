// The pictures of browsers have 8-bit samples: nothing is there to be mapped or clamped.
#include "image/tone_map.h"
#include "image/unusual_samples.h"

namespace tessera {

Result<Image> apply_tone_map(const ImageView& /*source*/, const ToneMap& /*map*/,
                             SampleType /*sample*/) {
  return unsupported_error("--tonemap is not part of this module");
}

UnusualSamples count_unusual_samples(const ImageView& /*image*/) {
  return {};
}

double largest_sample(const ImageView& /*image*/) {
  return 0;
}

}  // namespace tessera
