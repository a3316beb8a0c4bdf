// Maps light to samples of sRGB.
#include "image/tone_map.h"

#include <algorithm>
#include <cmath>

#include "base/half.h"
#include "image/sample.h"
#include "image/srgb.h"

namespace tessera {
namespace {

class Mapper {
 public:
  explicit Mapper(const ToneMap& map)
      : curve_(map.curve), factor_(std::exp2(static_cast<double>(map.exposure))) {}

  // Red, green and blue of light to samples of 0…1.
  void map(double rgb[3]) const {
    for (int i = 0; i < 3; ++i) {
      rgb[i] = (rgb[i] > 0 ? std::min(rgb[i], kLargestHalf) : 0.0) * factor_;  // NaN is black, too
    }
    if (curve_ == ToneCurve::kReinhard) {
      const double luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
      for (int i = 0; i < 3; ++i) {
        rgb[i] /= 1 + luminance;
      }
    }
    for (int i = 0; i < 3; ++i) {
      rgb[i] = static_cast<double>(linear_to_srgb(static_cast<float>(rgb[i])));
    }
  }

 private:
  ToneCurve curve_;
  double factor_;
};

template <class From, class To>
void map_row(const Mapper& mapper, uint32_t channels, size_t width,
             const typename From::Storage* from, typename To::Storage* to) {
  const bool is_grey = channels < 3;
  for (size_t x = 0; x < width; ++x, from += channels, to += channels) {
    double rgb[3];
    for (uint32_t i = 0; i < 3; ++i) {
      rgb[i] = From::to_double(from[is_grey ? 0 : i]);
    }
    mapper.map(rgb);
    for (uint32_t i = 0; i < channels; ++i) {
      const bool is_alpha = channels % 2 == 0 && i + 1 == channels;
      to[i] = To::from_double(is_alpha ? From::to_double(from[i]) : rgb[i]);
    }
  }
}

}  // namespace

Result<Image> apply_tone_map(const ImageView& source, const ToneMap& map, SampleType sample) {
  ImageInfo info = source.info;
  info.sample = sample;
  info.color_space = ColorSpace::kSrgb;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  const Mapper mapper(map);
  const MutableImageView target = image.mutable_view();
  with_sample_type(source.info.sample, [&](auto from) {
    with_sample_type(sample, [&](auto to) {
      using From = decltype(from);
      using To = decltype(to);
      for (uint32_t slice = 0; slice < info.slices(); ++slice) {
        for (uint32_t y = 0; y < info.height; ++y) {
          map_row<From, To>(mapper, info.channels, info.width,
                            source.row<typename From::Storage>(y, slice),
                            target.row<typename To::Storage>(y, slice));
        }
      }
    });
  });
  return image;
}

}  // namespace tessera
