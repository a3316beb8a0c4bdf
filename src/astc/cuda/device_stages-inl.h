// The encoder's stages as work for the threads of a device, one item per thread: a block, a job of
// fitting, or a place in a list. What a thread does is what a lane of the CPU's drivers does.
#if defined(TESSERA_ASTC_DEVICE_STAGES_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_DEVICE_STAGES_INL_H_
#undef TESSERA_ASTC_DEVICE_STAGES_INL_H_
#else
#define TESSERA_ASTC_DEVICE_STAGES_INL_H_
#endif

#include "astc/cuda/picture_texels-inl.h"
#include "astc/encode/effort_plan.h"
#include "astc/encode/fit-inl.h"
#include "astc/encode/hidden_color.h"
#include "astc/encode/rank_partitions-inl.h"
#include "astc/encode/rank_two_planes-inl.h"
#include "astc/format/block128.h"
#include "astc/format/void_extent.h"
#include "spmd/counters-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

TESSERA_INLINE RankContext rank_context_of(const DeviceTask& task) {
  return {*task.tables, task.size, task.settings, {task.grey[0], task.grey[1], task.grey[2]}};
}

// --- Ranking ---

// Whether all texels of a block have its first one's colour, or alpha 0.
class ConstantTest {
 public:
  TESSERA_INLINE void add(unsigned t, I32 texel) {
    first_ = t == 0 ? texel : first_;
    differences_ = differences_ | (texel ^ first_);
    seen_ = seen_ | texel;
  }
  TESSERA_INLINE bool is_constant() const { return differences_.value == 0; }
  TESSERA_INLINE bool is_hidden() const { return astc::is_hidden(lanes::unsigned_of(seen_)); }
  TESSERA_INLINE uint32_t color() const { return lanes::unsigned_of(first_); }

 private:
  I32 first_ = {0};
  I32 differences_ = {0};
  I32 seen_ = {0};
};

// The colour of a block that is written as one colour.
TESSERA_INLINE uint32_t known_color(const DeviceTask& task, const int32_t* block,
                                    const ConstantTest& test) {
  if (test.is_constant()) {
    return test.color();
  }
  HiddenColor<uint32_t> hidden;
  for_texels(task.chunk, task.size, block,
             [&](unsigned /*t*/, I32 texel) { hidden.add(lanes::unsigned_of(texel)); });
  return hidden.mean();
}

TESSERA_INLINE void forget_configurations(const DeviceTask& task, size_t block) {
  for (unsigned i = 0; i < task.settings.fits; ++i) {
    task.chunk.configuration(i)[block] = kNoConfiguration;
  }
}

TESSERA_INLINE void set_inside(const DeviceTask& task, size_t block) {
  const PictureChunk& chunk = task.chunk;
  const KernelSize size = task.size;
  const BlockOrigin origin = block_origin(chunk, size, block);
  const uint32_t right = chunk.picture.width - origin.x, below = chunk.picture.height - origin.y;
  chunk.inside_x[block] = static_cast<int32_t>(right < size.width ? right : size.width);
  chunk.inside_y[block] = static_cast<int32_t>(below < size.height ? below : size.height);
}

TESSERA_INLINE void list_block(const PictureChunk& chunk, uint32_t item,
                               const SelectedLists& lists) {
  const SelectedBlocks& list = lists[is_opaque_class(chunk.class_order[item]) ? 0 : 1];
  list.blocks[take_place(list.count)] = static_cast<int32_t>(item);
}

// Blocks of one colour are written at once, as are those that nobody sees; all others are ranked
// with one partition and plane, and listed where two planes may be better.
struct RankOnePlane {
  DeviceTask task;
  bool is_first_effort;
  SelectedLists selected;

  TESSERA_INLINE void operator()(uint32_t item) const {
    PictureChunk chunk = task.chunk;
    const auto block = static_cast<int32_t>(item);
    if (chunk.has_edges) {
      set_inside(task, item);
    }
    TexelPlanes planes;
    ConstantTest constant;
    const BlockTraits traits = load_planes<PictureTexels>(
        [&](const auto& work) {
          for_texels(chunk, task.size, &block, [&](unsigned t, I32 texel) {
            constant.add(t, texel);
            work(t, texel);
          });
        },
        planes);
    const bool is_known =
        constant.is_constant() || (task.settings.alpha_weight && constant.is_hidden());
    if (is_first_effort) {
      chunk.error[item] = is_known ? 0.0F : kNoError;
    }
    if (is_known) {
      task.out[chunk.place(item)] = constant_block(
          Rgba8Texels::constant_color(known_color(task, &block, constant), false), false);
      chunk.estimate(0)[item] = chunk.partition_gain_bound[item] = 0;  // so that they have a value
      chunk.class_order[item] = 0;
      forget_configurations(task, item);
      return;
    }
    const RankContext context = rank_context_of(task);
    weigh_planes(task.settings, context.size.texel_count(), planes);
    const Inside inside = inside_of(chunk, context.size, item);
    const LaneMask promising =
        traits.opaque.value ? rank_group_one_plane<3>(context, planes, traits, inside, item, chunk)
                            : rank_group_one_plane<4>(context, planes, traits, inside, item, chunk);
    chunk.class_order[item] = lanes::first_lane(class_order(traits));
    if (task.settings.dual_plane && promising.value) {
      list_block(chunk, item, selected);
    }
    for (unsigned i = task.settings.single_fits(); i < task.settings.fits; ++i) {
      chunk.configuration(i)[item] = kNoConfiguration;
    }
  }
};

// Calls work(planes, traits, inside) with a block's texels.
template <class Work>
TESSERA_INLINE void with_block(const DeviceTask& task, const RankContext& context,
                               const int32_t* block, const Work& work) {
  TexelPlanes planes;
  const BlockTraits traits = load_planes<PictureTexels>(
      [&](const auto& load) { for_texels(task.chunk, task.size, block, load); }, planes);
  weigh_planes(task.settings, context.size.texel_count(), planes);
  work(planes, traits, inside_of(task.chunk, context.size, static_cast<size_t>(*block)));
}

// The listed blocks.
template <unsigned kChannels>
struct RankTwoPlanes {
  static constexpr int kGroupsPerProcessor = 4;

  DeviceTask task;

  TESSERA_INLINE void operator()(uint32_t item) const {
    PictureChunk chunk = task.chunk;
    const RankContext context = rank_context_of(task);
    const int32_t block = chunk.selected[item];
    with_block(task, context, &block,
               [&](const TexelPlanes& planes, const BlockTraits& traits, const Inside& inside) {
                 rank_group_two_planes<kChannels>(context, planes, traits, inside, &block, 1,
                                                  chunk);
               });
  }
};

// Lists the blocks that several partitions may serve better.
struct SelectForPartitions {
  DeviceTask task;
  SelectedLists selected;

  TESSERA_INLINE void operator()(uint32_t item) const {
    if (may_gain_by_partitions(rank_context_of(task), item, task.chunk).value) {
      list_block(task.chunk, item, selected);
    }
  }
};

// The listed blocks.
template <unsigned kChannels>
struct RankPartitions {
  static constexpr int kGroupsPerProcessor = 4;

  DeviceTask task;

  TESSERA_INLINE void operator()(uint32_t item) const {
    PictureChunk chunk = task.chunk;
    const RankContext context = rank_context_of(task);
    const int32_t block = chunk.selected[item];
    with_block(task, context, &block,
               [&](const TexelPlanes& planes, const BlockTraits& traits, const Inside& inside) {
                 rank_group_partitions<kChannels>(context, planes, traits, inside, &block, 1,
                                                  chunk);
               });
  }
};

// --- Jobs: a configuration of a block that is to be fitted, as the configuration's index ---

// Configurations [0, slots) of all blocks whose estimate is below a limit. Calls
// work(bin, job) if the item is one.
struct JobSource {
  DeviceTask task;
  uint32_t slots;
  float limit;

  template <class Work>
  TESSERA_INLINE void visit(uint32_t item, const Work& work) const {
    const PictureChunk& chunk = task.chunk;
    const auto count = static_cast<uint32_t>(chunk.count);
    const uint32_t slot = item / count, block = item - slot * count;
    const auto job = static_cast<uint32_t>(slot * chunk.stride + block);
    const int32_t code = chunk.configurations[job];
    if (code != kNoConfiguration && chunk.estimates[job] < limit) {
      const Configuration configuration = Configuration::of_code(code);
      work(task.bin_of_candidate[task.tables->first_candidate[configuration.family] +
                                 configuration.candidate],
           job);
    }
  }
};

// --- Fitting ---

// A shape whose calls ask for what a device may be asked. `Base` is a FitShape.
template <class Base>
struct DeviceShape : Base {
  // These kernels wait for memory: more threads at once are worth more than registers. Of shapes
  // with more to keep none gains by it, and one that nvcc 13.0 is asked to fit into 128 registers
  // (four channels, two planes, two partitions) writes outside of its stack.
  static constexpr int kGroupsPerProcessor = !Base::kDual && Base::kParts == 1 ? 6 : 1;
  static constexpr bool kPacksTexels = true;

  static TESSERA_INLINE bool needs_error(const FitContext& /*context*/) { return true; }
  static TESSERA_INLINE bool needs_codes(const FitContext& /*context*/) { return true; }
  static TESSERA_INLINE FitUse use(FitUse asked) { return asked; }
};

// The same for what most blocks are, with code of its own: no edges, no weights of channels, a
// start by principal axes, and one way of using the fit.
template <class Base, bool kCoarse, FitUse kUse>
struct UsualShape : DeviceShape<Base> {
  static constexpr int kGroupsPerProcessor = Base::kDual || Base::kParts > 1 ? 3 : 4;
  static constexpr bool kPacksTexels = false;  // they stay in registers

  static TESSERA_INLINE bool is_identity(const WeightGrid& /*grid*/) { return !kCoarse; }
  static TESSERA_INLINE bool keeps_best_pass(const FitContext& /*context*/) { return false; }
  static TESSERA_INLINE bool needs_codes(const FitContext& /*context*/) {
    return kUse != FitUse::kError;
  }
  static TESSERA_INLINE bool weighs_channels(const FitContext& /*context*/) { return false; }
  static TESSERA_INLINE bool weighs_by_alpha(const FitContext& /*context*/) { return false; }
  static TESSERA_INLINE EndpointStart start(const FitContext& /*context*/) {
    return EndpointStart::kPca;
  }
  static TESSERA_INLINE bool has_edges(const Chunk& /*chunk*/) { return false; }
  static TESSERA_INLINE FitUse use(FitUse /*asked*/) { return kUse; }
};

// Jobs of one shape.
template <class Shape>
struct FitJobsOfShape {
  static constexpr int kGroupsPerProcessor = Shape::kGroupsPerProcessor;

  DeviceTask task;
  ShapeJobs jobs;

  TESSERA_INLINE void operator()(uint32_t item) const {
    const PictureChunk& chunk = task.chunk;
    const EncodeTables& tables = *task.tables;
    const FitEffort& effort = jobs.effort;
    const uint32_t job = jobs.jobs[item];
    const auto stride = static_cast<uint32_t>(chunk.stride);
    const auto block = static_cast<int32_t>(job % stride);
    const Configuration configuration = Configuration::of_code(chunk.configurations[job]);
    const Candidate& candidate =
        tables
            .all_candidates[tables.first_candidate[configuration.family] + configuration.candidate];
    const WeightGrid& grid = tables.grids[candidate.grid];
    const Family family = tables.families[configuration.family];
    const LaneFamilies families(family);
    const FitContext context = {tables,
                                task.size,
                                task.settings,
                                task.root_weights,
                                effort.passes,
                                effort.weight_sweeps,
                                effort.endpoint_moves,
                                true,
                                effort.best_pass,
                                nullptr};
    const FitBatch<PictureTexels> batch = {
        context,
        chunk,
        families,
        grid,
        lane_levels(tables.weight_levels[range_index(candidate.weight_range)]),
        all_lanes(first_color_entry(candidate.color_range)),
        &block,
        all_lanes(block),
        all_lanes(static_cast<int32_t>(configuration.plane2_channel)),
        all_lanes(static_cast<int32_t>(configuration.pattern)),
        all_lanes(static_cast<int32_t>(configuration.reduced))};
    FitResult result;
    Fit<Shape>(batch).run(result);
    const float error = result.error.value;
    const FitUse use = Shape::use(jobs.use);
    if (use == FitUse::kError) {
      chunk.estimates[job] = error;
      return;
    }
    if (use == FitUse::kBlock && !(error < chunk.error[block])) {
      return;
    }
    const BlockBits bits = pack(tables, family, candidate, grid, configuration, result);
    const Block128 value = {
        lanes::unsigned_of(bits.word(0)) | uint64_t{lanes::unsigned_of(bits.word(1))} << 32,
        lanes::unsigned_of(bits.word(2)) | uint64_t{lanes::unsigned_of(bits.word(3))} << 32};
    if (use == FitUse::kBlock) {
      chunk.error[block] = error;
      task.out[chunk.place(static_cast<size_t>(block))] = value;
    } else {
      chunk.estimates[job] = error;
      jobs.packed[job] = value;
    }
  }

 private:
  static TESSERA_INLINE BlockBits pack(const EncodeTables& tables, const Family& family,
                                       const Candidate& candidate, const WeightGrid& grid,
                                       const Configuration& configuration,
                                       const FitResult& result) {
    const I32 seed =
        family.partitions > 1
            ? all_lanes(tables.patterns(family.partitions).seeds()[configuration.pattern])
            : all_lanes(0);
    const unsigned points =
        Shape::is_identity(grid) ? KernelSize(tables.size).texel_count() : grid.size.count();
    constexpr unsigned kPlanes = Shape::kDual ? 2 : 1;
    constexpr unsigned kWeights =
        kLaneTexels * kPlanes < kLaneWeights ? kLaneTexels * kPlanes : kLaneWeights;
    constexpr unsigned kColors = 2 * Shape::kSlots * Shape::kParts < kMaxColorValues
                                     ? 2 * Shape::kSlots * Shape::kParts
                                     : kMaxColorValues;
    return pack_blocks<kWeights, kColors>(
        tables, result, family, candidate, points * kPlanes,
        all_lanes(static_cast<int32_t>(configuration.plane2_channel)), seed);
  }
};

// Takes blocks off the list that are good enough already.
struct FinishEasy {
  DeviceTask task;
  float small_error;

  TESSERA_INLINE void operator()(uint32_t item) const {
    if (task.chunk.error[item] <= small_error * texels_inside(task, item)) {
      forget_configurations(task, item);
    }
  }

  static TESSERA_INLINE float texels_inside(const DeviceTask& task, size_t block) {
    return task.chunk.has_edges ? task.chunk.texels_inside(block)
                                : static_cast<float>(KernelSize(task.size).texel_count());
  }
};

// Of each block the `kept` configurations with the lowest errors become the first ones, or only one
// where its error per texel is small enough.
struct KeepBest {
  DeviceTask task;
  uint32_t kept;
  float small_error;

  TESSERA_INLINE void operator()(uint32_t item) const {
    const PictureChunk& chunk = task.chunk;
    const unsigned slots = task.settings.fits;
    int32_t best[kMaxFits];
    float errors[kMaxFits];
    unsigned found = 0, last_slot = 0;
    float last_error = 0;
    int32_t last_code = 0;
    for (; found < kept; ++found) {
      // The lowest of those behind the last one, by error, then by code, then by slot.
      float least = 0;
      int32_t code = kNoConfiguration;
      unsigned slot = 0;
      for (unsigned i = 0; i < slots; ++i) {
        const int32_t c = chunk.configuration(i)[item];
        if (c == kNoConfiguration) {
          continue;
        }
        const float e = chunk.estimate(i)[item];
        const bool is_behind =
            found == 0 || e > last_error ||
            (e == last_error && (c > last_code || (c == last_code && i > last_slot)));
        const bool is_lower = code == kNoConfiguration || e < least || (e == least && c < code);
        if (is_behind && is_lower) {
          least = e;
          code = c;
          slot = i;
        }
      }
      if (code == kNoConfiguration) {
        break;
      }
      best[found] = last_code = code;
      errors[found] = last_error = least;
      last_slot = slot;
    }
    if (found > 1 && errors[0] <= small_error * FinishEasy::texels_inside(task, item)) {
      found = 1;
    }
    for (unsigned i = 0; i < kept; ++i) {
      chunk.configuration(i)[item] = i < found ? best[i] : kNoConfiguration;
      chunk.estimate(i)[item] = i < found ? errors[i] : kNoError;
    }
  }
};

// Writes the best of a block's fits, where it is better than what has been written. Of equal errors
// the one that the CPU would fit first.
struct ChooseBest {
  DeviceTask task;
  uint32_t slots;
  const Block128* packed;  // by job

  TESSERA_INLINE void operator()(uint32_t item) const {
    const PictureChunk& chunk = task.chunk;
    const EncodeTables& tables = *task.tables;
    float least = chunk.error[item];
    unsigned number = 0, best = slots;
    for (unsigned i = 0; i < slots; ++i) {
      const int32_t code = chunk.configuration(i)[item];
      if (code == kNoConfiguration) {
        continue;
      }
      const float error = chunk.estimate(i)[item];
      const Configuration configuration = Configuration::of_code(code);
      const unsigned n = tables.number(configuration.family, configuration.candidate);
      if (error < least || (best < slots && error == least && n < number)) {
        least = error;
        number = n;
        best = i;
      }
    }
    if (best < slots) {
      chunk.error[item] = least;
      task.out[chunk.place(item)] = packed[best * chunk.stride + item];
    }
  }
};

// --- From one effort to the next ---

// Lists the blocks that are worth more effort.
struct FindHard {
  DeviceTask task;
  HardRule rule;
  BlockList next, behind_next;

  TESSERA_INLINE void operator()(uint32_t item) const {
    const PictureChunk& chunk = task.chunk;
    const float error = chunk.error[item];
    const float texels = FinishEasy::texels_inside(task, item);
    bool is_hard = rule.is_hard(error, texels);
    if (!is_hard && rule.is_hard_with_alpha(error, texels)) {
      const auto block = static_cast<int32_t>(item);
      uint32_t common = ~0u;
      for_texels(chunk, task.size, &block,
                 [&](unsigned, I32 texel) { common &= lanes::unsigned_of(texel); });
      is_hard = !Rgba8Texels::is_opaque(common);
    }
    if (is_hard) {
      const BlockList& list = rule.steps(error, texels) > 1 ? behind_next : next;
      const uint32_t at = take_place(list.count);
      list.places[at] = chunk.place(item);
      list.errors[at] = error;
    }
  }
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_DEVICE_STAGES_INL_H_
