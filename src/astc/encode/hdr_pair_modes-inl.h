// The ways in which two HDR colours divide their bits, and which one a line gets: the ranking wants
// to know how finely endpoints will be told, and the rounding does it.
#if defined(TESSERA_ASTC_HDR_PAIR_MODES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_HDR_PAIR_MODES_INL_H_
#undef TESSERA_ASTC_HDR_PAIR_MODES_INL_H_
#else
#define TESSERA_ASTC_HDR_PAIR_MODES_INL_H_
#endif

#include "astc/encode/block_texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The eight divisions of endpoint mode 11, which stores a (the largest component of the brighter
// colour), b0 and b1 (how much less the others are), c (how much darker the other colour's largest
// component is), d0 and d1 (what its other components differ by from that). Units of the 12-bit
// scale: 8, 8, 4, 4, 2, 2, 1, 1.
struct HdrPairModes {
  // The most that the differences may be, in 12-bit units.
  static constexpr float kMostB[8] = {1016, 2040, 252, 508, 510, 126, 127, 63};
  static constexpr float kMostC[8] = {504, 504, 508, 508, 126, 510, 127, 127};
  static constexpr float kMostD[8] = {504, 248, 252, 124, 30, 62, 15, 31};
  static constexpr int32_t kBitsOfD[8] = {7, 6, 7, 6, 5, 6, 5, 6};
  static constexpr int32_t kMaskOfB[8] = {127, 255, 63, 127, 255, 63, 127, 63};
  static constexpr int32_t kMaskOfC[8] = {63, 63, 127, 127, 63, 255, 127, 127};
  // Which bits of the numbers are the bits X0 to X5 that the format puts between others, four bits
  // each, X0 lowest. Bits are counted in a word of: a9, a10, a11, c6, c7, b0.6, b0.7, b1.6, b1.7.
  // Where X2 to X5 belong to d0 and d1, which are contiguous, any bit will do.
  static constexpr int32_t kExtraBits[8] = {0x000075, 0x008675, 0x000030, 0x003075,
                                            0x108675, 0x003410, 0x103275, 0x003210};
};

// Division `mode` of each lane, or direct where it is negative.
struct HdrPairChoice {
  I32 mode;
  LaneMask is_direct;
};

// The finest division with room for the differences b, c and d, the largest of each.
TESSERA_INLINE HdrPairChoice choose_hdr_pair_mode(F32 b, F32 c, F32 d) {
  I32 mode = all_lanes(-1);
  TESSERA_UNROLL
  for (unsigned i = 0; i < 8; ++i) {
    const LaneMask fits = !((b > all_lanes_f32(HdrPairModes::kMostB[i])) |
                            (c > all_lanes_f32(HdrPairModes::kMostC[i])) |
                            (d > all_lanes_f32(HdrPairModes::kMostD[i])));
    mode = lanes::select(fits, all_lanes(static_cast<int32_t>(i)), mode);
  }
  const LaneMask is_direct = mode < all_lanes(0);
  return {lanes::max(mode, all_lanes(0)), is_direct};
}

// What part of the rounding error of 8-bit endpoints those of HDR have: the square of their unit.
// The line has this squared length and direction (null: not known); `color` is somewhere on it.
TESSERA_INLINE F32 hdr_rounding_share(F32 squared_length, const F32* direction,
                                      const F32 color[3]) {
  constexpr float kUnits = 16.0F;  // of the 12-bit scale in a texel's step
  const F32 length = lanes::square_root(squared_length) * all_lanes_f32(kUnits);
  F32 most = all_lanes_f32(0.65F), least = all_lanes_f32(0.5F);
  if (direction != nullptr) {
    const F32 r = lanes::absolute(direction[0]), g = lanes::absolute(direction[1]),
              b = lanes::absolute(direction[2]);
    most = lanes::max(r, lanes::max(g, b));
    least = lanes::min(r, lanes::min(g, b));
  }
  const F32 spread = lanes::max(color[0], lanes::max(color[1], color[2])) -
                     lanes::min(color[0], lanes::min(color[1], color[2]));
  const HdrPairChoice choice =
      choose_hdr_pair_mode(spread * all_lanes_f32(kUnits), length * most, length * (most - least));
  const I32 unit =
      lanes::shift_right_logical(all_lanes(8), lanes::shift_right_logical<1>(choice.mode));
  constexpr float kDirectUnit = 22.6F;  // 16, 16 and 32, in the mean of squares
  const F32 units =
      lanes::select(choice.is_direct, all_lanes_f32(kDirectUnit), lanes::to_f32(unit)) *
      all_lanes_f32(1 / kUnits);
  return units * units;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_HDR_PAIR_MODES_INL_H_
