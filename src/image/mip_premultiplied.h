// Mip levels of pictures whose colours have been multiplied by alpha.
#pragma once

#include <vector>

#include "base/result.h"
#include "image/image.h"
#include "image/mip_settings.h"

namespace tessera {

// As make_mip_levels. Colours are averaged without weights, which are in them already.
Result<std::vector<Image>> make_premultiplied_levels(const ImageView& base, uint32_t max_levels,
                                                     const MipSettings& settings);

}  // namespace tessera
