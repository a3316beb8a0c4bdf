// Decodes the HDR endpoint modes.
#include "astc/format/hdr_endpoints.h"

#include <algorithm>
#include <utility>

namespace tessera::astc {
namespace {

constexpr int kMaxHdr = 0xFFF;
constexpr uint16_t kHdrOne = 0x780;  // 1.0 on the 12-bit logarithmic scale

constexpr int bit(int value, unsigned position) {
  return (value >> position) & 1;
}

constexpr int sign_extend(int value, unsigned bits) {
  const int sign = 1 << (bits - 1);
  return ((value & ((1 << bits) - 1)) ^ sign) - sign;
}

constexpr uint16_t clamp_hdr(int value) {
  return static_cast<uint16_t>(std::clamp(value, 0, kMaxHdr));
}

struct Rgb {
  int r;
  int g;
  int b;
};

// The largest component was stored first; put it back to its place.
Rgb swizzle_major(Rgb c, int major) {
  if (major == 1) {
    std::swap(c.r, c.g);
  } else if (major == 2) {
    std::swap(c.r, c.b);
  }
  return c;
}

EndpointPair make_pair(const Rgb& low, const Rgb& high) {
  return {{clamp_hdr(low.r), clamp_hdr(low.g), clamp_hdr(low.b), kHdrOne},
          {clamp_hdr(high.r), clamp_hdr(high.g), clamp_hdr(high.b), kHdrOne},
          true,
          true};
}

EndpointPair grey(int y0, int y1) {
  return make_pair({y0, y0, y0}, {y1, y1, y1});
}

EndpointPair luminance_large(int v0, int v1) {
  // A swapped order gives the values half a step further inside.
  return v1 >= v0 ? grey(v0 << 4, v1 << 4) : grey((v1 << 4) + 8, (v0 << 4) - 8);
}

EndpointPair luminance_small(int v0, int v1) {
  const bool coarse = (v0 & 0x80) != 0;
  const int offset_mask = coarse ? 0x1F : 0x0F;
  const unsigned shift = coarse ? 2 : 1;
  const int y0 = ((v1 & 0xFF & ~offset_mask) << 4) | ((v0 & 0x7F) << shift);
  return grey(y0, y0 + ((v1 & offset_mask) << shift));
}

// Where an extra bit goes: which quantity, and which bit of it.
struct ExtraBit {
  uint8_t quantity;
  uint8_t position;
};

// Endpoint mode 7: quantities red, green, blue, scale. One row per bit mode, one column for each of
// the extra bits X0 to X6.
// NOLINTNEXTLINE(readability-identifier-naming): short names keep the table readable.
enum : uint8_t { R, G, B, S };
constexpr ExtraBit kScaleExtraBits[6][7] = {
    {{R, 9}, {R, 8}, {R, 7}, {R, 10}, {R, 6}, {S, 6}, {S, 5}},
    {{R, 8}, {G, 5}, {R, 7}, {B, 5}, {R, 6}, {R, 10}, {R, 9}},
    {{R, 9}, {R, 8}, {R, 7}, {R, 6}, {S, 7}, {S, 6}, {S, 5}},
    {{R, 8}, {G, 5}, {R, 7}, {B, 5}, {R, 6}, {S, 6}, {S, 5}},
    {{G, 6}, {G, 5}, {B, 6}, {B, 5}, {R, 6}, {R, 7}, {S, 5}},
    {{G, 6}, {G, 5}, {B, 6}, {B, 5}, {R, 6}, {S, 6}, {S, 5}},
};
constexpr unsigned kScaleShift[6] = {1, 1, 2, 3, 4, 5};  // up to 12 bits

EndpointPair rgb_scale(const uint8_t* v) {
  const int selector = (v[0] >> 6) | (bit(v[1], 7) << 2) | (bit(v[2], 7) << 3);
  int major = selector >> 2;
  int mode = selector & 3;
  if (major == 3) {
    major = selector == 0xF ? 0 : selector & 3;
    mode = selector == 0xF ? 5 : 4;
  }
  const int extra[7] = {bit(v[1], 6), bit(v[1], 5), bit(v[2], 6), bit(v[2], 5),
                        bit(v[3], 7), bit(v[3], 6), bit(v[3], 5)};
  int quantity[4] = {v[0] & 0x3F, v[1] & 0x1F, v[2] & 0x1F, v[3] & 0x1F};
  for (unsigned i = 0; i < 7; ++i) {
    const ExtraBit& to = kScaleExtraBits[mode][i];
    quantity[to.quantity] |= extra[i] << to.position;
  }
  for (int& q : quantity) {
    q <<= kScaleShift[mode];
  }
  Rgb high = {quantity[R], quantity[G], quantity[B]};
  if (mode != 5) {  // the smaller components are differences from the largest
    high.g = high.r - high.g;
    high.b = high.r - high.b;
  }
  high = swizzle_major(high, major);
  const int scale = quantity[S];
  return make_pair({high.r - scale, high.g - scale, high.b - scale}, high);
}

// Endpoint mode 11: quantities a (largest component), b0 and b1 (how much less the others are), c
// and d0, d1 (from the high to the low endpoint). One row per bit mode; extra bits X0 to X5.
// NOLINTNEXTLINE(readability-identifier-naming)
enum : uint8_t { A, B0, B1, C, D0, D1 };
constexpr ExtraBit kDirectExtraBits[8][6] = {
    {{B0, 6}, {B1, 6}, {D0, 6}, {D1, 6}, {D0, 5}, {D1, 5}},
    {{B0, 6}, {B1, 6}, {B0, 7}, {B1, 7}, {D0, 5}, {D1, 5}},
    {{A, 9}, {C, 6}, {D0, 6}, {D1, 6}, {D0, 5}, {D1, 5}},
    {{B0, 6}, {B1, 6}, {A, 9}, {C, 6}, {D0, 5}, {D1, 5}},
    {{B0, 6}, {B1, 6}, {B0, 7}, {B1, 7}, {A, 9}, {A, 10}},
    {{A, 9}, {A, 10}, {C, 7}, {C, 6}, {D0, 5}, {D1, 5}},
    {{B0, 6}, {B1, 6}, {A, 11}, {C, 6}, {A, 9}, {A, 10}},
    {{A, 9}, {A, 10}, {A, 11}, {C, 6}, {D0, 5}, {D1, 5}},
};
constexpr unsigned kDirectOffsetBits[8] = {7, 6, 7, 6, 5, 6, 5, 6};  // of d0 and d1, with sign

EndpointPair rgb_direct(const uint8_t* v) {
  const int major = bit(v[4], 7) | (bit(v[5], 7) << 1);
  if (major == 3) {
    return make_pair({v[0] << 4, v[2] << 4, (v[4] & 0x7F) << 5},
                     {v[1] << 4, v[3] << 4, (v[5] & 0x7F) << 5});
  }
  const int mode = bit(v[1], 7) | (bit(v[2], 7) << 1) | (bit(v[3], 7) << 2);
  const int extra[6] = {bit(v[2], 6), bit(v[3], 6), bit(v[4], 6),
                        bit(v[5], 6), bit(v[4], 5), bit(v[5], 5)};
  int q[6] = {
      v[0] | (bit(v[1], 6) << 8), v[2] & 0x3F, v[3] & 0x3F, v[1] & 0x3F, v[4] & 0x1F, v[5] & 0x1F};
  for (unsigned i = 0; i < 6; ++i) {
    const ExtraBit& to = kDirectExtraBits[mode][i];
    q[to.quantity] |= extra[i] << to.position;
  }
  q[D0] = sign_extend(q[D0], kDirectOffsetBits[mode]);
  q[D1] = sign_extend(q[D1], kDirectOffsetBits[mode]);
  const int unit = 1 << ((mode >> 1) ^ 3);  // brings a to the top of 12 bits
  for (int& quantity : q) {
    quantity *= unit;
  }
  const Rgb high = {q[A], q[A] - q[B0], q[A] - q[B1]};
  const Rgb low = {high.r - q[C], high.g - q[C] - q[D0], high.b - q[C] - q[D1]};
  return make_pair(swizzle_major(low, major), swizzle_major(high, major));
}

void set_ldr_alpha(int v6, int v7, EndpointPair& pair) {
  pair.low[3] = static_cast<uint16_t>(v6);
  pair.high[3] = static_cast<uint16_t>(v7);
  pair.alpha_is_hdr = false;
}

void set_hdr_alpha(int v6, int v7, EndpointPair& pair) {
  const unsigned mode = static_cast<unsigned>(bit(v6, 7) | (bit(v7, 7) << 1));
  v6 &= 0x7F;
  v7 &= 0x7F;
  if (mode == 3) {
    pair.low[3] = static_cast<uint16_t>(v6 << 5);
    pair.high[3] = static_cast<uint16_t>(v7 << 5);
    return;
  }
  // The base takes `mode + 1` bits of the offset's value; the offset keeps 6 − mode, with sign.
  const int unit = 1 << (4 - mode);
  const int base = (v6 | ((v7 << (mode + 1)) & 0x780)) * unit;
  const int offset = sign_extend(v7, 6 - mode) * unit;
  pair.low[3] = static_cast<uint16_t>(base);
  pair.high[3] = clamp_hdr(base + offset);
}

}  // namespace

EndpointPair decode_hdr_endpoints(EndpointMode mode, const uint8_t* v) {
  EndpointPair pair;
  switch (mode) {
    case EndpointMode::kHdrLuminanceLarge:
      return luminance_large(v[0], v[1]);
    case EndpointMode::kHdrLuminanceSmall:
      return luminance_small(v[0], v[1]);
    case EndpointMode::kHdrRgbScale:
      return rgb_scale(v);
    case EndpointMode::kHdrRgbLdrAlpha:
      pair = rgb_direct(v);
      set_ldr_alpha(v[6], v[7], pair);
      return pair;
    case EndpointMode::kHdrRgba:
      pair = rgb_direct(v);
      set_hdr_alpha(v[6], v[7], pair);
      return pair;
    default:
      return rgb_direct(v);
  }
}

}  // namespace tessera::astc
