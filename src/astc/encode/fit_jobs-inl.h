// Stages 5 and 6 together: the jobs of one group of families and weight grid at a time are fitted,
// a vector of them at once, and packed where they are the best so far.
#if defined(TESSERA_ASTC_FIT_JOBS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_JOBS_INL_H_
#undef TESSERA_ASTC_FIT_JOBS_INL_H_
#else
#define TESSERA_ASTC_FIT_JOBS_INL_H_
#endif

#include <algorithm>

#include "astc/encode/fit-inl.h"
#include "astc/encode/fit_jobs.h"
#include "astc/encode/pack-inl.h"
#include "astc/format/block128.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// The next jobs, one per lane; the last one is repeated to fill the vector.
struct LaneJobs {
  TESSERA_ALIGN int32_t blocks[lanes::kMaxLaneCount];
  I32 block, plane2_channel, pattern, reduced;
  LaneFamilies families;
  LaneLevels levels;
  I32 first_color_entry;
};

// The ranges of jobs of one candidate, or of several.
TESSERA_INLINE void load_ranges(const EncodeTables& tables, std::span<const FitJob> jobs,
                                LaneJobs& result) {
  const Candidate& first = tables.candidate_of_number(jobs.front().candidate_number);
  if (jobs.back().candidate_number == jobs.front().candidate_number) {  // as they are sorted
    result.first_color_entry = all_lanes(first_color_entry(first.color_range));
    result.levels = lane_levels(tables.weight_levels[range_index(first.weight_range)]);
    return;
  }
  TESSERA_ALIGN int32_t color_entry[lanes::kMaxLaneCount], weight_entry[lanes::kMaxLaneCount];
  constexpr auto kWeightEntry = static_cast<int32_t>(sizeof(WeightLevels) / sizeof(float));
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    const FitJob& job = jobs[std::min(i, jobs.size() - 1)];
    const Candidate& candidate = tables.candidate_of_number(job.candidate_number);
    color_entry[i] = first_color_entry(candidate.color_range);
    weight_entry[i] = kWeightEntry * static_cast<int32_t>(range_index(candidate.weight_range));
  }
  result.first_color_entry = lanes::load_i32(color_entry);
  const I32 levels = lanes::load_i32(weight_entry);
  result.levels = {lanes::gather(&tables.weight_levels[0].step, levels),
                   lanes::gather(&tables.weight_levels[0].offset, levels),
                   lanes::gather(&tables.weight_levels[0].last, levels),
                   lanes::gather(&tables.weight_levels[0].per_step, levels)};
}

// The next jobs for one vector: those of the first one's family where a vector has but one.
TESSERA_INLINE std::span<const FitJob> next_jobs(std::span<const FitJob> jobs) {
  size_t count = std::min(jobs.size(), lanes::lane_count());
  while (LaneFamilies::kMost == 1 && jobs[count - 1].family_index() != jobs[0].family_index()) {
    --count;
  }
  return jobs.first(count);
}

TESSERA_INLINE void load_jobs(const EncodeTables& tables, std::span<const FitJob> jobs,
                              LaneJobs& result) {
  TESSERA_ALIGN int32_t configuration[lanes::kMaxLaneCount];
  for (size_t i = 0; i < lanes::lane_count(); ++i) {
    const FitJob& job = jobs[std::min(i, jobs.size() - 1)];
    result.blocks[i] = job.block;
    configuration[i] = job.configuration;
  }
  const I32 configurations = lanes::load_i32(configuration);
  result.block = lanes::load_i32(result.blocks);
  result.plane2_channel =
      lanes::shift_right_logical<Configuration::kChannelShift>(configurations) & all_lanes(3);
  result.pattern = lanes::shift_right_logical<Configuration::kPatternShift>(configurations) &
                   all_lanes(Configuration::kPatternMask);
  result.reduced = lanes::shift_right_logical<Configuration::kReducedShift>(configurations);
  result.families.load(
      [&](size_t lane) -> const Family& { return jobs[std::min(lane, jobs.size() - 1)].family(); });
  load_ranges(tables, jobs, result);
}

// Errors of fits take the place of their estimates.
TESSERA_INLINE void store_errors(const float* errors, std::span<const FitJob> jobs, Chunk& chunk) {
  for (size_t i = 0; i < jobs.size(); ++i) {
    chunk.estimate(jobs[i].rank)[jobs[i].block] = errors[i];
  }
}

// Writes those of the jobs whose error is below their block's; `bits` has them from lane `first`
// on.
TESSERA_INLINE void write_better(const BlockBits& bits, size_t first, const float* errors,
                                 std::span<const FitJob> jobs, Chunk& chunk, uint8_t* out) {
  TESSERA_ALIGN uint32_t words[4 * lanes::kMaxLaneCount];
  lanes::store_block_words(bits.word(0), bits.word(1), bits.word(2), bits.word(3), words);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const size_t block = jobs[i].block;
    const uint32_t* const w = words + 4 * (first + i);
    if (errors[first + i] < chunk.error[block]) {
      chunk.error[block] = errors[first + i];
      const Block128 value = {w[0] | (uint64_t{w[1]} << 32), w[2] | (uint64_t{w[3]} << 32)};
      store_block(value, out + size_t{chunk.output[block]} * kBlockBytes);
    }
  }
}

// Packs the lanes' jobs, those of one candidate after those of another.
TESSERA_INLINE void pack_jobs(const FitContext& context, const FitResult& result,
                              const LaneJobs& lane_jobs, unsigned weight_count, const float* errors,
                              std::span<const FitJob> jobs, Chunk& chunk) {
  const unsigned partitions = lane_jobs.families.first().partitions;
  const I32 seed =
      partitions > 1 ? lanes::gather(context.tables.patterns(partitions).seeds(), lane_jobs.pattern)
                     : all_lanes(0);
  for (size_t first = 0; first < jobs.size();) {
    size_t end = first;
    bool any_better = false;
    for (; end < jobs.size() && jobs[end].candidate_number == jobs[first].candidate_number; ++end) {
      any_better = any_better || errors[end] < chunk.error[jobs[end].block];
    }
    if (any_better) {
      const BlockBits bits =
          pack_blocks(context.tables, result, jobs[first].family(),
                      context.tables.candidate_of_number(jobs[first].candidate_number),
                      weight_count, lane_jobs.plane2_channel, seed);
      write_better(bits, first, errors, jobs.subspan(first, end - first), chunk, context.out);
    }
    first = end;
  }
}

template <class Shape>
TESSERA_NOINLINE void fit_batch(const FitContext& context,
                                TexelChunk<typename Shape::Texels>& chunk, const WeightGrid& grid,
                                std::span<const FitJob> jobs) {
  FitResult result;
  result.error = all_lanes_f32(0);
  LaneJobs lane_jobs;
  while (!jobs.empty()) {
    const auto now = next_jobs(jobs);
    load_jobs(context.tables, now, lane_jobs);
    const FitBatch<typename Shape::Texels> batch = {context,
                                                    chunk,
                                                    lane_jobs.families,
                                                    grid,
                                                    lane_jobs.levels,
                                                    lane_jobs.first_color_entry,
                                                    lane_jobs.blocks,
                                                    lane_jobs.block,
                                                    lane_jobs.plane2_channel,
                                                    lane_jobs.pattern,
                                                    lane_jobs.reduced};
    Fit<Shape>(batch).run(result);
    TESSERA_ALIGN float errors[lanes::kMaxLaneCount];
    lanes::store(result.error, errors);
    if (context.out == nullptr) {
      store_errors(errors, now, chunk);
    } else {
      pack_jobs(context, result, lane_jobs, grid.size.count() * (Shape::kDual ? 2u : 1u), errors,
                now, chunk);
    }
    jobs = jobs.subspan(now.size());
  }
}

// Code for up to kParts partitions, for blocks with kLeast and more.
template <class Texels, unsigned kSlots, unsigned kParts, unsigned kLeast>
TESSERA_INLINE void fit_planes(const FitContext& context, TexelChunk<Texels>& chunk,
                               bool dual_plane, const WeightGrid& grid,
                               std::span<const FitJob> jobs) {
  if constexpr (may_have_two_planes(kSlots, kLeast)) {
    if (dual_plane) {
      fit_batch<FitShape<Texels, kSlots, true, kParts>>(context, chunk, grid, jobs);
      return;
    }
  }
  fit_batch<FitShape<Texels, kSlots, false, kParts>>(context, chunk, grid, jobs);
}

template <class Texels, unsigned kSlots>
TESSERA_INLINE void fit_group(const FitContext& context, TexelChunk<Texels>& chunk, unsigned group,
                              FitJobs& jobs) {
  const Family family = first_of_group(group);
  for (const EncodeTables::Batch& batch : context.tables.batches(group)) {
    const std::span<const FitJob> of_batch = jobs.of_batch(batch);
    const WeightGrid& grid = context.tables.grids[batch.grid];
    if (of_batch.empty()) {
      continue;
    }
    // Grey pictures are few: two partitions need no code of their own there. Nor does one where
    // there is alpha and code is to be small.
#ifdef TESSERA_SMALL_CODE
    constexpr unsigned kTwo = kMaxPartitions;
    constexpr unsigned kOne = kSlots == 2 ? kMaxPartitions : 1;
#else
    constexpr unsigned kTwo = kSlots > 2 ? 2 : kMaxPartitions;
    constexpr unsigned kOne = 1;
#endif
    if (family.partitions > 2) {
      fit_planes<Texels, kSlots, kMaxPartitions, 3>(context, chunk, family.dual_plane, grid,
                                                    of_batch);
    } else if (family.partitions == 2) {
      fit_planes<Texels, kSlots, kTwo, 2>(context, chunk, family.dual_plane, grid, of_batch);
    } else {
      fit_planes<Texels, kSlots, kOne, 1>(context, chunk, family.dual_plane, grid, of_batch);
    }
  }
}

// All groups of families of a colour class.
template <class Texels, unsigned kSlots>
TESSERA_INLINE void fit_class(const FitContext& context, TexelChunk<Texels>& chunk, FitJobs& jobs) {
  for (unsigned group = 0; group < kFamilyGroupCount; ++group) {
    if (stored_channels(first_of_group(group).color_class) == kSlots && jobs.has_group(group)) {
      fit_group<Texels, kSlots>(context, chunk, group, jobs);
    }
  }
}

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_JOBS_INL_H_
