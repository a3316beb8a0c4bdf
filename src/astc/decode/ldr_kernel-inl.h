// The last stage of the LDR decoder: colours between endpoints. One lane is one texel; each channel
// is computed on its own and joined to RGBA in the end.
//
// Include inside a file that is compiled once per target (spmd/for_each_target.h).
#if defined(TESSERA_ASTC_LDR_KERNEL_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LDR_KERNEL_INL_H_
#undef TESSERA_ASTC_LDR_KERNEL_INL_H_
#else
#define TESSERA_ASTC_LDR_KERNEL_INL_H_
#endif

#include <cstdint>

#include "astc/decode/ldr_block.h"
#include "spmd/texels-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

namespace lanes = tessera::TESSERA_TARGET;

// `sum` is 64 times an 8-bit channel. sRGB expands endpoints v to 256·v + 128, interpolates, and
// takes the top byte: that is the sum, rounded.
struct RoundSrgb {
  TESSERA_INLINE lanes::TexelU16 operator()(lanes::TexelI16 sum) const {
    return lanes::as_u16(lanes::shift_right_arithmetic<6>(sum + lanes::all_texels_i16(32)));
  }
};

// Linear textures expand endpoints v to 257·v: the 16-bit result is (257·sum + 32) / 64 =
// 4·sum + (sum + 32) / 64. decode_unorm8 takes the top byte of that.
struct RoundUnorm8 {
  TESSERA_INLINE lanes::TexelU16 operator()(lanes::TexelI16 sum) const {
    using lanes::TexelI16;
    const TexelI16 step = lanes::shift_right_arithmetic<6>(sum + lanes::all_texels_i16(32));
    const TexelI16 wide = lanes::shift_left<2>(sum) + step;
    return lanes::shift_right_logical<8>(lanes::as_u16(wide));
  }
};

// Without decode_unorm8 the same 16-bit result is cut to the 11 significant bits of a half float,
// and times 255/65536 rounded to 8 bits. The test against the plain decoder goes through all sums.
struct RoundFloat16 {
  TESSERA_INLINE lanes::TexelU16 operator()(lanes::TexelI16 sum) const {
    using lanes::TexelI16;
    using lanes::TexelU16;
    const TexelI16 step = lanes::shift_right_arithmetic<6>(sum + lanes::all_texels_i16(32));
    const TexelI16 wide = lanes::shift_left<2>(sum) + step;
    // Half of the 16 bits: from 2048 on the lowest bit is cut anyway, below (sums under 510) round
    // up.
    const TexelI16 small = lanes::minus_one_where_less(sum, lanes::all_texels_i16(510));
    const TexelU16 half = lanes::shift_right_logical<1>(lanes::as_u16(wide - small));
    // Bits to cut, by the highest four bits: 1 in 2048…4095 (of half), 2 to 8191, and so on.
    alignas(16) static constexpr uint8_t kCut[16] = {0,  1,  3,  3,  7,  7,  7,  7,
                                                     15, 15, 15, 15, 15, 15, 15, 15};
    const TexelU16 top = lanes::shift_right_logical<11>(half);
    const TexelU16 cut = lanes::without_bits(half, lanes::look_up_bytes(kCut, top));
    // 2·cut·255/65536 rounded is (2·cut − ⌈2·cut/256⌉ + 128) / 256.
    const TexelU16 part = lanes::shift_right_logical<7>(cut + lanes::all_texels_u16(127));
    const TexelU16 twice = cut + cut + lanes::all_texels_u16(128);
    return lanes::shift_right_logical<8>(twice - part);
  }
};

// Start and slope of one channel: one number for the block, or a table by partition.
class OnePartition {
 public:
  TESSERA_INLINE OnePartition(const LdrColors& colors, const uint8_t* /*pattern*/)
      : colors_(colors) {}

  TESSERA_INLINE void load_texels(unsigned /*first*/) {}
  TESSERA_INLINE lanes::TexelI16 low64(unsigned channel) const {
    return lanes::all_texels_i16(colors_.low64[0][channel]);
  }
  TESSERA_INLINE lanes::TexelI16 slope(unsigned channel) const {
    return lanes::all_texels_i16(colors_.slope[0][channel]);
  }

 private:
  const LdrColors& colors_;
};

class ManyPartitions {
 public:
  TESSERA_INLINE ManyPartitions(const LdrColors& colors, const uint8_t* pattern)
      : pattern_(pattern), entries_(lanes::word_index(lanes::all_texels_u16(0))) {
    for (unsigned channel = 0; channel < 4; ++channel) {
      for (unsigned partition = 0; partition < kMaxPartitions; ++partition) {
        low64_[channel][partition] = colors.low64[partition][channel];
        slope_[channel][partition] = colors.slope[partition][channel];
      }
    }
  }

  TESSERA_INLINE void load_texels(unsigned first) {
    entries_ = lanes::word_index(lanes::load_texel_bytes_u16(pattern_ + first));
  }
  TESSERA_INLINE lanes::TexelI16 low64(unsigned channel) const {
    return lanes::look_up_words(low64_[channel], entries_);
  }
  TESSERA_INLINE lanes::TexelI16 slope(unsigned channel) const {
    return lanes::look_up_words(slope_[channel], entries_);
  }

 private:
  using Table = int16_t[8];  // 16 bytes; half of it is used

  const uint8_t* pattern_;
  lanes::WordIndex entries_;
  alignas(16) Table low64_[4] = {};
  alignas(16) Table slope_[4] = {};
};

// All texels of a block to RGBA. `channel_weights[c]` are the texels' weights for channel c;
// `pattern` gives partitions where there are several. Whole vectors are read and written.
template <typename Partitions, typename Round>
TESSERA_INLINE void interpolate_texels(const LdrColors& colors,
                                       const std::array<const uint8_t*, 4>& channel_weights,
                                       const uint8_t* pattern, unsigned texel_count,
                                       const Round& round, uint8_t* TESSERA_RESTRICT rgba) {
  using lanes::TexelI16;
  using lanes::TexelU16;
  Partitions partitions(colors, pattern);
  const unsigned step = static_cast<unsigned>(lanes::texel_count());
  for (unsigned i = 0; i < texel_count; i += step) {
    partitions.load_texels(i);
    const auto channel = [&](unsigned c) TESSERA_LAMBDA {
      const TexelI16 weight = lanes::load_texel_bytes_i16(channel_weights[c] + i);
      return round(partitions.low64(c) + partitions.slope(c) * weight);
    };
    const TexelU16 alpha = colors.is_opaque ? lanes::all_texels_u16(255) : channel(3);
    const TexelU16 red_green = channel(0) | lanes::shift_left<8>(channel(1));
    const TexelU16 blue_alpha = channel(2) | lanes::shift_left<8>(alpha);
    lanes::store_texels(red_green, blue_alpha, rgba + 4 * i);
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_LDR_KERNEL_INL_H_
