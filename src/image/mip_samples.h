// How the mip filter reads and writes the samples of each image type: as numbers that may be
// averaged. `Real` is what averages are computed in: float carries the sums of 8-bit samples
// without rounding, the others need double.
//
// Integer samples that are linear keep their units (0…255, 0…65535), so that averages of whole
// numbers stay exact and halves round up. The weight of an alpha only matters in proportion.
#pragma once

#include <cstdint>

#include "image/sample.h"
#include "image/srgb.h"

namespace tessera {

// Whole numbers, averaged as `RealNumber`.
template <typename WholeSample, typename RealNumber>
struct LinearWholeMipSamples {
  using Sample = WholeSample;
  using Storage = typename Sample::Storage;
  using Real = RealNumber;
  Real read_color(Storage stored) const { return static_cast<Real>(stored); }
  Real read_alpha(Storage stored) const { return static_cast<Real>(stored); }
  Real weight(Real alpha) const { return alpha; }
  Storage write_color(Real value) const { return static_cast<Storage>(value + Real{0.5}); }
  Storage write_alpha(Real value) const { return static_cast<Storage>(value + Real{0.5}); }
};
using LinearU8MipSamples = LinearWholeMipSamples<U8Sample, float>;
using LinearU16MipSamples = LinearWholeMipSamples<U16Sample, double>;

struct SrgbU8MipSamples : LinearU8MipSamples {
  Real read_color(uint8_t stored) const { return srgb8_to_linear(stored); }
  uint8_t write_color(Real value) const { return linear_to_srgb8(value); }
};

struct SrgbU16MipSamples : LinearU16MipSamples {
  const Srgb16Tables& tables = Srgb16Tables::get();
  Real read_color(uint16_t stored) const { return static_cast<Real>(tables.to_linear(stored)); }
  uint16_t write_color(Real value) const { return tables.from_linear(static_cast<float>(value)); }
};

// Half and float. Alpha outside 0…1 is averaged as it is but counts as 0 or 1 for colours.
template <typename FloatSample>
struct LinearFloatMipSamples {
  using Sample = FloatSample;
  using Storage = typename Sample::Storage;
  using Real = double;
  Real read_color(Storage stored) const { return Sample::to_double(stored); }
  Real read_alpha(Storage stored) const { return Sample::to_double(stored); }
  Real weight(Real alpha) const { return alpha > 0.0 ? (alpha < 1.0 ? alpha : 1.0) : 0.0; }
  Storage write_color(Real value) const { return Sample::from_double(value); }
  Storage write_alpha(Real value) const { return Sample::from_double(value); }
};

template <typename FloatSample>
struct SrgbFloatMipSamples : LinearFloatMipSamples<FloatSample> {
  using Storage = typename FloatSample::Storage;
  double read_color(Storage stored) const {
    return srgb_to_linear_extended(FloatSample::to_double(stored));
  }
  Storage write_color(double value) const {
    return FloatSample::from_double(linear_to_srgb_extended(value));
  }
};

// What is summed for a texel: colours weighed by alpha, then the weights, then alpha.
template <typename Samples, uint32_t kChannels>
struct MipSums {
  static constexpr bool kHasAlpha = kChannels == 2 || kChannels == 4;
  static constexpr uint32_t kColors = kHasAlpha ? kChannels - 1 : kChannels;
  // Float alpha may lie outside 0…1, where it differs from its weight.
  static constexpr bool kSumsAlpha = kHasAlpha && !Samples::Sample::kIsInteger;
  static constexpr uint32_t kSums = kColors + (kHasAlpha ? 1 : 0) + (kSumsAlpha ? 1 : 0);
  static constexpr uint32_t kWeightSum = kColors;
  static constexpr uint32_t kAlphaSum = kSums - 1;
};

// Calls `function` with the samples of an image type.
template <typename Function>
void with_mip_samples(const ImageInfo& info, Function&& function) {
  const bool srgb = info.color_space == ColorSpace::kSrgb;
  switch (info.sample) {
    case SampleType::kU8:
      return srgb ? function(SrgbU8MipSamples{}) : function(LinearU8MipSamples{});
    case SampleType::kU16:
      return srgb ? function(SrgbU16MipSamples{}) : function(LinearU16MipSamples{});
    case SampleType::kF16:
      return srgb ? function(SrgbFloatMipSamples<F16Sample>{})
                  : function(LinearFloatMipSamples<F16Sample>{});
    case SampleType::kF32:
      return srgb ? function(SrgbFloatMipSamples<F32Sample>{})
                  : function(LinearFloatMipSamples<F32Sample>{});
  }
}

}  // namespace tessera
