// Turns samples of normal maps into vectors and back.
#include "image/mip_normals.h"

#include <array>
#include <cmath>

#include "image/convert.h"
#include "image/normal_map.h"
#include "image/sample.h"

namespace tessera {
namespace {

using Vector = std::array<double, 3>;

double signed_of(double stored) {
  return stored * 2.0 - 1.0;
}

// What has no direction points out of the surface.
Vector unit(const Vector& v) {
  const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return length > 1e-6 ? Vector{v[0] / length, v[1] / length, v[2] / length} : Vector{0, 0, 1};
}

template <typename Sample>
Vector read_vector(const typename Sample::Storage* texel, NormalChannels channels) {
  const double x = signed_of(Sample::to_double(texel[0]));
  if (channels == NormalChannels::kRgb) {
    return unit(
        {x, signed_of(Sample::to_double(texel[1])), signed_of(Sample::to_double(texel[2]))});
  }
  const double y = signed_of(Sample::to_double(texel[3]));
  return unit({x, y, normal_z(x, y)});
}

template <typename Sample>
void write_vector(const float* vector, NormalChannels channels, typename Sample::Storage* texel) {
  const auto stored = [&](int i) {
    return Sample::from_double((static_cast<double>(vector[i]) + 1.0) / 2.0);
  };
  if (channels == NormalChannels::kRgb) {
    texel[0] = stored(0);
    texel[1] = stored(1);
    texel[2] = stored(2);
  } else {
    texel[0] = texel[1] = texel[2] = stored(0);
    texel[3] = stored(1);
  }
}

// Calls `function` with y and the slice of every row.
template <typename Function>
void for_each_row(const ImageInfo& info, const Function& function) {
  for (uint32_t slice = 0; slice < info.slices(); ++slice) {
    for (uint32_t y = 0; y < info.height; ++y) {
      function(y, slice);
    }
  }
}

ImageInfo float_info(const ImageInfo& like, uint32_t channels) {
  ImageInfo info = like;
  info.sample = SampleType::kF32;
  info.color_space = ColorSpace::kLinear;
  info.channels = channels;
  return info;
}

bool has_own_alpha(const ImageInfo& info, NormalChannels channels) {
  return channels == NormalChannels::kRgb && info.channels == 4;
}

}  // namespace

Result<NormalImage> read_normals(const ImageView& picture, NormalChannels channels) {
  const ImageInfo& info = picture.info;
  if (info.channels < 3 || (channels == NormalChannels::kRedAlpha && info.channels != 4)) {
    return invalid_error("a normal map has red, green and blue");
  }
  NormalImage normals;
  TESSERA_ASSIGN_OR_RETURN(normals.vectors, Image::create(float_info(info, 3)));
  if (has_own_alpha(info, channels) && !is_opaque(picture)) {
    TESSERA_ASSIGN_OR_RETURN(normals.alpha, Image::create(float_info(info, 1)));
  }
  with_sample_type(info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    for_each_row(info, [&](uint32_t y, uint32_t slice) {
      const auto* texel = picture.row<typename Sample::Storage>(y, slice);
      float* vector = normals.vectors.row<float>(y, slice);
      float* alpha = normals.alpha.empty() ? nullptr : normals.alpha.row<float>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, texel += info.channels, vector += 3) {
        const Vector v = read_vector<Sample>(texel, channels);
        for (size_t i = 0; i < 3; ++i) {
          vector[i] = static_cast<float>(v[i]);
        }
        if (alpha != nullptr) {
          alpha[x] = Sample::to_float(texel[3]);
        }
      }
    });
  });
  return normals;
}

void normalize(Image& vectors) {
  for_each_row(vectors.info(), [&](uint32_t y, uint32_t slice) {
    float* vector = vectors.row<float>(y, slice);
    for (uint32_t x = 0; x < vectors.width(); ++x, vector += 3) {
      const Vector v = unit({vector[0], vector[1], vector[2]});
      for (size_t i = 0; i < 3; ++i) {
        vector[i] = static_cast<float>(v[i]);
      }
    }
  });
}

Result<Image> write_normals(const NormalImage& normals, const ImageInfo& like,
                            NormalChannels channels) {
  ImageInfo info = like;
  info.width = normals.vectors.width();
  info.height = normals.vectors.height();
  info.depth = normals.vectors.info().depth;
  TESSERA_ASSIGN_OR_RETURN(Image image, Image::create(info));
  with_sample_type(info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    for_each_row(info, [&](uint32_t y, uint32_t slice) {
      auto* texel = image.row<typename Sample::Storage>(y, slice);
      const float* vector = normals.vectors.row<float>(y, slice);
      const float* alpha = normals.alpha.empty() ? nullptr : normals.alpha.row<float>(y, slice);
      for (uint32_t x = 0; x < info.width; ++x, texel += info.channels, vector += 3) {
        write_vector<Sample>(vector, channels, texel);
        if (has_own_alpha(info, channels)) {
          texel[3] =
              alpha == nullptr ? Sample::kOne : Sample::from_double(static_cast<double>(alpha[x]));
        }
      }
    });
  });
  return image;
}

}  // namespace tessera
