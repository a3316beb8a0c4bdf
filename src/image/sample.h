// What a stored sample is worth, one struct a SampleType, so that loops over pixels are written
// once as templates and chosen outside of the loop (with_sample_type).
#pragma once

#include <cstdint>

#include "base/half.h"
#include "image/image.h"

namespace tessera {

// 0…1 to 0…max, to nearest. Exact in double for a float and up to 16 bits. NaN becomes 0.
inline uint32_t quantize(double value, uint32_t max) {
  const double clamped = value > 0.0 ? (value < 1.0 ? value : 1.0) : 0.0;
  return static_cast<uint32_t>(clamped * static_cast<double>(max) + 0.5);
}

struct U8Sample {
  using Storage = uint8_t;
  static constexpr bool kIsInteger = true;
  static constexpr Storage kOne = 255;
  static float to_float(Storage stored) { return static_cast<float>(stored) / 255.0f; }
  static double to_double(Storage stored) { return static_cast<double>(stored) / 255.0; }
  static Storage from_double(double value) { return static_cast<Storage>(quantize(value, kOne)); }
};

struct U16Sample {
  using Storage = uint16_t;
  static constexpr bool kIsInteger = true;
  static constexpr Storage kOne = 65535;
  static float to_float(Storage stored) { return static_cast<float>(stored) / 65535.0f; }
  static double to_double(Storage stored) { return static_cast<double>(stored) / 65535.0; }
  static Storage from_double(double value) { return static_cast<Storage>(quantize(value, kOne)); }
};

struct F16Sample {
  using Storage = uint16_t;
  static constexpr bool kIsInteger = false;
  static constexpr Storage kOne = 0x3C00;
  static float to_float(Storage stored) { return half_to_float(stored); }
  static double to_double(Storage stored) { return static_cast<double>(half_to_float(stored)); }
  static Storage from_double(double value) { return float_to_half(static_cast<float>(value)); }
};

struct F32Sample {
  using Storage = float;
  static constexpr bool kIsInteger = false;
  static constexpr Storage kOne = 1.0f;
  static float to_float(Storage stored) { return stored; }
  static double to_double(Storage stored) { return static_cast<double>(stored); }
  static Storage from_double(double value) { return static_cast<Storage>(value); }
};

// Programs that must be small, and have no other pictures, are compiled for those of four 8-bit
// channels.
#ifdef TESSERA_RGBA8_ALONE
inline constexpr bool kHasAllPictures = false;
#else
inline constexpr bool kHasAllPictures = true;
#endif

// Calls `function` with the struct of `type`.
template <typename Function>
decltype(auto) with_sample_type(SampleType type, Function&& function) {
  if constexpr (kHasAllPictures) {
    switch (type) {
      case SampleType::kU8:
        break;
      case SampleType::kU16:
        return function(U16Sample{});
      case SampleType::kF16:
        return function(F16Sample{});
      case SampleType::kF32:
        return function(F32Sample{});
    }
  }
  return function(U8Sample{});
}

// Calls `function` with 1, 2, 3 or 4 as a compile-time constant.
template <uint32_t kCount>
struct ChannelCount {
  static constexpr uint32_t kValue = kCount;
};

template <typename Function>
decltype(auto) with_channel_count(uint32_t channels, Function&& function) {
  if constexpr (kHasAllPictures) {
    switch (channels) {
      case 1:
        return function(ChannelCount<1>{});
      case 2:
        return function(ChannelCount<2>{});
      case 3:
        return function(ChannelCount<3>{});
      default:
        break;
    }
  }
  return function(ChannelCount<4>{});
}

// One pixel of any channel count, seen as RGBA: grey stands for all three colours, a missing alpha
// is opaque.
template <typename Storage>
struct Rgba {
  Storage r, g, b, a;
};

template <typename Sample, uint32_t kChannels>
inline Rgba<typename Sample::Storage> load_rgba(const typename Sample::Storage* pixel) {
  if constexpr (kChannels == 1) {
    return {pixel[0], pixel[0], pixel[0], Sample::kOne};
  } else if constexpr (kChannels == 2) {
    return {pixel[0], pixel[0], pixel[0], pixel[1]};
  } else if constexpr (kChannels == 3) {
    return {pixel[0], pixel[1], pixel[2], Sample::kOne};
  } else {
    return {pixel[0], pixel[1], pixel[2], pixel[3]};
  }
}

// A row of any image as four values per pixel: what `value_of` makes of the sample type's struct
// and a stored sample.
template <typename Value, typename ValueOf>
void load_rgba_row(const ImageView& image, uint32_t y, uint32_t slice, const ValueOf& value_of,
                   Value* rgba) {
  with_sample_type(image.info.sample, [&](auto sample) {
    with_channel_count(image.info.channels, [&](auto channels) {
      using Sample = decltype(sample);
      constexpr uint32_t kChannels = channels.kValue;
      const auto* row = image.row<typename Sample::Storage>(y, slice);
      for (size_t x = 0; x < image.info.width; ++x) {
        const auto pixel = load_rgba<Sample, kChannels>(row + kChannels * x);
        rgba[4 * x + 0] = value_of(sample, pixel.r);
        rgba[4 * x + 1] = value_of(sample, pixel.g);
        rgba[4 * x + 2] = value_of(sample, pixel.b);
        rgba[4 * x + 3] = value_of(sample, pixel.a);
      }
    });
  });
}

}  // namespace tessera
