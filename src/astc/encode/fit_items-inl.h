// Fourth and last stage together: items of one block mode at a time are fitted, a vector of them at
// once, and packed where they are the best so far.
#if defined(TESSERA_ASTC_FIT_ITEMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_ITEMS_INL_H_
#undef TESSERA_ASTC_FIT_ITEMS_INL_H_
#else
#define TESSERA_ASTC_FIT_ITEMS_INL_H_
#endif

#include <algorithm>

#include "astc/encode/fit-inl.h"
#include "astc/encode/items.h"
#include "astc/encode/pack-inl.h"
#include "astc/format/block128.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// The next items, one a lane; the last one is repeated to fill the vector.
struct LaneItems {
  I32 block, plane2_channel, pattern, scaled;
};

// Writes the blocks' indices to `block`, too.
HWY_INLINE LaneItems load_items(std::span<const Item> items, int32_t* block) {
  HWY_ALIGN int32_t choice[lanes::kMaxLaneCount];
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    const Item& item = items[std::min(i, items.size() - 1)];
    block[i] = item.block;
    choice[i] = item.choice;
  }
  const I32 choices = lanes::load_i32(choice);
  return {
      lanes::load_i32(block),
      lanes::shift_right_logical<Choice::kChannelShift>(choices) & all_lanes(3),
      lanes::shift_right_logical<Choice::kPatternShift>(choices) & all_lanes(Choice::kPatternMask),
      lanes::shift_right_logical<Choice::kScaledShift>(choices)};
}

HWY_INLINE void store_errors(F32 error, std::span<Item> items) {
  HWY_ALIGN float errors[lanes::kMaxLaneCount];
  lanes::store(error, errors);
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].error = errors[i];
  }
}

// Writes those items whose error is below their block's.
HWY_INLINE void write_better(const BlockBits& bits, std::span<const Item> items, Chunk& chunk,
                             uint8_t* out) {
  HWY_ALIGN uint32_t words[4 * lanes::kMaxLaneCount];
  lanes::store_block_words(bits.word(0), bits.word(1), bits.word(2), bits.word(3), words);
  for (size_t lane = 0; lane < items.size(); ++lane) {
    const size_t block = items[lane].block;
    if (items[lane].error < chunk.error[block]) {
      chunk.error[block] = items[lane].error;
      const Block128 value = {words[4 * lane] | (uint64_t{words[4 * lane + 1]} << 32),
                              words[4 * lane + 2] | (uint64_t{words[4 * lane + 3]} << 32)};
      store_block(value, out + size_t{chunk.output[block]} * kBlockBytes);
    }
  }
}

template <unsigned kSlots, bool kDual, unsigned kParts>
HWY_NOINLINE void fit_mode(const FitContext& context, Chunk& chunk, const Family& family,
                           const Candidate& candidate, std::span<Item> items) {
  const WeightGrid& grid = context.table.grids()[candidate.grid];
  FitResult result;
  result.error = all_lanes_f32(0);
  HWY_ALIGN int32_t blocks[lanes::kMaxLaneCount];
  while (!items.empty()) {
    const auto now = items.first(std::min(items.size(), lanes::lane_count()));
    const LaneItems lane_items = load_items(now, blocks);
    const FitBatch batch = {context,
                            chunk,
                            family,
                            grid,
                            candidate,
                            blocks,
                            lane_items.block,
                            lane_items.plane2_channel,
                            lane_items.pattern,
                            lane_items.scaled};
    Fit<kSlots, kDual, kParts>(batch).run(result);
    store_errors(result.error, now);
    if (context.out != nullptr) {
      const I32 seed = kParts > 1
                           ? lanes::gather(pattern_table(context.size, family.partitions).seeds(),
                                           lane_items.pattern)
                           : all_lanes(0);
      const BlockBits bits =
          pack_blocks(result, family, candidate, grid.size.count() * (kDual ? 2u : 1u),
                      lane_items.plane2_channel, seed);
      write_better(bits, now, chunk, context.out);
    }
    items = items.subspan(now.size());
  }
}

template <unsigned kSlots, unsigned kParts>
HWY_INLINE void fit_planes(const FitContext& context, Chunk& chunk, const Family& family,
                           const Candidate& candidate, std::span<Item> items) {
  if constexpr (kSlots > 1) {
    if (family.dual_plane) {
      fit_mode<kSlots, true, kParts>(context, chunk, family, candidate, items);
      return;
    }
  }
  fit_mode<kSlots, false, kParts>(context, chunk, family, candidate, items);
}

template <unsigned kSlots>
HWY_INLINE void fit_family(const FitContext& context, Chunk& chunk, const Family& family,
                           Items& items) {
  const unsigned index = family_index(family);
  const auto& candidates = context.table.candidates(index);
  for (unsigned i = 0; i < candidates.size(); ++i) {
    const std::span<Item> of_mode = items.of_mode(context.table.first_number(index) + i);
    if (of_mode.empty()) {
      continue;
    }
    if (family.partitions > 2) {
      fit_planes<kSlots, kMaxPartitions>(context, chunk, family, candidates[i], of_mode);
    } else if (family.partitions == 2) {
      fit_planes<kSlots, 2>(context, chunk, family, candidates[i], of_mode);
    } else {
      fit_planes<kSlots, 1>(context, chunk, family, candidates[i], of_mode);
    }
  }
}

// All families of a colour class.
template <unsigned kSlots>
HWY_INLINE void fit_class(const FitContext& context, Chunk& chunk, Items& items) {
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    if (stored_channels(family.color_class) == kSlots && items.has_family(index)) {
      fit_family<kSlots>(context, chunk, family, items);
    }
  }
}

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_FIT_ITEMS_INL_H_
