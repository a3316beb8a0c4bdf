// Converts sample types and numbers of channels.
#include "image/convert.h"

#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/bits.h"
#include "image/sample.h"

namespace tessera {
namespace {

template <typename From, typename To>
inline typename To::Storage convert_sample(typename From::Storage stored) {
  if constexpr (std::is_same_v<From, U8Sample> && std::is_same_v<To, U16Sample>) {
    return static_cast<uint16_t>(stored * 257u);
  } else if constexpr (std::is_same_v<From, U16Sample> && std::is_same_v<To, U8Sample>) {
    return static_cast<uint8_t>((stored + 128u) / 257u);
  } else if constexpr (To::kIsInteger) {
    return To::from_double(From::to_double(stored));
  } else if constexpr (std::is_same_v<To, F16Sample>) {
    return float_to_half(From::to_float(stored));
  } else {
    return From::to_float(stored);
  }
}

template <typename From, typename To>
void convert_sample_rows(const ImageView& source, const MutableImageView& target) {
  const size_t samples = size_t{source.info.width} * source.info.channels;
  for (uint32_t slice = 0; slice < source.info.slices(); ++slice) {
    for (uint32_t y = 0; y < source.info.height; ++y) {
      const auto* from = source.row<typename From::Storage>(y, slice);
      auto* to = target.row<typename To::Storage>(y, slice);
      for (size_t i = 0; i < samples; ++i) {
        to[i] = convert_sample<From, To>(from[i]);
      }
    }
  }
}

// Rec. 709 luma; the weights are exact in ten-thousandths.
template <typename Sample>
inline typename Sample::Storage luma(const Rgba<typename Sample::Storage>& pixel) {
  using Storage = typename Sample::Storage;
  if constexpr (Sample::kIsInteger) {
    const uint32_t sum = 2126u * pixel.r + 7152u * pixel.g + 722u * pixel.b;
    return static_cast<Storage>((sum + 5000u) / 10000u);
  } else {
    return Sample::from_double(0.2126 * Sample::to_double(pixel.r) +
                               0.7152 * Sample::to_double(pixel.g) +
                               0.0722 * Sample::to_double(pixel.b));
  }
}

template <typename Sample, uint32_t kFrom, uint32_t kTo>
inline void store_rgba(const Rgba<typename Sample::Storage>& pixel,
                       typename Sample::Storage* target) {
  if constexpr (kTo >= 3) {
    target[0] = pixel.r;
    target[1] = pixel.g;
    target[2] = pixel.b;
  } else {
    target[0] = kFrom >= 3 ? luma<Sample>(pixel) : pixel.r;
  }
  if constexpr (kTo == 2 || kTo == 4) {
    target[kTo - 1] = pixel.a;
  }
}

// The most travelled way: four bytes are read at a pixel's three, and alpha is put over the fourth.
[[maybe_unused]] void widen_rgb8_row(const uint8_t* from, uint8_t* to, size_t width) {
  const uint32_t opaque = bit_cast<uint32_t>(std::array<uint8_t, 4>{0, 0, 0, 255});
  for (size_t x = 0; x + 1 < width; ++x) {
    uint32_t pixel;
    std::memcpy(&pixel, from + 3 * x, sizeof(pixel));
    pixel |= opaque;
    std::memcpy(to + 4 * x, &pixel, sizeof(pixel));
  }
  // Nothing may lie behind the last pixel.
  std::memcpy(to + 4 * (width - 1), from + 3 * (width - 1), 3);
  to[4 * (width - 1) + 3] = 255;
}

template <typename Sample, uint32_t kFrom, uint32_t kTo>
void convert_channel_rows(const ImageView& source, const MutableImageView& target) {
  using Storage = typename Sample::Storage;
  for (uint32_t slice = 0; slice < source.info.slices(); ++slice) {
    for (uint32_t y = 0; y < source.info.height; ++y) {
      const auto* from = source.row<Storage>(y, slice);
      auto* to = target.row<Storage>(y, slice);
      if constexpr (std::is_same_v<Sample, U8Sample> && kFrom == 3 && kTo == 4) {
        widen_rgb8_row(from, to, source.info.width);
      } else {
        for (size_t x = 0; x < source.info.width; ++x) {
          store_rgba<Sample, kFrom, kTo>(load_rgba<Sample, kFrom>(from + kFrom * x), to + kTo * x);
        }
      }
    }
  }
}

}  // namespace

Result<Image> convert_samples(const ImageView& source, SampleType sample) {
  if (source.info.sample == sample) {
    return copy_image(source);
  }
  ImageInfo info = source.info;
  info.sample = sample;
  TESSERA_ASSIGN_OR_RETURN(Image converted, Image::create(info));
  with_sample_type(source.info.sample, [&](auto from) {
    with_sample_type(sample, [&](auto to) {
      convert_sample_rows<decltype(from), decltype(to)>(source, converted.mutable_view());
    });
  });
  return converted;
}

Result<Image> convert_channels(const ImageView& source, uint32_t channels) {
  if (channels < 1 || channels > 4) {
    return usage_error("an image has 1 to 4 channels, not " + std::to_string(channels));
  }
  if (source.info.channels < 1 || source.info.channels > 4) {
    return invalid_error("the image has " + std::to_string(source.info.channels) +
                         " channels, not 1 to 4");
  }
  if (source.info.channels == channels) {
    return copy_image(source);
  }
  ImageInfo info = source.info;
  info.channels = channels;
  TESSERA_ASSIGN_OR_RETURN(Image converted, Image::create(info));
  with_sample_type(info.sample, [&](auto sample) {
    with_channel_count(source.info.channels, [&](auto from) {
      with_channel_count(channels, [&](auto to) {
        convert_channel_rows<decltype(sample), from.kValue, to.kValue>(source,
                                                                       converted.mutable_view());
      });
    });
  });
  return converted;
}

bool is_opaque(const ImageView& image) {
  const ImageInfo& info = image.info;
  if (!info.has_alpha()) {
    return true;
  }
  return with_sample_type(info.sample, [&](auto sample) {
    using Sample = decltype(sample);
    for (uint32_t slice = 0; slice < info.slices(); ++slice) {
      for (uint32_t y = 0; y < info.height; ++y) {
        const auto* alpha = image.row<typename Sample::Storage>(y, slice) + (info.channels - 1);
        for (size_t x = 0; x < info.width; ++x) {
          if (alpha[x * info.channels] != Sample::kOne) {
            return false;
          }
        }
      }
    }
    return true;
  });
}

}  // namespace tessera
