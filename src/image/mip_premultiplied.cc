// Averages colours and alpha apart from each other.
#include "image/mip_premultiplied.h"

#include <cstring>

#include "image/convert.h"
#include "image/mipmap.h"

namespace tessera {
namespace {

// Copies the last channel of one image to that of another.
void copy_alpha(const ImageView& from, Image& to) {
  const size_t sample = sample_bytes(from.info.sample);
  const size_t step = from.info.pixel_bytes(), to_step = to.info().pixel_bytes();
  for (uint32_t slice = 0; slice < from.info.slices(); ++slice) {
    for (uint32_t y = 0; y < from.info.height; ++y) {
      const uint8_t* texel = from.row<uint8_t>(y, slice) + step - sample;
      uint8_t* alpha = to.row<uint8_t>(y, slice) + to_step - sample;
      for (uint32_t x = 0; x < from.info.width; ++x, texel += step, alpha += to_step) {
        std::memcpy(alpha, texel, sample);
      }
    }
  }
}

}  // namespace

Result<std::vector<Image>> make_premultiplied_levels(const ImageView& base, uint32_t max_levels,
                                                     const MipSettings& settings) {
  TESSERA_ASSIGN_OR_RETURN(const Image colors,
                           convert_channels(base, base.info.channels == 2 ? 1 : 3));
  ImageInfo alpha_info = base.info;
  alpha_info.channels = 1;
  alpha_info.color_space = ColorSpace::kLinear;
  TESSERA_ASSIGN_OR_RETURN(Image alpha, Image::create(alpha_info));
  copy_alpha(base, alpha);
  TESSERA_ASSIGN_OR_RETURN(const std::vector<Image> color_levels,
                           make_mip_levels(colors.view(), max_levels, settings));
  TESSERA_ASSIGN_OR_RETURN(const std::vector<Image> alpha_levels,
                           make_mip_levels(alpha.view(), max_levels, settings));
  std::vector<Image> levels;
  for (size_t i = 0; i < color_levels.size(); ++i) {
    TESSERA_ASSIGN_OR_RETURN(Image level,
                             convert_channels(color_levels[i].view(), base.info.channels));
    copy_alpha(alpha_levels[i].view(), level);
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace tessera
