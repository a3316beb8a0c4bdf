// Decodes the LDR endpoint modes.
#include "astc/format/color_endpoints.h"

#include <algorithm>

#include "astc/format/hdr_endpoints.h"

namespace tessera::astc {
namespace {

struct Color {
  int r;
  int g;
  int b;
  int a;
};

constexpr int kOpaque = 0xFF;

// Moves the top bit of an offset into its base, and gives both their final width: the base 8 bits,
// the offset 6 bits with sign.
void transfer_bit(int& offset, int& base) {
  base = (base >> 1) | (offset & 0x80);
  offset = (offset >> 1) & 0x3F;
  if ((offset & 0x20) != 0) {
    offset -= 0x40;
  }
}

// Undoes the encoder's trick for near-grey colours: red and green were stored as twice their value
// less blue.
Color blue_contract(const Color& c) {
  return {(c.r + c.b) >> 1, (c.g + c.b) >> 1, c.b, c.a};
}

// For values that cannot leave 0…255.
EndpointPair make_pair(const Color& low, const Color& high) {
  const auto narrow = [](const Color& c) -> std::array<uint16_t, 4> {
    return {static_cast<uint16_t>(c.r), static_cast<uint16_t>(c.g), static_cast<uint16_t>(c.b),
            static_cast<uint16_t>(c.a)};
  };
  return {narrow(low), narrow(high), false, false};
}

// For those that can, after an offset.
EndpointPair make_clamped_pair(const Color& low, const Color& high) {
  const auto clamped = [](const Color& c) -> Color {
    return {std::clamp(c.r, 0, 255), std::clamp(c.g, 0, 255), std::clamp(c.b, 0, 255),
            std::clamp(c.a, 0, 255)};
  };
  return make_pair(clamped(low), clamped(high));
}

EndpointPair luminance(int l0, int l1, int a0, int a1) {
  return make_pair({l0, l0, l0, a0}, {l1, l1, l1, a1});
}

EndpointPair luminance_offset(const uint8_t* v) {
  const int l0 = (v[0] >> 2) | (v[1] & 0xC0);
  const int l1 = std::min(l0 + (v[1] & 0x3F), 0xFF);
  return luminance(l0, l1, kOpaque, kOpaque);
}

EndpointPair luminance_alpha_offset(const uint8_t* v) {
  int base = v[0];
  int offset = v[1];
  int alpha_base = v[2];
  int alpha_offset = v[3];
  transfer_bit(offset, base);
  transfer_bit(alpha_offset, alpha_base);
  const int high = base + offset;
  return make_clamped_pair({base, base, base, alpha_base},
                           {high, high, high, alpha_base + alpha_offset});
}

EndpointPair rgb_scale(const uint8_t* v, int a0, int a1) {
  const int scale = v[3];
  return make_pair({(v[0] * scale) >> 8, (v[1] * scale) >> 8, (v[2] * scale) >> 8, a0},
                   {v[0], v[1], v[2], a1});
}

EndpointPair rgb_direct(const uint8_t* v, int a0, int a1) {
  const Color first = {v[0], v[2], v[4], a0};
  const Color second = {v[1], v[3], v[5], a1};
  if (second.r + second.g + second.b >= first.r + first.g + first.b) {
    return make_pair(first, second);
  }
  return make_pair(blue_contract(second), blue_contract(first));
}

EndpointPair rgb_offset(const uint8_t* v, bool has_alpha) {
  std::array<int, 4> base = {v[0], v[2], v[4], kOpaque};
  std::array<int, 4> offset = {v[1], v[3], v[5], 0};
  if (has_alpha) {
    base[3] = v[6];
    offset[3] = v[7];
  }
  for (unsigned channel = 0; channel < (has_alpha ? 4u : 3u); ++channel) {
    transfer_bit(offset[channel], base[channel]);
  }
  const Color first = {base[0], base[1], base[2], base[3]};
  const Color second = {base[0] + offset[0], base[1] + offset[1], base[2] + offset[2],
                        base[3] + offset[3]};
  if (offset[0] + offset[1] + offset[2] >= 0) {
    return make_clamped_pair(first, second);
  }
  return make_clamped_pair(blue_contract(second), blue_contract(first));
}

}  // namespace

EndpointPair decode_endpoints(EndpointMode mode, const uint8_t* v) {
  switch (mode) {
    case EndpointMode::kLuminance:
      return luminance(v[0], v[1], kOpaque, kOpaque);
    case EndpointMode::kLuminanceOffset:
      return luminance_offset(v);
    case EndpointMode::kLuminanceAlpha:
      return luminance(v[0], v[1], v[2], v[3]);
    case EndpointMode::kLuminanceAlphaOffset:
      return luminance_alpha_offset(v);
    case EndpointMode::kRgbScale:
      return rgb_scale(v, kOpaque, kOpaque);
    case EndpointMode::kRgbScaleAlpha:
      return rgb_scale(v, v[4], v[5]);
    case EndpointMode::kRgb:
      return rgb_direct(v, kOpaque, kOpaque);
    case EndpointMode::kRgba:
      return rgb_direct(v, v[6], v[7]);
    case EndpointMode::kRgbOffset:
      return rgb_offset(v, false);
    case EndpointMode::kRgbaOffset:
      return rgb_offset(v, true);
    default:
      return decode_hdr_endpoints(mode, v);
  }
}

}  // namespace tessera::astc
