// Mip levels by box filter, or by others (mip_window.h), in linear light, colour weighted by alpha
// (so that the colour of transparent texels does not bleed into visible ones). Where all of a box
// is transparent, colour is the plain average. Samples marked sRGB are averaged as light and
// encoded again; alpha and linear samples are averaged as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/mip_levels.h"
#include "base/result.h"
#include "image/image.h"
#include "image/mip_settings.h"

namespace tessera {

// The next level: sides halved (rounded down, at least 1). An odd side is covered by a box of
// fractional texels, so that no row or column is lost. Layers are kept; a volume's slices are those
// of layer 0, then those of layer 1 and so on.
Result<Image> next_mip_level(const ImageView& source, MipFilter filter = MipFilter::kBox,
                             MipEdge edge = MipEdge::kClamp);
// The same for images of four 8-bit channels: programs that have no others, and must be small, get
// by without the code for those.
Result<Image> next_rgba8_mip_level(const ImageView& source, MipFilter filter = MipFilter::kBox,
                                   MipEdge edge = MipEdge::kClamp);

// Levels 1, 2, … of `base` (level 0 is `base` itself, not copied): at most `max_levels` in all,
// level 0 included.
Result<std::vector<Image>> make_mip_levels(const ImageView& base, uint32_t max_levels,
                                           const MipSettings& settings = {});
// The same for images of four 8-bit channels alone.
Result<std::vector<Image>> make_rgba8_mip_levels(const ImageView& base, uint32_t max_levels,
                                                 const MipSettings& settings = {});

}  // namespace tessera
