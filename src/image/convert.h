// Changing what samples are: type, number of channels. Values keep their meaning: integers stand
// for 0…1, 8-bit v is 16-bit v·257, going down rounds to nearest.
#pragma once

#include "base/result.h"
#include "image/image.h"

namespace tessera {

// Integer samples clamp to 0…1; NaN becomes 0. The colour space is kept.
Result<Image> convert_samples(const ImageView& source, SampleType sample);

// Grey is copied to RGB; RGB to grey takes Rec. 709 luma of the stored values; a missing alpha is
// opaque; a dropped alpha is ignored.
Result<Image> convert_channels(const ImageView& source, uint32_t channels);

// True when there is no alpha channel, or each alpha sample is 1.
bool is_opaque(const ImageView& image);

}  // namespace tessera
