// The options of tone mapping, which encoding and decoding share.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "codec/option_makers.h"
#include "image/tone_map.h"

namespace tessera {

// In the order of ToneCurve.
inline constexpr std::array<std::string_view, 2> kToneCurves = {"clip", "reinhard"};

namespace option {

constexpr OptionDescriptor tone_map(std::string_view help) {
  return choice("tonemap", kToneCurves, "a way to map tones", help);
}

constexpr OptionDescriptor exposure() {
  return number("exposure", OptionKind::kNumber, -20, 20,
                "F-stops by which --tonemap makes light brighter first");
}

}  // namespace option

// Empty where none is asked for.
Result<std::optional<ToneMap>> read_tone_map(const OptionReader& reader);

// The options that say so.
OptionList tone_map_options(const ToneMap& map);

}  // namespace tessera
