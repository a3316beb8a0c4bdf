// Mip levels by box filter, or by others (mip_window.h), in linear light, colour weighted by alpha
// (so that the colour of transparent texels does not bleed into visible ones). Where all of a box
// is transparent, colour is the plain average. Samples marked sRGB are averaged as light and
// encoded again; alpha and linear samples are averaged as they are.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "image/image.h"
#include "image/mip_settings.h"

namespace tessera {

// Levels of a full chain down to 1x1 (x1): 1 + floor(log2(largest side)).
uint32_t mip_level_count(uint32_t width, uint32_t height, uint32_t depth = 1);

// Size of one side at a level: never below 1.
constexpr uint32_t mip_extent(uint32_t extent, uint32_t level) {
  const uint32_t shifted = level < 32 ? extent >> level : 0;
  return shifted > 0 ? shifted : 1;
}

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
