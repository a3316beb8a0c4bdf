// What texels are stored as while they are encoded. Stages take the format as a template parameter
// and read texels only by it; LaneTexels (block_texels-inl.h) says how its texels get into lanes.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::astc {

// Four 8-bit channels, red in the lowest byte.
struct Rgba8Texels {
  using Stored = uint32_t;

  static constexpr bool is_opaque(Stored texel) { return texel >> 24 == 0xFF; }

  // As UNORM16 values of a block of one colour.
  static constexpr std::array<uint16_t, 4> constant_color(Stored texel) {
    std::array<uint16_t, 4> color{};
    for (unsigned i = 0; i < 4; ++i) {
      color[i] = static_cast<uint16_t>((texel >> (8 * i) & 0xFF) * 257);
    }
    return color;
  }
};

}  // namespace tessera::astc
