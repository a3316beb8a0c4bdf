// Stage 6: the 128 bits of up to lane_count() blocks of the same mode, one block per lane. As the
// mode is the same, every field has its place, and a field of all blocks is put there with one
// shift.
#if defined(TESSERA_ASTC_PACK_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_PACK_INL_H_
#undef TESSERA_ASTC_PACK_INL_H_
#else
#define TESSERA_ASTC_PACK_INL_H_
#endif

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

  // ORs bits into a word.
  TESSERA_INLINE void add(unsigned word, I32 bits) {
    if constexpr (kHasFixedSize) {  // no index that is known late, so that words stay in registers
      TESSERA_UNROLL
      for (unsigned i = 0; i < 4; ++i) {
        words_[i] = words_[i] | (i == word ? bits : all_lanes(0));
      }
    } else {
      words_[word] = words_[word] | bits;
    }
  }

  // ORs the value in at the given bit; it has no more than `length` (at most
  // 31) bits.
  TESSERA_INLINE void put(unsigned first, I32 value, unsigned length) {
    const unsigned word = first / 32, shift = first % 32;
    add(word, lanes::shift_left(value, static_cast<int>(shift)));
    if (shift + length > 32) {
      add(word + 1, lanes::shift_right_logical(value, static_cast<int>(32 - shift)));
    }
  }

  // Bit 127 becomes bit 0.
  TESSERA_INLINE void reverse() {
    for (unsigned i = 0; i < 2; ++i) {
      const I32 low = lanes::reverse_bits(words_[i]);
      words_[i] = lanes::reverse_bits(words_[3 - i]);
      words_[3 - i] = low;
    }
  }

  TESSERA_INLINE I32 word(unsigned i) const { return words_[i]; }

 private:
  I32 words_[5];  // the last catches nothing but zeros
};

// Puts values one behind the other; a word of the block is touched once.
class BitRun {
 public:
  TESSERA_INLINE BitRun(unsigned first, BlockBits& block)
      : block_(block), word_(first / 32), shift_(first % 32), bits_(all_lanes(0)) {}
  TESSERA_INLINE ~BitRun() { block_.add(word_, bits_); }
  BitRun(const BitRun&) = delete;
  BitRun& operator=(const BitRun&) = delete;

  // The value has no more than `length` (1 to 32) bits.
  TESSERA_INLINE void put(I32 value, unsigned length) {
    bits_ = bits_ | lanes::shift_left(value, static_cast<int>(shift_));
    shift_ += length;
    if (shift_ >= 32) {
      block_.add(word_++, bits_);
      shift_ -= 32;
      // 1 to 32 bits of it are in that word, and no shift is by 32.
      bits_ = lanes::shift_right_logical(lanes::shift_right_logical<1>(value),
                                         static_cast<int>(length - shift_ - 1));
    }
  }

 private:
  BlockBits& block_;
  unsigned word_, shift_;
  I32 bits_;  // of the word so far
};

// Values of a range with trits or quints are stored in groups. The digits of a group are those of a
// number of base 3 or 5, the first one lowest, and what is stored is a code of that number, in
// pieces after the plain bits of each value: `kLengths` has four bits for the length of each piece,
// the first one lowest. Without digits, a group is so many values as 32 bits always hold.
template <Digit kDigit>
struct DigitGroup {
  static constexpr bool kHasDigits = kDigit != Digit::kNone;
  static constexpr unsigned kValues = kDigit == Digit::kTrit ? 5 : kHasDigits ? 3 : 4;
  static constexpr unsigned kLengths = kDigit == Digit::kTrit    ? 0x12122
                                       : kDigit == Digit::kQuint ? 0x223
                                                                 : 0;
  // So many values of a group are put at once. Five with trits may have more than 32 bits.
  static constexpr unsigned kPart = kHasDigits ? 3 : kValues;

  static constexpr unsigned length(unsigned i) { return kLengths >> (4 * i) & 15u; }
  // Of the pieces of the values `begin` to `end`.
  static constexpr unsigned length(unsigned begin, unsigned end) {
    unsigned sum = 0;
    for (unsigned i = begin; i < end; ++i) {
      sum += length(i);
    }
    return sum;
  }
  static TESSERA_INLINE I32 times_base(I32 v) {
    return v + (kDigit == Digit::kTrit ? lanes::shift_left<1>(v) : lanes::shift_left<2>(v));
  }
};

// So many zeros follow the values, so that every group is whole: to pack zeros is quicker than to
// test for the end. Code for one block size unrolls its loops, and tests.
inline constexpr unsigned kSpareValues = kHasFixedSize ? 0 : 4;

// Puts groups of values. What their loops would do is written as recursion, since the place of each
// value in its group must be known to the compiler, also where it is not asked to unroll loops.
template <Digit kDigit>
class GroupPacker {
 public:
  using Group = DigitGroup<kDigit>;

  TESSERA_INLINE GroupPacker(unsigned bits, const int32_t* codes)
      : bits_(bits),
        codes_(codes),
        past_{LeftShift(bits), LeftShift(bits + 1), LeftShift(bits + 2), LeftShift(bits + 3)} {}

  // The first `count` values of a group, or all of them: their plain bits, and after each its piece
  // of the group's code.
  TESSERA_INLINE void put(const StoredValue* values, unsigned count, BitRun& run) const {
    I32 code = all_lanes(0);
    if constexpr (Group::kHasDigits) {  // as far to the left as its pieces lie in values
      code = past_[0](lanes::gather(codes_, digits_from<0>(values, count)));
    }
    put_part<0, Group::kPart>(values, count, code, run);
    if constexpr (Group::kPart < Group::kValues) {
      put_part<Group::kPart, Group::kValues>(values, count, code, run);
    }
  }

 private:
  static TESSERA_INLINE bool is_there(unsigned i, unsigned count) {
    return !kHasFixedSize || i < count;
  }

  // The number of the digits from value i on.
  template <unsigned i>
  TESSERA_INLINE I32 digits_from(const StoredValue* values, unsigned count) const {
    if constexpr (i + 1 == Group::kValues) {
      return is_there(i, count) ? values[i].digit : all_lanes(0);
    } else {
      const I32 later = Group::times_base(digits_from<i + 1>(values, count));
      return is_there(i, count) ? later + values[i].digit : later;
    }
  }

  template <unsigned kBegin, unsigned kEnd>
  TESSERA_INLINE void put_part(const StoredValue* values, unsigned count, I32 code,
                               BitRun& run) const {
    if (is_there(kBegin, count)) {
      run.put(joined_from<kBegin, kEnd>(values, count, code),
              (kEnd - kBegin) * bits_ + Group::length(kBegin, kEnd));
    }
  }

  // The values from i on, one behind the other.
  template <unsigned i, unsigned kEnd>
  TESSERA_INLINE I32 joined_from(const StoredValue* values, unsigned count, I32 code) const {
    I32 later = all_lanes(0);
    if constexpr (i + 1 < kEnd) {
      later = past_[Group::length(i)](joined_from<i + 1, kEnd>(values, count, code));
    }
    return is_there(i, count) ? later | values[i].plain | piece<i>(code) : later;
  }

  template <unsigned i>
  TESSERA_INLINE I32 piece(I32 code) const {
    if constexpr (!Group::kHasDigits) {
      return code;
    } else {
      constexpr int kMask = (1 << Group::length(i)) - 1;
      constexpr int kBefore = static_cast<int>(Group::length(0, i));
      return lanes::shift_right_logical<kBefore>(code) & all_lanes(kMask << bits_);
    }
  }

  unsigned bits_;
  const int32_t* codes_;
  LeftShift past_[4];  // a value whose piece has so many bits
};

// `count` values, at most kMost, and zeros behind them. Pieces of a code that are missing in a
// shortened group are zeros; they lie where nothing else does, or where other fields are put by OR.
template <unsigned kMost, Digit kDigit>
TESSERA_INLINE void pack_groups(const StoredValue* values, unsigned count, unsigned bits,
                                const int32_t* codes, unsigned first, BlockBits& block) {
  const GroupPacker<kDigit> packer(bits, codes);
  BitRun run(first, block);
  const unsigned end = count < kMost ? count : kMost;
  TESSERA_UNROLL
  for (unsigned group = 0; group < kMost && group < end; group += DigitGroup<kDigit>::kValues) {
    packer.put(values + group, end - group, run);
  }
}

// A run of values, at most kMost, of one range from bit `first` on; kSpareValues zeros are behind
// them.
template <unsigned kMost>
TESSERA_NOINLINE void pack_sequence(const DigitCodeTables& digits, const StoredValue* values,
                                    unsigned count, const RangeInfo& info, unsigned first,
                                    BlockBits& block) {
  switch (info.digit) {
    case Digit::kNone:
      return pack_groups<kMost, Digit::kNone>(values, count, info.bits, nullptr, first, block);
    case Digit::kTrit:
      return pack_groups<kMost, Digit::kTrit>(values, count, info.bits, digits.trits.data(), first,
                                              block);
    case Digit::kQuint:
      return pack_groups<kMost, Digit::kQuint>(values, count, info.bits, digits.quints.data(),
                                               first, block);
  }
}

TESSERA_INLINE void add_spare_values(StoredValue* values) {
  for (unsigned i = 0; i != kSpareValues; ++i) {
    values[i] = {all_lanes(0), all_lanes(0)};
  }
}

// `weight` is one that a decoder sees in the range of `levels`, so that it lies close to its level.
TESSERA_INLINE StoredValue stored_weight(F32 weight, const LaneLevels& levels,
                                         const WeightCodes& codes) {
  const I32 above = lanes::as_bits(weight > all_lanes_f32(32));
  const F32 folded = lanes::min(weight, all_lanes_f32(64) - weight);
  // Sums with this are whole numbers in the lowest bits of a float.
  const F32 whole = all_lanes_f32(12582912.0F);  // 1.5 · 2^23
  const I32 level = lanes::float_bits(folded * levels.per_step + whole) & all_lanes(15);
  const I32 index = level ^ (above & all_lanes(codes.flipped_index));
  const I32 entry = lanes::look_up(codes.entries.data(), index);
  return {(entry & all_lanes(15)) ^ (above & all_lanes(codes.flipped_plain)),
          lanes::shift_right_logical<4>(entry)};
}

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
  StoredValue weights[kWeights + kSpareValues], colors[kColors + kSpareValues];
  const LaneLevels levels = lane_levels(tables.weight_levels[range_index(candidate.weight_range)]);
  const RangeInfo& weight_info = tables.range_info(candidate.weight_range);
  const WeightCodes& codes = tables.weight_codes[range_index(candidate.weight_range)];
  TESSERA_UNROLL
  for (unsigned i = 0; i < kWeights && i < weight_count; ++i) {
    weights[i] = stored_weight(fit.weights[i], levels, codes);
  }
  add_spare_values(weights + weight_count);
  const RangeInfo& color_info = tables.range_info(candidate.color_range);
  const I32 plain = all_lanes((1 << color_info.bits) - 1);
  // Codes of other lanes' ranges must not lead beyond the table of digits.
  const I32 last_digit = all_lanes(color_info.digit == Digit::kQuint ? 4 : 2);
  const unsigned color_count = family.color_values();
  TESSERA_UNROLL
  for (unsigned i = 0; i < kColors && i < color_count; ++i) {
    const I32 digit = lanes::shift_right_logical(fit.colors[i], static_cast<int>(color_info.bits));
    colors[i] = {fit.colors[i] & plain, lanes::min(digit, last_digit)};
  }
  add_spare_values(colors + color_count);
  BlockBits block;
  // Both sequences share their code where the most is not needed to unroll loops.
  constexpr unsigned kMostColors = kHasFixedSize ? kColors : kWeights;
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
  pack_sequence<kMostColors>(tables.digits, colors, color_count, color_info,
                             first_color_bit(family.partitions), block);
  return block;
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_PACK_INL_H_
