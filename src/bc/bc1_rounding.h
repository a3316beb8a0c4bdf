// The colours between the ends, as different decoders round them, one channel at a time.
#pragma once

#include <array>
#include <cstdint>

#include "bc/bc1_format.h"
#include "bc/bc1_presets.h"

namespace tessera::bc1 {

// 5 bits for red and blue, 6 for green.
enum class ChannelBits : uint8_t { kFive, kSix };

// One channel of an end colour.
constexpr int decode_end(Rounding rounding, ChannelBits bits, int value) {
  if (bits == ChannelBits::kSix) {
    return expand_6_bits(static_cast<uint32_t>(value));
  }
  return rounding == Rounding::kNvidia ? value * 66 / 8
                                       : expand_5_bits(static_cast<uint32_t>(value));
}

// Green on NVIDIA's texture units: 8 fraction bits, with `weight`/256 and a little for the step.
constexpr int nvidia_green(int near, int far, int weight) {
  const int difference = far - near;
  return (256 * near + difference / 4 + 128 + difference * weight) >> 8;
}

// The colour a third of the way from `near` to `far`.
constexpr int decode_third(Rounding rounding, ChannelBits bits, int near, int far) {
  const int a = decode_end(rounding, bits, near);
  const int b = decode_end(rounding, bits, far);
  switch (rounding) {
    case Rounding::kNvidia:
      return bits == ChannelBits::kSix ? nvidia_green(a, b, 80) : (2 * near + far) * 22 / 8;
    case Rounding::kAmd:
      return (43 * a + 21 * b + 32) / 64;
    case Rounding::kIdeal:
      break;
  }
  return (2 * a + b) / 3;
}

// The colour in the middle.
constexpr int decode_half(Rounding rounding, ChannelBits bits, int first, int second) {
  const int a = decode_end(rounding, bits, first);
  const int b = decode_end(rounding, bits, second);
  switch (rounding) {
    case Rounding::kNvidia:
      return bits == ChannelBits::kSix ? nvidia_green(a, b, 128) : (first + second) * 33 / 8;
    case Rounding::kAmd:
      return (a + b + 1) / 2;
    case Rounding::kIdeal:
      break;
  }
  return (a + b) / 2;
}

// The four colours of a block, in the order of the selectors.
constexpr std::array<Rgba8, 4> palette(const Block& block, Rounding rounding) {
  const bool four = has_four_colors(block);
  std::array<Rgba8, 4> colors = {};
  const auto channel = [&](int shift, int mask, ChannelBits bits, uint8_t Rgba8::*member) {
    const int first = (block.color0 >> shift) & mask;
    const int second = (block.color1 >> shift) & mask;
    colors[0].*member = static_cast<uint8_t>(decode_end(rounding, bits, first));
    colors[1].*member = static_cast<uint8_t>(decode_end(rounding, bits, second));
    colors[2].*member = static_cast<uint8_t>(four ? decode_third(rounding, bits, first, second)
                                                  : decode_half(rounding, bits, first, second));
    colors[3].*member =
        static_cast<uint8_t>(four ? decode_third(rounding, bits, second, first) : 0);
  };
  channel(11, 31, ChannelBits::kFive, &Rgba8::r);
  channel(5, 63, ChannelBits::kSix, &Rgba8::g);
  channel(0, 31, ChannelBits::kFive, &Rgba8::b);
  colors[3].a = four ? 255 : 0;
  return colors;
}

}  // namespace tessera::bc1
