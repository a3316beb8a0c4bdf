// Stage 5, the class: what a fit of lane_count() blocks holds and how its steps read it. The steps
// are in files of their own, see fit-inl.h.
// Blocks fitted together have the same grid, planes and partitions; ways of storing colours, ranges
// and patterns may differ. About 60 vector operations per texel with one partition and one pass.
// Larger steps are not inlined: a call serves a vector of blocks, and every combination of
// channels, planes and partitions has to be compiled for every target.
#if defined(TESSERA_ASTC_FIT_CLASS_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_CLASS_INL_H_
#undef TESSERA_ASTC_FIT_CLASS_INL_H_
#else
#define TESSERA_ASTC_FIT_CLASS_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/fit_context.h"
#include "astc/encode/lane_families-inl.h"
#include "astc/encode/lane_patterns-inl.h"
#include "astc/encode/line_sums-inl.h"
#ifndef __CUDACC__  // devices do not encode HDR
#include "astc/encode/round_hdr_lines-inl.h"
#endif
#include "astc/encode/round_lines-inl.h"
#include "astc/encode/start_axes-inl.h"
#include "astc/encode/weights-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// What code is compiled for: the format of texels, the channels that are stored, the planes, and
// the partitions (1, 2, or kMaxPartitions for any number above two; two partitions are what most
// partitioned blocks have, and loops of known length are quicker). What a call asks for is asked
// here, too: a driver may compile code for a part of it.
template <class TexelFormat, unsigned kStored, bool kTwoPlanes, unsigned kPartitions>
struct FitShape {
  using Texels = TexelFormat;
  static constexpr unsigned kSlots = kStored;
  static constexpr bool kDual = kTwoPlanes;
  static constexpr unsigned kParts = kPartitions;
  static constexpr bool kPacksTexels = false;  // see SlotValues

  static TESSERA_INLINE bool is_identity(const WeightGrid& grid) { return grid.is_identity; }
  static TESSERA_INLINE bool keeps_best_pass(const FitContext& context) {
    return context.best_pass;
  }
  static TESSERA_INLINE bool needs_error(const FitContext& context) { return context.needs_error; }
  static TESSERA_INLINE bool needs_codes(const FitContext& context) {
    return context.out != nullptr;
  }
  static TESSERA_INLINE bool tries_offsets(const FitContext& context) {
    return context.settings.offsets;
  }
  static TESSERA_INLINE bool weighs_channels(const FitContext& context) {
    return context.settings.weighs_channels();
  }
  static TESSERA_INLINE bool weighs_by_alpha(const FitContext& context) {
    return context.settings.alpha_weight;
  }
  static TESSERA_INLINE EndpointStart start(const FitContext& context) {
    return context.settings.endpoint_start;
  }
  static TESSERA_INLINE bool has_edges(const Chunk& chunk) { return chunk.has_edges; }
};

// Blocks of the chunk, with the grid of all of them and the families and ranges of each.
template <class Texels>
struct FitBatch {
  const FitContext& context;
  const TexelChunk<Texels>& chunk;
  const LaneFamilies& families;
  const WeightGrid& grid;
  LaneLevels levels;      // of the weights
  I32 first_color_entry;  // see color_codes.h
  const int32_t* blocks;  // index in the chunk, one per lane
  I32 block;              // the same
  I32 plane2_channel;
  I32 pattern;
  I32 reduced;  // a bit for each partition but the first
};

struct Move;

// Moves are ranked anew after so many have been tried.
inline constexpr unsigned kMovesAtOnce = 6;

inline constexpr float kRootOf3 = 1.7320508F;

template <class Shape>
class Fit {
 public:
  using Texels = typename Shape::Texels;
  static constexpr unsigned kSlots = Shape::kSlots;
  static constexpr bool kDual = Shape::kDual;
  static constexpr unsigned kParts = Shape::kParts;

  TESSERA_INLINE explicit Fit(const FitBatch<Texels>& batch)
      : batch_(batch),
        partition_count_(batch.families.first().partitions),
        rounding_(decode_rounding(batch.context.settings.decode_mode)),
        texels_(batch.context.size) {
    find_inside(batch.context.size);
    load_texels();
    load_channel_weights();
    if constexpr (kDual) {
      TESSERA_UNROLL
      for (unsigned i = 0; i < kSlots; ++i) {
        texels_.in_plane2[i] =
            batch.plane2_channel == all_lanes(static_cast<int32_t>(channel_of(i)));
      }
    }
    if constexpr (kMany) {
      if (is_divided()) {
        pattern_.load(batch.context.tables.patterns(partitions()), batch.pattern);
      } else {
        pattern_.clear();
      }
      find_reduced();
      find_opaque();
    } else {
      reduced_[0] = lanes::every_lane(false);
    }
  }

  TESSERA_INLINE void run(FitResult& result) {
    weights_from_axes();
    if (Shape::keeps_best_pass(batch_.context)) {
      keep_best_pass(result);
      return;
    }
    for (unsigned pass = 0; pass < batch_.context.passes; ++pass) {
      improve();
    }
    finish(result);
  }

 private:
  static constexpr unsigned kPlanes = kDual ? 2 : 1;
  static constexpr bool kMany = kParts > 1;  // the code knows partitions
  static constexpr bool kIsGrey = kSlots <= 2;
  // The channel of a texel that a slot stores.
  static constexpr unsigned channel_of(unsigned slot) { return channel_of_slot(kSlots, slot); }
  static constexpr unsigned kAlphaSlot = alpha_slot(kSlots);
  static constexpr bool kHasAlpha = kAlphaSlot < kSlots;

  TESSERA_INLINE void find_inside(KernelSize size) {
    inside_ = {Shape::has_edges(batch_.chunk), size, all_lanes(static_cast<int32_t>(size.width)),
               all_lanes(static_cast<int32_t>(size.height)),
               all_lanes(static_cast<int32_t>(size.depth))};
    if (inside_.test) {
      inside_ = inside_of_chunk(batch_.chunk, size, [&](const int32_t* numbers) {
        return lanes::gather(numbers, batch_.block);
      });
    }
  }

  TESSERA_INLINE void load_texels() {
    using Lanes = LaneTexels<Texels>;
    for_texels(batch_.chunk, batch_.context.size, batch_.blocks,
               [&](unsigned t, typename Lanes::Value texel) {
                 texels_.x.set(t, texel,
                               [&](unsigned i) { return Lanes::channel(texel, channel_of(i)); });
               });
  }

  // The first partition is what the number of reduced ones leaves.
  TESSERA_INLINE void find_reduced() {
    I32 others = all_lanes(0);
    TESSERA_UNROLL
    for (unsigned p = 1; p < kParts && p < partitions(); ++p) {
      const I32 bit =
          lanes::shift_right_logical(batch_.reduced, static_cast<int>(p - 1)) & all_lanes(1);
      reduced_[p] = bit == all_lanes(1);
      others = others + bit;
    }
    reduced_[0] =
        others < batch_.families.number_of([](const Family& f) { return f.reduced_count(); });
  }

  // Partitions without alpha, where the family has modes for them.
  TESSERA_INLINE void find_opaque() {
    const LaneMask has_modes =
        batch_.families.lanes_where([](const Family& f) { return f.has_opaque_modes(); });
    TESSERA_UNROLL
    for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
      opaque_[p] = has_modes;
    }
    if (!lanes::any_lane(has_modes)) {
      return;
    }
    TESSERA_UNROLL
    for (unsigned t = 0; t < texel_count(); ++t) {
      const LaneMask has_alpha =
          texels_.x.at(kAlphaSlot % kSlots, t) < all_lanes_f32(Family::kLeastOpaqueAlpha);
      for_parts(
          t, [&](unsigned p, LaneMask is_in) { opaque_[p] = opaque_[p] & !(is_in & has_alpha); });
    }
  }

  TESSERA_INLINE unsigned texel_count() const { return texels_.size.texel_count(); }
  TESSERA_INLINE unsigned partitions() const { return kParts <= 2 ? kParts : partition_count_; }
  TESSERA_INLINE bool is_divided() const { return kMany && partitions() > 1; }

  // Calls work(p, mask) for each partition, mask being the lanes whose texel t is in it.
  template <class Work>
  TESSERA_INLINE void for_parts(unsigned t, const Work& work) const {
    if constexpr (kMany) {
      const I32 partition = pattern_.of_texel(t);
      TESSERA_UNROLL
      for (unsigned p = 0; p < kParts && p < partitions(); ++p) {
        work(p, partition == all_lanes(static_cast<int32_t>(p)));
      }
    }
  }

  // values(p) of the partition that texel t is in.
  template <class Values>
  TESSERA_INLINE F32 of_part(unsigned t, const Values& values) const {
    F32 value = values(0);
    if constexpr (kMany) {
      for_parts(t, [&](unsigned p, LaneMask is_in) {
        if (p > 0) {
          value = lanes::select(is_in, values(p), value);
        }
      });
    }
    return value;
  }

  // What a squared error of a stored channel counts: luminance stands for three.
  TESSERA_INLINE void load_channel_weights() {
    const auto& w = batch_.context.settings.channel_weights;
    TESSERA_UNROLL
    for (unsigned i = 0; i < kSlots; ++i) {
      slot_weight_[i] = kIsGrey && i == 0 ? w[0] + w[1] + w[2] : w[channel_of(i)];
    }
    texels_.weighs_by_alpha = kHasAlpha && Shape::weighs_by_alpha(batch_.context);
    TESSERA_UNROLL
    for (unsigned t = 0; kHasAlpha && texels_.weighs_by_alpha && t < texel_count(); ++t) {
      texels_.visible[t] = texels_.x.at(kAlphaSlot % kSlots, t) * all_lanes_f32(1.0F / 255);
    }
  }

  TESSERA_INLINE F32 weigh(unsigned slot, F32 value) const {
    return value * all_lanes_f32(slot_weight_[slot]);
  }

  // Directions of a plane: those of the other plane's channels are zero.
  TESSERA_INLINE F32 in_plane(unsigned plane, unsigned slot, F32 value) const {
    if constexpr (!kDual) {
      return value;
    } else {
      return lanes::zero_unless(plane == 1 ? texels_.in_plane2[slot] : !texels_.in_plane2[slot],
                                value);
    }
  }

  TESSERA_INLINE F32 position(unsigned texel, const F32 direction[kSlots]) const {
    F32 sum = texels_.x.at(0, texel) * direction[0];
    TESSERA_UNROLL
    for (unsigned i = 1; i < kSlots; ++i) {
      sum = sum + texels_.x.at(i, texel) * direction[i];
    }
    return sum;
  }

  // A line's direction, for each partition of a plane.
  struct Directions {
    F32 of[kParts][kSlots];
  };

  TESSERA_INLINE float root_weight(unsigned slot) const {
    return batch_.context.root_weights[channel_of(slot)] * (kIsGrey && slot == 0 ? kRootOf3 : 1.0F);
  }

  // The texels of a part that lie in the picture.
  template <bool kTest>
  TESSERA_INLINE LaneMask in_part(unsigned t, unsigned part) const {
    const LaneMask is_in = pattern_.is_in(t, part);
    return kTest ? is_in & inside_.mask(t) : is_in;
  }

  // How the error of a partition changes when its endpoints are moved: half the slopes by each end,
  // and how it curves; the line, and 1 by its squared length.
  struct ErrorNear {
    F32 slope_low[kSlots], slope_high[kSlots];
    ErrorForm form[kSlots];
    F32 along[kSlots], per_length[kPlanes];
  };

  // Those that lower the error most, by what sums tell.
  struct BestMoves {
    TESSERA_INLINE explicit BestMoves(unsigned wanted) : count(wanted) {
      for (unsigned i = 0; i < count; ++i) {
        change[i] = all_lanes_f32(0);
        move[i] = all_lanes(0);
      }
    }
    unsigned count;
    F32 change[kMovesAtOnce];
    I32 move[kMovesAtOnce];
  };

  // Where between given endpoints a texel lies: (direction · texel − start) / squared length.
  struct Projection {
    F32 direction[kSlots];
    F32 start, squared_length;
  };

  // fit_start-inl.h
  Directions start_directions(unsigned plane) const;
  void axis_of_part(unsigned p, F32 direction[kSlots]) const;
  void axis_of_block(F32 direction[kSlots]) const;
  void weighted_axis(Covariances& c, F32 direction[kSlots]) const;
  void exclude_plane2(Covariances& c) const;
  void weights_from_axes();

  // fit_weights-inl.h
  void fit_grid(unsigned plane, F32* grid_weight) const;
  void round_weights();
  void project(unsigned plane, unsigned p, Projection& result) const;
  void weights_between();
  void weights_between_by_alpha(unsigned plane, const Projection* of);
  void store_weights(FitResult& result);

  // fit_lines-inl.h
  template <bool kTest>
  void sum_lines(LineSums<kSlots, kPlanes>* sums) const;
  void sum_visible_lines(LineSums<kSlots, kPlanes>* sums) const;
  void sum_parts(LineSums<kSlots, kPlanes>* sums) const;
  F32 counted_texels(const WeightSums<kPlanes>& set) const;
  ErrorForm error_form(const LineSums<kSlots, kPlanes>& s, unsigned slot) const;
  void solve_line(const LineSums<kSlots, kPlanes>& s, Line<kSlots>& line) const;
  RoundingTask rounding_task(unsigned family) const;
  void solve_endpoints();

  // fit_moves-inl.h
  void error_near(const LineSums<kSlots, kPlanes>& s, unsigned p, ErrorNear& near) const;
  F32 change_by_move(const ErrorNear& near, unsigned p, const Endpoints<kSlots>& moved) const;
  void rank_moves(const LineSums<kSlots, kPlanes>& s, unsigned p, BestMoves& best) const;
  void decode_moved(unsigned p, const F32* levels, Endpoints<kSlots>& moved) const;
  void make_move(const Move& move, LaneMask lanes_to_move);
  bool move_endpoints(unsigned tries, F32& least);

  // fit_error-inl.h
  F32 exact_error() const;

  // fit-inl.h
  void improve();
  void store_colors(FitResult& result) const;
  void finish(FitResult& result);
  void rounded_weights_between();
  F32 error_of_endpoints();
  void keep_best_pass(FitResult& result);

  const FitBatch<Texels>& batch_;
  unsigned partition_count_;
  DecodeRounding rounding_;
  Inside inside_;
  LanePatterns pattern_;
  LaneMask reduced_[kParts];  // where modes are mixed
  LaneMask opaque_[kParts];
  RoundedLines<kSlots, kParts> rounded_;
  FitTexels<kSlots, kPlanes, Shape::kPacksTexels> texels_;
  F32 squared_length_[kPlanes][kParts];  // of the lines
  float slot_weight_[kSlots];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_CLASS_INL_H_
