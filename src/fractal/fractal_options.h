// What a user may ask of fractal images.
#pragma once

#include <optional>
#include <span>

#include "base/result.h"
#include "codec/options.h"
#include "fractal/fractal_image.h"

namespace tessera {

std::span<const OptionDescriptor> fractal_encode_options();
std::span<const OptionDescriptor> fractal_decode_options();

struct FractalOptions {
  fractal::EncodeSettings settings;
  bool grey = false;  // encode colour pictures as grey
};

// Of lists that fit the descriptors; fails where options do not go together.
Result<FractalOptions> read_fractal_options(const OptionList& list, std::optional<float> quality);
fractal::DecodeSettings read_fractal_decode_options(const OptionList& list);

}  // namespace tessera
