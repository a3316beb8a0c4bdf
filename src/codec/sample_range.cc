// Float samples for encoders that may take less.
#include "codec/sample_range.h"

#include "base/decimal.h"
#include "codec/registry.h"
#include "image/unusual_samples.h"

namespace tessera {

bool maps_tones(const EncodePlan& plan, const ImageInfo& picture) {
  return plan.tone_map && is_float(picture.sample) && !is_hdr(plan.settings.profile);
}

Status fit_range(const EncodePlan& plan, const Encoder& encoder, ImageView& source, Image& image,
                 UnusualSamples& clamped) {
  if (is_float(encoder.input_sample())) {
    clamped = count_unusual_samples(source);
    return {};
  }
  if (plan.tone_map) {
    TESSERA_ASSIGN_OR_RETURN(image, apply_tone_map(source, *plan.tone_map, encoder.input_sample()));
    source = image.view();
    return {};
  }
  const double brightest = largest_sample(source);
  if (brightest <= 1) {
    return {};
  }
  const bool has_hdr = plan.codec->row().has_profile(Profile::kHdr);
  return unsupported_error("the picture is of high dynamic range (its brightest sample is " +
                           decimal_text(brightest) + "), which " +
                           (has_hdr ? "--profile hdr keeps, and --tonemap" : "--tonemap") +
                           " (clip or reinhard) turns into low dynamic range");
}

}  // namespace tessera
