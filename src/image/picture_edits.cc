// Turns pictures upside down, multiplies colours by alpha, and gives normals the length 1.
#include "image/picture_edits.h"

#include "image/flip_rows.h"
#include "image/mip_normals.h"
#include "image/mip_samples.h"

namespace tessera {
namespace {

template <typename Samples>
void multiply_by_alpha(Image& image) {
  using Real = typename Samples::Real;
  const ImageInfo& info = image.info();
  const Samples samples;
  const Real opaque = samples.weight(samples.read_alpha(Samples::Sample::kOne));
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      auto* texel = image.row<typename Samples::Storage>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, texel += info.channels) {
        const Real alpha = samples.weight(samples.read_alpha(texel[info.channels - 1]));
        for (uint32_t c = 0; c + 1 < info.channels; ++c) {
          texel[c] = samples.write_color(samples.read_color(texel[c]) * alpha / opaque);
        }
      }
    }
  }
}

}  // namespace

Result<Image> edit_picture(const ImageView& picture, const PictureEdits& edits) {
  TESSERA_ASSIGN_OR_RETURN(Image image, copy_image(picture));
  if (edits.yflip) {
    flip_rows(image);
  }
  if (edits.premultiply && image.info().has_alpha()) {
    with_mip_samples(image.info(),
                     [&](auto samples) { multiply_by_alpha<decltype(samples)>(image); });
  }
  if (edits.normalize) {
    TESSERA_ASSIGN_OR_RETURN(const NormalImage normals,
                             read_normals(image.view(), NormalChannels::kRgb));
    TESSERA_ASSIGN_OR_RETURN(image, write_normals(normals, image.info(), NormalChannels::kRgb));
  }
  return image;
}

}  // namespace tessera
