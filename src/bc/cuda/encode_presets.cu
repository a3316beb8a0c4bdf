// BC1 by the presets and by the bounding box: settings are constants, so that a kernel holds
// nothing but what its settings need.
#include <array>
#include <bit>

#define BC1_INLINE __device__ __forceinline__
#include "bc/cuda/block_source.cuh"
#include "bc/cuda/block_texels.cuh"
#include "bc/device/bc1_tables.h"

namespace tessera::bc1 {
namespace {

using FixedSettings = std::array<int32_t, sizeof(device::Bc1Settings) / sizeof(int32_t)>;

inline constexpr std::array<FixedSettings, 6> kFixed = {
    kernel_settings(method_settings(Method::kBounds)),
    kernel_settings(preset_settings(Preset::kRealtime)),
    kernel_settings(preset_settings(Preset::kFast)),
    kernel_settings(preset_settings(Preset::kMedium)),
    kernel_settings(preset_settings(Preset::kThorough)),
    kernel_settings(preset_settings(Preset::kExhaustive)),
};

template <size_t kNumber>
__global__ void __launch_bounds__(kThreadsPerGroup)
    encode_fixed(const __grid_constant__ PictureShape shape, const uint8_t* picture,
                 const int32_t* tables, uint2* blocks) {
  constexpr device::Bc1Settings kSettings = std::bit_cast<device::Bc1Settings>(kFixed[kNumber]);
  const BlockPlace place = block_place(shape);
  if (place.number >= shape.blocks) {
    return;
  }
  uint32_t texels[kBlockTexels];
  load_texels(shape, picture, place, texels);
  const device::Bc1Words words = device::bc1_encode_block(texels, &kSettings, tables, nullptr, 0);
  __stcs(blocks + place.number, make_uint2(words.colors, words.selectors));
}

template <size_t kNumber>
bool encode_if(const PictureShape& shape, const uint8_t* texels, const FixedSettings& settings,
               const int32_t* tables, void* blocks, cudaStream_t stream) {
  if (settings != kFixed[kNumber]) {
    return false;
  }
  encode_fixed<kNumber><<<group_count(shape), kThreadsPerGroup, 0, stream>>>(
      shape, texels, tables, static_cast<uint2*>(blocks));
  return true;
}

}  // namespace

bool encode_with_preset(const PictureShape& shape, const uint8_t* texels, const Settings& settings,
                        const int32_t* tables, void* blocks, cudaStream_t stream) {
  const FixedSettings values = kernel_settings(settings);
  return [&]<size_t... kNumbers>(std::index_sequence<kNumbers...>) {
    return (encode_if<kNumbers>(shape, texels, values, tables, blocks, stream) || ...);
  }
  (std::make_index_sequence<kFixed.size()>());
}

}  // namespace tessera::bc1
