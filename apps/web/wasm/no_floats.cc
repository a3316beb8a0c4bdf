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

Result<Image> without_unusual_samples(const ImageView& /*image*/) {
  return unsupported_error("pictures of floats are not part of this module");
}

uint64_t count_alpha_above_one(const ImageView& /*image*/) {
  return 0;
}

Result<Image> with_alpha_up_to_one(const ImageView& image) {
  return without_unusual_samples(image);
}

double largest_sample(const ImageView& /*image*/) {
  return 0;
}

}  // namespace tessera
