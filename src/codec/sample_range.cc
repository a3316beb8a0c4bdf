// Float samples for encoders that may take less.
#include "codec/sample_range.h"

#include "base/decimal.h"
#include "codec/registry.h"
#include "image/unusual_samples.h"

namespace tessera {

bool maps_tones(const EncodePlan& plan, const ImageInfo& picture) {
  return plan.tone_map && is_float(picture.sample) && !is_hdr(plan.settings.profile);
}

Status clamp_range(ImageView& source, Image& image, UnusualSamples& clamped) {
  clamped = count_unusual_samples(source);
  if (clamped.total() > 0) {
    TESSERA_ASSIGN_OR_RETURN(image, without_unusual_samples(source));
    source = image.view();
  }
  return {};
}

Status fit_range(const EncodePlan& plan, const Encoder& encoder, const ImageView& picture,
                 ImageView& source, Image& image, UnusualSamples& clamped) {
  if (is_float(encoder.input_sample())) {
    const bool has_alpha = source.info.channels == 2 || source.info.channels == 4;
    clamped.alpha =
        has_alpha && plan.settings.profile != Profile::kHdra ? count_alpha_above_one(source) : 0;
    if (clamped.alpha > 0) {
      TESSERA_ASSIGN_OR_RETURN(image, with_alpha_up_to_one(source));
      source = image.view();
    }
    return {};
  }
  if (plan.tone_map) {
    TESSERA_ASSIGN_OR_RETURN(image, apply_tone_map(source, *plan.tone_map, encoder.input_sample()));
    source = image.view();
    return {};
  }
  if (largest_sample(source) <= 1) {
    return {};
  }
  const bool has_hdr = plan.codec->row().has_profile(Profile::kHdr);
  return unsupported_error("the picture is of high dynamic range (its brightest sample is " +
                           decimal_text(largest_sample(picture)) + "), which " +
                           (has_hdr ? "--profile hdr keeps, and --tonemap" : "--tonemap") +
                           " (clip or reinhard) turns into low dynamic range");
}

}  // namespace tessera
