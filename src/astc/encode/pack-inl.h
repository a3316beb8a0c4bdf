// Stage 6: the 128 bits of up to lane_count() blocks of the same mode, one block per lane. As the
// mode is the same, every field has its place, and a field of all blocks is put there with one
// shift.
#if defined(TESSERA_ASTC_PACK_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_PACK_INL_H_
#undef TESSERA_ASTC_PACK_INL_H_
#else
#define TESSERA_ASTC_PACK_INL_H_
#endif

#include <algorithm>

#include "astc/encode/block_texels-inl.h"
#include "astc/encode/encode_tables.h"
#include "astc/encode/round_weights-inl.h"
#include "astc/format/block128.h"
#include "astc/format/block_layout.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Stored integers, taken apart: `digit` is the trit or quint above `plain`
// bits.
struct StoredValue {
  I32 plain, digit;
};

// The 128 bits of each lane's block, lowest word first.
class BlockBits {
 public:
  TESSERA_INLINE BlockBits() {
    for (I32& word : words_) {
      word = all_lanes(0);
    }
  }

  // ORs the value in at the given bit; it has no more than `length` (at most
  // 31) bits.
  TESSERA_INLINE void put(unsigned first, I32 value, unsigned length) {
    const unsigned word = first / 32, shift = first % 32;
    if constexpr (kHasFixedSize) {  // no index that is known late, so that words stay in registers
      const I32 low = lanes::shift_left(value, static_cast<int>(shift));
      const I32 high = shift == 0 ? all_lanes(0)
                                  : lanes::shift_right_logical(value, static_cast<int>(32 - shift));
      TESSERA_UNROLL
      for (unsigned i = 0; i < 4; ++i) {
        words_[i] =
            words_[i] | (i == word ? low : all_lanes(0)) | (i == word + 1 ? high : all_lanes(0));
      }
      return;
    }
    words_[word] = words_[word] | lanes::shift_left(value, static_cast<int>(shift));
    if (shift + length > 32) {
      words_[word + 1] =
          words_[word + 1] | lanes::shift_right_logical(value, static_cast<int>(32 - shift));
    }
  }

  // Bit 127 becomes bit 0.
  TESSERA_INLINE void reverse() {
    for (unsigned i = 0; i < 2; ++i) {
      const I32 low = reversed(words_[i]);
      words_[i] = reversed(words_[3 - i]);
      words_[3 - i] = low;
    }
  }

  TESSERA_INLINE I32 word(unsigned i) const { return words_[i]; }

 private:
  template <int kShift>
  static TESSERA_INLINE I32 swapped(I32 v, int32_t mask) {
    return (lanes::shift_right_logical<kShift>(v) & all_lanes(mask)) |
           lanes::shift_left<kShift>(v & all_lanes(mask));
  }
  static TESSERA_INLINE I32 reversed(I32 v) {
    v = swapped<1>(v, 0x55555555);
    v = swapped<2>(v, 0x33333333);
    v = swapped<4>(v, 0x0F0F0F0F);
    v = swapped<8>(v, 0x00FF00FF);
    return lanes::shift_right_logical<16>(v) | lanes::shift_left<16>(v);
  }

  I32 words_[5];  // the last catches nothing but zeros
};

// A group's shared code is stored in pieces after the plain bits of each value: `lengths` has four
// bits for the length of each piece, the first one lowest. The code is that of a number with digits
// of this base, the first one lowest.
struct DigitPieces {
  unsigned lengths;
  int32_t base;

  TESSERA_INLINE unsigned length(unsigned i) const { return lengths >> (4 * i) & 15u; }
};
TESSERA_INLINE DigitPieces digit_pieces(Digit digit) {
  return digit == Digit::kTrit ? DigitPieces{0x12122, 3} : DigitPieces{0x223, 5};
}

// One group of trits or quints; `count` values of it exist. Returns the bit
// behind it, which is too far for a shortened group (its missing pieces are
// zeros and lie where nothing else does, or where other fields are put by OR).
template <unsigned kMost>
TESSERA_INLINE unsigned pack_group(const StoredValue* values, unsigned count, unsigned bits,
                                   const DigitPieces& pieces, const int32_t* codes, unsigned first,
                                   BlockBits& block) {
  I32 index = all_lanes(0), place_value = all_lanes(1);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kMost && i < count; ++i) {
    index = index + values[i].digit * place_value;
    place_value = place_value * all_lanes(pieces.base);
  }
  I32 code = lanes::gather(codes, index);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kMost && i < count; ++i) {
    const unsigned length = pieces.length(i);
    const I32 piece = code & all_lanes((1 << length) - 1);
    code = lanes::shift_right_logical(code, static_cast<int>(length));
    block.put(first, values[i].plain | lanes::shift_left(piece, static_cast<int>(bits)),
              bits + length);
    first += bits + length;
  }
  return first;
}

// Groups of kValues trits or quints; `count` values exist, at most kMost.
template <unsigned kMost, unsigned kValues>
TESSERA_INLINE void pack_groups(const StoredValue* values, unsigned count, unsigned bits,
                                const DigitPieces& pieces, const int32_t* codes, unsigned first,
                                BlockBits& block) {
  TESSERA_UNROLL
  for (unsigned i = 0; i < kMost && i < count; i += kValues) {
    first = pack_group<kValues>(values + i, std::min(count - i, kValues + 0u), bits, pieces, codes,
                                first, block);
  }
}

// A run of values, at most kMost, of one range from bit `first` on.
template <unsigned kMost>
TESSERA_NOINLINE void pack_sequence(const DigitCodeTables& digits, const StoredValue* values,
                                    unsigned count, const RangeInfo& info, unsigned first,
                                    BlockBits& block) {
  const DigitPieces pieces = digit_pieces(info.digit);
  switch (info.digit) {
    case Digit::kNone:
      TESSERA_UNROLL
      for (unsigned i = 0; i < kMost && i < count; ++i, first += info.bits) {
        block.put(first, values[i].plain, info.bits);
      }
      return;
    case Digit::kTrit:
      return pack_groups<kMost, 5>(values, count, info.bits, pieces, digits.trits.data(), first,
                                   block);
    case Digit::kQuint:
      return pack_groups<kMost, 3>(values, count, info.bits, pieces, digits.quints.data(), first,
                                   block);
  }
}

// How the levels of a range are numbered. Ranges of plain bits, and those of
// one trit or quint alone, count upwards. In the others the lowest bit tells
// the half, and in each half the digit counts fastest, the bits above the
// lowest slower.
class WeightCoder {
 public:
  TESSERA_INLINE explicit WeightCoder(const RangeInfo& info)
      : top_(static_cast<float>(info.levels - 1)), info_(info) {}

  TESSERA_INLINE StoredValue code(const FoldedWeight& weight) const {
    if (info_.digit == Digit::kNone || info_.bits == 0) {
      const I32 rank = lanes::truncate_to_i32(
          lanes::select(weight.above, all_lanes_f32(top_) - weight.level, weight.level));
      const I32 zero = all_lanes(0);
      return info_.bits == 0 ? StoredValue{zero, rank} : StoredValue{rank, zero};
    }
    const float digits = info_.digit == Digit::kTrit ? 3.0F : 5.0F;
    const I32 high_bits =
        lanes::truncate_to_i32((weight.level + all_lanes_f32(0.5F)) * all_lanes_f32(1.0F / digits));
    const F32 digit = weight.level - lanes::to_f32(high_bits) * all_lanes_f32(digits);
    // A true mask is −1.
    return {lanes::shift_left<1>(high_bits) - lanes::as_bits(weight.above),
            lanes::truncate_to_i32(digit)};
  }

 private:
  float top_;
  RangeInfo info_;
};

// Weights of a block in lanes.
inline constexpr unsigned kLaneWeights =
    2 * kLaneTexels < kMaxWeights ? 2 * kLaneTexels : kMaxWeights;

// A fitted block's values in stored order; the weights of two planes alternate.
struct FitResult {
  F32 weights[kLaneWeights];  // as the decoder sees them, 0…64
  I32 colors[kMaxColorValues];
  F32 error;        // where it was asked for
  I32 mode_fields;  // the endpoint modes as they are stored
};

// Lanes whose blocks are of another mode get nonsense. kWeights and kColors: at most so many.
template <unsigned kWeights = kLaneWeights, unsigned kColors = kMaxColorValues>
TESSERA_NOINLINE BlockBits pack_blocks(const EncodeTables& tables, const FitResult& fit,
                                       const Family& family, const Candidate& candidate,
                                       unsigned weight_count, I32 plane2_channel, I32 seed) {
  StoredValue weights[kWeights], colors[kColors];
  const LaneLevels levels = lane_levels(tables.weight_levels[range_index(candidate.weight_range)]);
  const RangeInfo& weight_info = tables.range_info(candidate.weight_range);
  const WeightCoder coder(weight_info);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kWeights && i < weight_count; ++i) {
    weights[i] = coder.code(fold_and_round(fit.weights[i], levels));
  }
  const RangeInfo& color_info = tables.range_info(candidate.color_range);
  const I32 plain = all_lanes((1 << color_info.bits) - 1);
  // Codes of other lanes' ranges must not lead beyond the table of digits.
  const I32 last_digit = all_lanes(color_info.digit == Digit::kQuint ? 4 : 2);
  TESSERA_UNROLL
  for (unsigned i = 0; i < kColors && i < family.color_values(); ++i) {
    const I32 digit = lanes::shift_right_logical(fit.colors[i], static_cast<int>(color_info.bits));
    colors[i] = {fit.colors[i] & plain, lanes::min(digit, last_digit)};
  }
  BlockBits block;
  pack_sequence<kWeights>(tables.digits, weights, weight_count, weight_info, 0, block);
  block.reverse();
  const unsigned head = candidate.mode_bits | ((family.partitions - 1u) << kPartitionCountBit);
  const unsigned extra = extra_mode_bit_count(family.partitions, family.mixes_modes());
  const unsigned below_weights = kBlockBits - candidate.weight_bit_count;
  if (family.partitions == 1) {
    block.put(0, all_lanes(static_cast<int32_t>(head)), kSingleModeBit);
    block.put(kSingleModeBit, fit.mode_fields, 4);
  } else {
    block.put(0, all_lanes(static_cast<int32_t>(head | family.mode_selector() << kModeSelectorBit)),
              kPartitionModesBit);
    block.put(kSeedBit, seed, kSeedBits);
    block.put(kPartitionModesBit, fit.mode_fields & all_lanes((1 << kPartitionModesBits) - 1),
              kPartitionModesBits);
    if (extra > 0) {
      block.put(below_weights - extra,
                lanes::shift_right_logical(fit.mode_fields, int{kPartitionModesBits}), extra);
    }
  }
  if (family.dual_plane) {
    block.put(below_weights - extra - 2u, plane2_channel, 2);
  }
  pack_sequence<kColors>(tables.digits, colors, family.color_values(), color_info,
                         first_color_bit(family.partitions), block);
  return block;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_PACK_INL_H_
