// Pictures made by code, the same on every machine: for tests, and as samples for those who have no
// image at hand.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

enum class SyntheticKind : uint8_t {
  kPhoto,      // RGB: gradients, smooth shapes, fractal noise, fine texture, sensor grain
  kInterface,  // RGB: windows, sharp coloured edges, lines of small text
  kSprite,     // RGBA: soft-edged and hard-edged shapes on transparency
  kNormalMap,  // RGB: unit normals of a bumpy surface, as n·0.5 + 0.5
  kNoise,      // RGBA: white noise, the worst case
  kConstant,   // RGB: one colour, chosen by the seed
};

// "photo", "interface", "sprite", "normal-map", "noise", "constant".
std::string_view synthetic_kind_name(SyntheticKind kind);
std::optional<SyntheticKind> parse_synthetic_kind(std::string_view name);

// 8-bit sRGB (linear for normal maps). The same arguments give the same pixels.
Result<Image> make_synthetic_image(SyntheticKind kind, uint32_t width, uint32_t height,
                                   uint32_t seed = 1);

}  // namespace tessera
