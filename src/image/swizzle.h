// Rearranging channels: "bgra", "rrr1", "rgba" (the identity), "r001".
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "base/result.h"
#include "image/image.h"

namespace tessera {

enum class Component : uint8_t { kRed, kGreen, kBlue, kAlpha, kZero, kOne };

struct Swizzle {
  std::array<Component, 4> components = {Component::kRed, Component::kGreen, Component::kBlue,
                                         Component::kAlpha};
  bool is_identity() const { return *this == Swizzle{}; }
  bool operator==(const Swizzle&) const = default;
};

// Four of r g b a 0 1, in either case.
Result<Swizzle> parse_swizzle(std::string_view text);
// In lower case.
std::string swizzle_text(const Swizzle& swizzle);

// The result has four channels and the source's sample type.
Result<Image> apply_swizzle(const ImageView& source, const Swizzle& swizzle);

}  // namespace tessera
