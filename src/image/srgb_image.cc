// Encodes the colours of linear pictures as sRGB.
#include "image/srgb_image.h"

#include <cstdint>
#include <type_traits>

#include "image/sample.h"
#include "image/srgb.h"

namespace tessera {
namespace {

template <typename Sample>
class ToSrgb {
 public:
  using Storage = typename Sample::Storage;

  Storage operator()(Storage stored) const {
    if constexpr (std::is_same_v<Sample, U8Sample>) {
      return linear_to_srgb8(U8Sample::to_float(stored));
    } else if constexpr (std::is_same_v<Sample, U16Sample>) {
      return Srgb16Tables::get().from_linear(U16Sample::to_float(stored));
    } else {
      return Sample::from_double(linear_to_srgb_extended(Sample::to_double(stored)));
    }
  }
};

template <typename Sample>
void convert_rows(const MutableImageView& image) {
  const ImageInfo& info = image.info;
  const uint32_t colors = info.has_alpha() ? info.channels - 1 : info.channels;
  const ToSrgb<Sample> to_srgb;
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      auto* texel = image.row<typename Sample::Storage>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, texel += info.channels) {
        for (uint32_t c = 0; c < colors; ++c) {
          texel[c] = to_srgb(texel[c]);
        }
      }
    }
  }
}

}  // namespace

Result<Image> convert_to_srgb(const ImageView& linear) {
  TESSERA_ASSIGN_OR_RETURN(Image image, copy_image(linear));
  with_sample_type(linear.info.sample,
                   [&](auto sample) { convert_rows<decltype(sample)>(image.mutable_view()); });
  image.set_color_space(ColorSpace::kSrgb);
  return image;
}

}  // namespace tessera
