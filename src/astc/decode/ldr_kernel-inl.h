// The vector stages of the LDR decoder: weights of the grid, weights of the texels, colours. One
// lane is one texel; each channel is computed on its own and joined to RGBA in the end.
//
// (Not one lane a block, as in the encoders: neighbouring blocks hardly ever share a block mode.)
//
// Include inside a file that is compiled once a target (hwy/foreach_target.h).
#if defined(TESSERA_ASTC_LDR_KERNEL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_LDR_KERNEL_INL_H_
#undef TESSERA_ASTC_LDR_KERNEL_INL_H_
#else
#define TESSERA_ASTC_LDR_KERNEL_INL_H_
#endif

#include <cstdint>
#include <span>

#include "astc/decode/infill_rows.h"
#include "astc/decode/ldr_block.h"
#include "astc/format/infill.h"
#include "astc/format/quantization.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most 32 texels at once, which the padding of all buffers is made for.
using TagU16 = hn::CappedTag<uint16_t, 32>;
using TagI16 = hn::RebindToSigned<TagU16>;
using TagBytes = hn::Repartition<uint8_t, TagU16>;
using TagHalfBytes = hn::Rebind<uint8_t, TagU16>;
using Tag16Bytes = hn::FixedTag<uint8_t, 16>;
using Tag8Words = hn::FixedTag<uint16_t, 8>;
using VecU16 = hn::Vec<TagU16>;
using VecI16 = hn::Vec<TagI16>;

// Buffers are read and written in whole vectors: up to this much past what is used.
inline constexpr size_t kPadding = 64;
inline constexpr size_t kGridBuffer = kMaxWeights + kPadding;
inline constexpr size_t kTexelBuffer = kMaxBlockTexels + kPadding;

// Codes to weights of 0…64 in place, 16 at a time; up to 15 bytes more than `count` are changed.
HWY_INLINE void unquantize_weights(IntegerRange range, unsigned count, uint8_t* weights) {
  const Tag16Bytes d;
  const uint8_t* table = weight_table(range).value_of_code.data();
  const auto first = hn::LoadU(d, table);
  const auto second = hn::LoadU(d, table + 16);
  const auto fifteen = hn::Set(d, uint8_t{15});
  const bool is_long = range_levels(range) > 16;
  for (unsigned i = 0; i < count; i += 16) {
    const auto code = hn::Load(d, weights + i);
    auto weight = hn::TableLookupBytes(first, hn::And(code, fifteen));
    if (is_long) {
      const auto high = hn::TableLookupBytes(second, hn::And(code, fifteen));
      weight = hn::IfThenElse(hn::Gt(code, fifteen), high, weight);
    }
    hn::Store(weight, d, weights + i);
  }
}

// Takes alternating planes apart; `count` weights each, up to 15 bytes more are written.
HWY_INLINE void split_planes(const uint8_t* HWY_RESTRICT weights, unsigned count,
                             uint8_t* HWY_RESTRICT plane0, uint8_t* HWY_RESTRICT plane1) {
  const Tag16Bytes d;
  for (unsigned i = 0; i < count; i += 16) {
    hn::Vec<Tag16Bytes> v0;
    hn::Vec<Tag16Bytes> v1;
    hn::LoadInterleaved2(d, weights + 2 * i, v0, v1);
    hn::Store(v0, d, plane0 + i);
    hn::Store(v1, d, plane1 + i);
  }
}

// Grid to texels in 2D. Writes up to 7 bytes past the last texel.
HWY_INLINE void infill_2d(const InfillGrid& grid, BlockSize size,
                          const uint8_t* HWY_RESTRICT weights, uint8_t* HWY_RESTRICT texels) {
  const Tag16Bytes d8;
  const Tag8Words d16;
  const hn::Rebind<uint8_t, Tag8Words> d_out;
  const auto eight = hn::Set(d16, uint16_t{8});
  const InfillFactors* factors = grid.factors.data();
  for (unsigned y = 0; y < size.y; ++y) {
    const auto upper = hn::LoadU(d8, weights + grid.upper_row[y]);
    const auto lower = hn::LoadU(d8, weights + grid.lower_row[y]);
    for (unsigned group = 0; group < grid.groups; ++group, ++factors) {
      const auto left = hn::Load(d8, grid.columns[group].left.data());
      const auto right = hn::Load(d8, grid.columns[group].right.data());
      const auto product = [&](auto row, auto columns, const std::array<uint16_t, 8>& factor) {
        const auto weight = hn::BitCast(d16, hn::TableLookupBytesOr0(row, columns));
        return hn::Mul(weight, hn::Load(d16, factor.data()));
      };
      const auto above = hn::Add(product(upper, left, factors->upper_left),
                                 product(upper, right, factors->upper_right));
      const auto below = hn::Add(product(lower, left, factors->lower_left),
                                 product(lower, right, factors->lower_right));
      const auto sum = hn::Add(hn::Add(above, below), eight);
      const auto weight = hn::BitCast(hn::RebindToSigned<Tag8Words>(), hn::ShiftRight<4>(sum));
      hn::StoreU(hn::DemoteTo(d_out, weight), d_out, texels + y * size.x + group * 8);
    }
  }
}

// Grid to texels by general taps; for 3D.
inline void infill_by_taps(std::span<const InfillTap> taps, const uint8_t* weights,
                           uint8_t* texels) {
  for (size_t i = 0; i < taps.size(); ++i) {
    unsigned sum = 8;
    for (unsigned k = 0; k < 4; ++k) {
      sum += unsigned{taps[i].factor[k]} * weights[taps[i].grid[k]];
    }
    texels[i] = static_cast<uint8_t>(sum >> 4);
  }
}

// `sum` is 64 times an 8-bit channel. sRGB expands endpoints v to 256·v + 128, interpolates, and
// takes the top byte: that is the sum, rounded.
struct RoundSrgb {
  HWY_INLINE VecU16 operator()(VecI16 sum) const {
    const TagI16 d;
    const VecI16 rounded = hn::ShiftRight<6>(hn::Add(sum, hn::Set(d, int16_t{32})));
    return hn::BitCast(TagU16(), rounded);
  }
};

// Linear textures expand endpoints v to 257·v: the 16-bit result is (257·sum + 32) / 64 =
// 4·sum + (sum + 32) / 64. decode_unorm8 takes the top byte of that.
struct RoundUnorm8 {
  HWY_INLINE VecU16 operator()(VecI16 sum) const {
    const TagI16 d;
    const VecI16 step = hn::ShiftRight<6>(hn::Add(sum, hn::Set(d, int16_t{32})));
    const VecI16 wide = hn::Add(hn::ShiftLeft<2>(sum), step);
    return hn::ShiftRight<8>(hn::BitCast(TagU16(), wide));
  }
};

// Without decode_unorm8 the same 16-bit result is cut to the 11 significant bits of a half float,
// and times 255/65536 rounded to 8 bits. The test against the plain decoder goes through all sums.
struct RoundFloat16 {
  HWY_INLINE VecU16 operator()(VecI16 sum) const {
    const TagI16 d;
    const TagU16 du;
    const VecI16 step = hn::ShiftRight<6>(hn::Add(sum, hn::Set(d, int16_t{32})));
    const VecI16 wide = hn::Add(hn::ShiftLeft<2>(sum), step);
    // Half of the 16 bits: from 2048 on the lowest bit is cut anyway, below (sums under 510) round
    // up.
    const VecI16 small = hn::VecFromMask(d, hn::Lt(sum, hn::Set(d, int16_t{510})));
    const VecU16 half = hn::ShiftRight<1>(hn::BitCast(du, hn::Sub(wide, small)));
    // Bits to cut, by the highest four bits: 1 in 2048…4095 (of half), 2 to 8191, and so on.
    alignas(16) static constexpr uint8_t kCut[16] = {0,  1,  3,  3,  7,  7,  7,  7,
                                                     15, 15, 15, 15, 15, 15, 15, 15};
    const auto cut_table = hn::LoadDup128(TagBytes(), kCut);
    const auto top = hn::BitCast(TagBytes(), hn::ShiftRight<11>(half));
    const VecU16 cut = hn::AndNot(hn::BitCast(du, hn::TableLookupBytes(cut_table, top)), half);
    // 2·cut·255/65536 rounded is (2·cut − ⌈2·cut/256⌉ + 128) / 256.
    const VecU16 part = hn::ShiftRight<7>(hn::Add(cut, hn::Set(du, uint16_t{127})));
    const VecU16 twice = hn::Add(hn::Add(cut, cut), hn::Set(du, uint16_t{128}));
    return hn::ShiftRight<8>(hn::Sub(twice, part));
  }
};

// Start and slope of one channel: one number for the block, or a table by partition.
class OnePartition {
 public:
  HWY_INLINE OnePartition(const LdrColors& colors, const uint8_t* /*pattern*/) : colors_(colors) {}

  HWY_INLINE void load_texels(unsigned /*first*/) {}
  HWY_INLINE VecI16 low64(unsigned channel) const {
    return hn::Set(TagI16(), colors_.low64[0][channel]);
  }
  HWY_INLINE VecI16 slope(unsigned channel) const {
    return hn::Set(TagI16(), colors_.slope[0][channel]);
  }

 private:
  const LdrColors& colors_;
};

class ManyPartitions {
 public:
  HWY_INLINE ManyPartitions(const LdrColors& colors, const uint8_t* pattern)
      : pattern_(pattern), positions_(hn::Zero(TagBytes())) {
    for (unsigned channel = 0; channel < 4; ++channel) {
      for (unsigned partition = 0; partition < kMaxPartitions; ++partition) {
        low64_[channel][partition] = colors.low64[partition][channel];
        slope_[channel][partition] = colors.slope[partition][channel];
      }
    }
  }

  // Partition p becomes the byte positions 2p and 2p + 1 of its 16-bit entry in a table.
  HWY_INLINE void load_texels(unsigned first) {
    const TagU16 d;
    const VecU16 p = hn::PromoteTo(d, hn::LoadU(TagHalfBytes(), pattern_ + first));
    const VecU16 twice = hn::Mul(p, hn::Set(d, uint16_t{0x0202}));
    positions_ = hn::BitCast(TagBytes(), hn::Add(twice, hn::Set(d, uint16_t{0x0100})));
  }
  HWY_INLINE VecI16 low64(unsigned channel) const { return look_up(low64_[channel]); }
  HWY_INLINE VecI16 slope(unsigned channel) const { return look_up(slope_[channel]); }

 private:
  using Table = int16_t[8];  // 16 bytes; half of it is used

  HWY_INLINE VecI16 look_up(const Table& table) const {
    const auto bytes = hn::LoadDup128(TagBytes(), reinterpret_cast<const uint8_t*>(table));
    return hn::BitCast(TagI16(), hn::TableLookupBytes(bytes, positions_));
  }

  const uint8_t* pattern_;
  hn::Vec<TagBytes> positions_;
  alignas(16) Table low64_[4] = {};
  alignas(16) Table slope_[4] = {};
};

// All texels of a block to RGBA. `channel_weights[c]` are the texels' weights for channel c;
// `pattern` gives partitions where there are several. Whole vectors are read and written.
template <typename Partitions, typename Round>
HWY_INLINE void interpolate_texels(const LdrColors& colors,
                                   const std::array<const uint8_t*, 4>& channel_weights,
                                   const uint8_t* pattern, unsigned texel_count, const Round& round,
                                   uint8_t* HWY_RESTRICT rgba) {
  const TagU16 d;
  const TagI16 di;
  Partitions partitions(colors, pattern);
  const unsigned lanes = static_cast<unsigned>(hn::Lanes(d));
  for (unsigned i = 0; i < texel_count; i += lanes) {
    partitions.load_texels(i);
    const auto channel = [&](unsigned c) {
      const VecI16 weight = hn::PromoteTo(di, hn::LoadU(TagHalfBytes(), channel_weights[c] + i));
      return round(hn::Add(partitions.low64(c), hn::Mul(partitions.slope(c), weight)));
    };
    const VecU16 alpha = colors.is_opaque ? hn::Set(d, uint16_t{255}) : channel(3);
    const VecU16 red_green = hn::Or(channel(0), hn::ShiftLeft<8>(channel(1)));
    const VecU16 blue_alpha = hn::Or(channel(2), hn::ShiftLeft<8>(alpha));
    hn::StoreInterleaved2(red_green, blue_alpha, d, reinterpret_cast<uint16_t*>(rgba + 4 * i));
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_LDR_KERNEL_INL_H_
