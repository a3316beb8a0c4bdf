// Colours while a synthetic picture is painted: sRGB values, 0…1 where they can be stored.
#pragma once

#include <cstdint>

#include "image/synthetic_noise.h"

namespace tessera {

struct PaintColor {
  float r, g, b;
};

inline PaintColor operator*(const PaintColor& color, float factor) {
  return {color.r * factor, color.g * factor, color.b * factor};
}

inline PaintColor operator+(const PaintColor& a, const PaintColor& b) {
  return {a.r + b.r, a.g + b.g, a.b + b.b};
}

inline PaintColor mix(const PaintColor& a, const PaintColor& b, float t) {
  return {mix(a.r, b.r, t), mix(a.g, b.g, t), mix(a.b, b.b, t)};
}

inline uint8_t to_byte(float value) {
  return static_cast<uint8_t>(clamp_unit(value) * 255.0f + 0.5f);
}

}  // namespace tessera
