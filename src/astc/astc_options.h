// What a user may ask of ASTC beyond a preset or a quality.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "astc/encode/presets.h"
#include "base/result.h"
#include "codec/options.h"
#include "image/tone_map.h"

namespace tessera {

// Unset: as the preset has it.
struct AstcOptions {
  // Textures are meant for decoders that interpolate to 8 bits (decode_unorm8).
  bool unorm8 = false;
  std::optional<astc::EndpointStart> endpoints;
  std::optional<astc::PartitionSearch> partitions;
  bool alpha_weight = false;  // errors of colours count by the texel's alpha
  bool perceptual = false;    // channels count as they add to what eyes see as bright
  bool rgbm = false;          // colours are times alpha
  // What a bit saved by repeated blocks may cost, in percent of a texel's mean squared error; 0:
  // none repeat.
  float rdo = 0;
  float rdo_size = 0;  // how much of the bits is to be left instead, in percent; 0: none repeat
};

std::span<const OptionDescriptor> astc_encode_options();
std::span<const OptionDescriptor> astc_decode_options();

// Of lists that fit the descriptors.
AstcOptions read_astc_options(const OptionList& list);
bool read_astc_unorm8(const OptionList& list);
// How HDR is decoded to integers; empty: samples are clipped as they are.
Result<std::optional<ToneMap>> read_astc_tone_map(const OptionList& list);

// What errors of the channels count. `text`: three or four numbers, separated by commas; alpha
// counts 1 where it is not named. Without it, the weights that the options ask for, of normal maps
// or of colours.
Result<std::array<float, 4>> read_astc_weights(const std::string& text, bool normal_map,
                                               const AstcOptions& options);

}  // namespace tessera
