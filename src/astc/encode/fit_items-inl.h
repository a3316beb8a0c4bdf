// Fourth and last stage together: items of one family and weight grid at a time are fitted, a
// vector of them at once, and packed where they are the best so far.
#if defined(TESSERA_ASTC_FIT_ITEMS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
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

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The next items, one a lane; the last one is repeated to fill the vector.
struct LaneItems {
  TESSERA_ALIGN int32_t blocks[lanes::kMaxLaneCount];
  I32 block, plane2_channel, pattern, plainer;
  LaneLevels levels;
  I32 first_color_entry;
};

// The ranges of items of one mode, or of several.
TESSERA_INLINE void load_ranges(const CandidateTable& table, std::span<const Item> items,
                                LaneItems& result) {
  const Candidate& first = table.candidate_of_number(items.front().mode);
  if (items.back().mode == items.front().mode) {  // as they are sorted
    result.first_color_entry = all_lanes(first_color_entry(first.color_range));
    result.levels = lane_levels(kWeightLevels[range_index(first.weight_range)]);
    return;
  }
  TESSERA_ALIGN int32_t color_entry[lanes::kMaxLaneCount], weight_entry[lanes::kMaxLaneCount];
  constexpr auto kWeightEntry = static_cast<int32_t>(sizeof(WeightLevels) / sizeof(float));
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    const Item& item = items[std::min(i, items.size() - 1)];
    const Candidate& candidate = table.candidate_of_number(item.mode);
    color_entry[i] = first_color_entry(candidate.color_range);
    weight_entry[i] = kWeightEntry * static_cast<int32_t>(range_index(candidate.weight_range));
  }
  result.first_color_entry = lanes::load_i32(color_entry);
  const I32 levels = lanes::load_i32(weight_entry);
  result.levels = {lanes::gather(&kWeightLevels[0].step, levels),
                   lanes::gather(&kWeightLevels[0].offset, levels),
                   lanes::gather(&kWeightLevels[0].last, levels),
                   lanes::gather(&kWeightLevels[0].per_step, levels)};
}

TESSERA_INLINE void load_items(const CandidateTable& table, std::span<const Item> items,
                               LaneItems& result) {
  TESSERA_ALIGN int32_t choice[lanes::kMaxLaneCount];
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    const Item& item = items[std::min(i, items.size() - 1)];
    result.blocks[i] = item.block;
    choice[i] = item.choice;
  }
  const I32 choices = lanes::load_i32(choice);
  result.block = lanes::load_i32(result.blocks);
  result.plane2_channel = lanes::shift_right_logical<Choice::kChannelShift>(choices) & all_lanes(3);
  result.pattern =
      lanes::shift_right_logical<Choice::kPatternShift>(choices) & all_lanes(Choice::kPatternMask);
  result.plainer = lanes::shift_right_logical<Choice::kPlainerShift>(choices);
  load_ranges(table, items, result);
}

TESSERA_INLINE void store_errors(F32 error, std::span<Item> items) {
  TESSERA_ALIGN float errors[lanes::kMaxLaneCount];
  lanes::store(error, errors);
  for (size_t i = 0; i < items.size(); ++i) {
    items[i].error = errors[i];
  }
}

// Writes those of the items whose error is below their block's; `bits` has them from lane `first`
// on.
TESSERA_INLINE void write_better(const BlockBits& bits, size_t first, std::span<const Item> items,
                                 Chunk& chunk, uint8_t* out) {
  TESSERA_ALIGN uint32_t words[4 * lanes::kMaxLaneCount];
  lanes::store_block_words(bits.word(0), bits.word(1), bits.word(2), bits.word(3), words);
  for (size_t i = 0; i < items.size(); ++i) {
    const size_t block = items[i].block;
    const uint32_t* const w = words + 4 * (first + i);
    if (items[i].error < chunk.error[block]) {
      chunk.error[block] = items[i].error;
      const Block128 value = {w[0] | (uint64_t{w[1]} << 32), w[2] | (uint64_t{w[3]} << 32)};
      store_block(value, out + size_t{chunk.output[block]} * kBlockBytes);
    }
  }
}

// Packs the lanes' items, those of one mode after those of another.
TESSERA_INLINE void pack_items(const FitContext& context, const Family& family,
                               const FitResult& result, const LaneItems& lane_items,
                               unsigned weight_count, std::span<const Item> items, Chunk& chunk) {
  const I32 seed = family.partitions > 1
                       ? lanes::gather(pattern_table(context.size, family.partitions).seeds(),
                                       lane_items.pattern)
                       : all_lanes(0);
  for (size_t first = 0; first < items.size();) {
    size_t end = first;
    bool any_better = false;
    for (; end < items.size() && items[end].mode == items[first].mode; ++end) {
      any_better = any_better || items[end].error < chunk.error[items[end].block];
    }
    if (any_better) {
      const BlockBits bits =
          pack_blocks(result, family, context.table.candidate_of_number(items[first].mode),
                      weight_count, lane_items.plane2_channel, seed);
      write_better(bits, first, items.subspan(first, end - first), chunk, context.out);
    }
    first = end;
  }
}

template <unsigned kSlots, bool kDual, unsigned kParts>
TESSERA_NOINLINE void fit_batch(const FitContext& context, Chunk& chunk, const Family& family,
                                const WeightGrid& grid, std::span<Item> items) {
  FitResult result;
  result.error = all_lanes_f32(0);
  LaneItems lane_items;
  while (!items.empty()) {
    const auto now = items.first(std::min(items.size(), lanes::lane_count()));
    load_items(context.table, now, lane_items);
    const FitBatch batch = {context,
                            chunk,
                            family,
                            grid,
                            lane_items.levels,
                            lane_items.first_color_entry,
                            lane_items.blocks,
                            lane_items.block,
                            lane_items.plane2_channel,
                            lane_items.pattern,
                            lane_items.plainer};
    Fit<kSlots, kDual, kParts>(batch).run(result);
    store_errors(result.error, now);
    if (context.out != nullptr) {
      pack_items(context, family, result, lane_items, grid.size.count() * (kDual ? 2u : 1u), now,
                 chunk);
    }
    items = items.subspan(now.size());
  }
}

template <unsigned kSlots, unsigned kParts>
TESSERA_INLINE void fit_planes(const FitContext& context, Chunk& chunk, const Family& family,
                               const WeightGrid& grid, std::span<Item> items) {
  if constexpr (kSlots > 1) {
    if (family.dual_plane) {
      fit_batch<kSlots, true, kParts>(context, chunk, family, grid, items);
      return;
    }
  }
  fit_batch<kSlots, false, kParts>(context, chunk, family, grid, items);
}

template <unsigned kSlots>
TESSERA_INLINE void fit_family(const FitContext& context, Chunk& chunk, const Family& family,
                               Items& items) {
  for (const CandidateTable::Batch& batch : context.table.batches(family_index(family))) {
    const std::span<Item> of_batch = items.of_batch(batch);
    const WeightGrid& grid = context.table.grids()[batch.grid];
    if (of_batch.empty()) {
      continue;
    }
    // Grey pictures are few: two partitions need no code of their own there.
    constexpr unsigned kTwo = kSlots > 2 ? 2 : kMaxPartitions;
    if (family.partitions > 2) {
      fit_planes<kSlots, kMaxPartitions>(context, chunk, family, grid, of_batch);
    } else if (family.partitions == 2) {
      fit_planes<kSlots, kTwo>(context, chunk, family, grid, of_batch);
    } else {
      fit_planes<kSlots, 1>(context, chunk, family, grid, of_batch);
    }
  }
}

// All families of a colour class.
template <unsigned kSlots>
TESSERA_INLINE void fit_class(const FitContext& context, Chunk& chunk, Items& items) {
  for (unsigned index = 0; index < kFamilyCount; ++index) {
    const Family family = family_of_index(index);
    if (stored_channels(family.color_class) == kSlots && items.has_family(index)) {
      fit_family<kSlots>(context, chunk, family, items);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_ITEMS_INL_H_
