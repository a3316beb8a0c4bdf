// The next mip level by filters that are wider than a box.
#pragma once

#include "image/image.h"
#include "image/mip_kernel.h"
#include "image/mip_samples.h"
#include "image/mip_settings.h"

namespace tessera {

// Fills `target`, the next level of `source`, with samples of any type. Colours are weighed by
// alpha, and averaged as light where they are sRGB, as the box filter does it. Slices are filtered
// one by one: volumes are for the box filter.
void filter_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                  MipEdge edge);
// The same for linear floats of so many channels alone: 1 or 3.
template <uint32_t kChannels>
void filter_float_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                        MipEdge edge);
// The same for images of four 8-bit channels alone.
void filter_rgba8_level(const ImageView& source, const MutableImageView& target, MipFilter filter,
                        MipEdge edge);

}  // namespace tessera
