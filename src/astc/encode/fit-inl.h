// Fourth stage: endpoints and weights for lane_count() blocks at a time.
//   1. Weights from the texels' positions on a line (one a partition and plane).
//   2. As often as asked: weights rounded, endpoints by least squares for them, rounded to the
//      colour range; weights again, from the positions between the rounded endpoints.
//   3. Weights rounded for good; the exact error of what the decoder will see.
// Blocks fitted together have the same grid, planes, partitions and ways of storing colours; ranges
// and patterns may differ. About 60 vector operations a texel with one partition and one pass.
// Larger steps are not inlined: a call serves a vector of blocks, and every combination of
// channels, planes and partitions has to be compiled for every instruction set.
#if defined(TESSERA_ASTC_FIT_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_INL_H_
#undef TESSERA_ASTC_FIT_INL_H_
#else
#define TESSERA_ASTC_FIT_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/endpoint_steps-inl.h"
#include "astc/encode/fit_context.h"
#include "astc/encode/lane_patterns-inl.h"
#include "astc/encode/line_sums-inl.h"
#include "astc/encode/round_lines-inl.h"
#include "astc/encode/start_axes-inl.h"
#include "astc/encode/weights-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

// Blocks of the chunk, with the family and grid of all of them and the ranges of each.
struct FitBatch {
  const FitContext& context;
  const Chunk& chunk;
  Family family;
  const WeightGrid& grid;
  LaneLevels levels;      // of the weights
  I32 first_color_entry;  // see color_codes.h
  const int32_t* blocks;  // index in the chunk, a lane each
  I32 block;              // the same
  I32 plane2_channel;
  I32 pattern;
  I32 plainer;  // a bit for each partition but the first
};

inline constexpr float kRootOf3 = 1.7320508F;

// kParts: 1, 2, or kMaxPartitions for any number above two. Two partitions are what most
// partitioned blocks have, and loops of known length are quicker.
template <unsigned kSlots, bool kDual, unsigned kParts>
class Fit {
 public:
  TESSERA_INLINE explicit Fit(const FitBatch& batch)
      : batch_(batch),
        partition_count_(batch.family.partitions),
        rounding_(decode_rounding(batch.context.settings.decode_mode)) {
    texels_.count = batch.context.size.texel_count();
    find_inside(batch.context.size);
    load_texels();
    load_channel_weights();
    if constexpr (kDual) {
      for (unsigned i = 0; i < kSlots; ++i) {
        texels_.in_plane2[i] =
            batch.plane2_channel == all_lanes(static_cast<int32_t>(kShift[i] / 8));
      }
    }
    if constexpr (kMany) {
      pattern_.load(pattern_table(batch.context.size, partitions()), batch.pattern);
      find_plainer();
    } else {
      plainer_[0] = lanes::every_lane(false);
    }
  }

  TESSERA_INLINE void run(FitResult& result) {
    weights_from_axes();
    if (batch_.context.best_pass) {
      keep_best_pass(result);
      return;
    }
    for (unsigned pass = 0; pass < batch_.context.passes; ++pass) {
      improve();
    }
    finish(result);
  }

 private:
  // One pass of least squares.
  TESSERA_NOINLINE void improve() {
    round_weights();
    solve_endpoints();
    weights_between();
  }

  TESSERA_NOINLINE void finish(FitResult& result) {
    store_weights(result);
    if (batch_.context.out != nullptr) {
      stored_codes(rounding_task(), rounded_, result.colors);
      result.mode_fields = mode_fields(rounding_task(), rounded_);
    }
    if (batch_.context.needs_error) {
      result.error = exact_error();
    }
  }

  // The passes go on from rounded weights; the best endpoints of all of them are kept.
  TESSERA_INLINE void keep_best_pass(FitResult& result) {
    F32 least = all_lanes_f32(1e30F);
    RoundedLines<kSlots, kParts> best;
    round_weights();
    for (unsigned pass = 0; pass < batch_.context.passes; ++pass) {
      solve_endpoints();
      const F32 error = error_of_endpoints();
      const LaneMask better = error < least;
      least = lanes::min(error, least);
      for (unsigned p = 0; p < partitions(); ++p) {
        if (pass == 0) {
          best.ends[p] = rounded_.ends[p];
          best.has_offsets[p] = rounded_.has_offsets[p];
          continue;
        }
        take_ends(better, rounded_.ends[p], best.ends[p]);
        best.has_offsets[p] = (better & rounded_.has_offsets[p]) | (!better & best.has_offsets[p]);
      }
    }
    rounded_ = best;
    for (unsigned sweep = 0; sweep < batch_.context.endpoint_sweeps; ++sweep) {
      step_endpoints(least);
    }
    weights_between();
    finish(result);
  }

  // The exact error with the best weights for the endpoints; the weights are left rounded.
  TESSERA_NOINLINE F32 error_of_endpoints() {
    weights_between();
    round_weights();
    return exact_error();
  }

  // Moves every stored value a level up or down where that lowers the error.
  TESSERA_NOINLINE void step_endpoints(F32& least) {
    for (unsigned p = 0; p < partitions(); ++p) {
      step_endpoints_of_part(p, least);
    }
  }

  TESSERA_INLINE void step_endpoints_of_part(unsigned p, F32& least) {
    const ColorSteps& steps = color_steps();
    const ColorCodes values = {steps.value.data(), batch_.first_color_entry};
    Endpoints<kSlots>& ends = rounded_.ends[p];
    const LaneMask is_plain = !rounded_.has_offsets[p];  // offsets mean something else
    F32 levels[2 * kSlots];
    stored_levels(values, ends, levels);
    const unsigned stored = batch_.family.values_of_part(batch_.family.storage());
    for (unsigned i = 0; i < 2 * stored; ++i) {
      const unsigned value = i / 2;
      const Endpoints<kSlots> before = ends;
      const F32 level_before = levels[value];
      const ColorCodes next = {i % 2 != 0 ? steps.up.data() : steps.down.data(), values.first};
      const I32 code = next.entry(before.codes[value]);
      levels[value] = lanes::to_f32(values.entry(code));
      Endpoints<kSlots> moved = before;
      moved.codes[value] = code;
      decode_levels<kSlots>(batch_.family, plainer_[p], levels, moved);
      take_ends(is_plain, moved, ends);
      const F32 error = error_of_endpoints();
      const LaneMask worse = !(error < least);
      take_ends(worse, before, ends);
      levels[value] = lanes::select(worse, level_before, levels[value]);
      least = lanes::min(error, least);
    }
  }

  static constexpr unsigned kPlanes = kDual ? 2 : 1;
  static constexpr bool kMany = kParts > 1;
  static constexpr bool kIsGrey = kSlots <= 2;
  // Where a stored channel lies in a texel.
  static constexpr unsigned kShift[4] = {0, kSlots == 2 ? 24 : 8, 16, 24};
  static constexpr unsigned kAlphaSlot = alpha_slot(kSlots);
  static constexpr bool kHasAlpha = kAlphaSlot < kSlots;

  TESSERA_INLINE void find_inside(BlockSize size) {
    inside_ = {batch_.chunk.has_edges, all_lanes(size.x), all_lanes(size.y), size.x};
    if (inside_.test) {
      inside_.x = lanes::gather(batch_.chunk.inside_x.data(), batch_.block);
      inside_.y = lanes::gather(batch_.chunk.inside_y.data(), batch_.block);
    }
  }

  TESSERA_INLINE void load_texels() {
    const I32 low_byte = all_lanes(0xFF);
    for_texels(batch_.chunk, batch_.context.size, batch_.blocks, [&](unsigned t, I32 rgba) {
      for (unsigned i = 0; i < kSlots; ++i) {
        texels_.x[i][t] =
            lanes::to_f32(lanes::shift_right_logical(rgba, static_cast<int>(kShift[i])) & low_byte);
      }
    });
  }

  // The first partition is what the number of plainer ones leaves.
  TESSERA_INLINE void find_plainer() {
    I32 others = all_lanes(0);
    for (unsigned p = 1; p < partitions(); ++p) {
      const I32 bit =
          lanes::shift_right_logical(batch_.plainer, static_cast<int>(p - 1)) & all_lanes(1);
      plainer_[p] = bit == all_lanes(1);
      others = others + bit;
    }
    plainer_[0] = others < all_lanes(static_cast<int32_t>(batch_.family.plainer_count()));
  }

  TESSERA_INLINE unsigned partitions() const { return kParts <= 2 ? kParts : partition_count_; }

  // Calls work(p, mask) for each partition, mask being the lanes whose texel t is in it.
  template <class Work>
  TESSERA_INLINE void for_parts(unsigned t, const Work& work) const {
    if constexpr (kMany) {
      const I32 partition = pattern_.of_texel(t);
      for (unsigned p = 0; p < partitions(); ++p) {
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
    for (unsigned i = 0; i < kSlots; ++i) {
      slot_weight_[i] = kIsGrey && i == 0 ? w[0] + w[1] + w[2] : w[kShift[i] / 8];
    }
    texels_.weighs_by_alpha = batch_.context.settings.alpha_weight && kHasAlpha;
    for (unsigned t = 0; kHasAlpha && texels_.weighs_by_alpha && t < texels_.count; ++t) {
      texels_.visible[t] = texels_.x[kAlphaSlot % kSlots][t] * all_lanes_f32(1.0F / 255);
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
    F32 sum = texels_.x[0][texel] * direction[0];
    for (unsigned i = 1; i < kSlots; ++i) {
      sum = sum + texels_.x[i][texel] * direction[i];
    }
    return sum;
  }

  // A line's direction, for each partition of a plane.
  struct Directions {
    F32 of[kParts][kSlots];
  };

  TESSERA_INLINE Directions start_directions(unsigned plane) const {
    Directions result;
    if (plane == 1) {
      for (unsigned p = 0; p < partitions(); ++p) {
        for (unsigned i = 0; i < kSlots; ++i) {
          result.of[p][i] = in_plane(1, i, all_lanes_f32(1));
        }
      }
      return result;
    }
    for (unsigned p = 0; p < partitions(); ++p) {
      axis_of_part(p, result.of[p]);
      for (unsigned i = 0; i < kSlots; ++i) {
        result.of[p][i] = in_plane(0, i, result.of[p][i]);
      }
    }
    return result;
  }

  TESSERA_INLINE void axis_of_part(unsigned p, F32 direction[kSlots]) const {
    const EndpointStart start = batch_.context.settings.endpoint_start;
    if constexpr (!kMany) {
      if (start == EndpointStart::kPca) {
        axis_of_block(direction);
        return;
      }
    }
    const auto weight = [&](unsigned t) {  // 1 for texels that count
      F32 w = inside_.keep(t, all_lanes_f32(1));
      for_parts(t, [&](unsigned q, LaneMask is_in) {
        if (q == p) {
          w = lanes::zero_unless(is_in, w);
        }
      });
      return w;
    };
    PartAxes<kSlots> axes(texels_.x, texels_.count, weight);
    if (start == EndpointStart::kPca) {
      Covariances c = axes.covariances();
      for (unsigned i = 0; i < kSlots; ++i) {
        for (unsigned k = 0; k < kSlots; ++k) {
          c.at[i][k] = c.at[i][k] * all_lanes_f32(root_weight(i) * root_weight(k));
        }
      }
      weighted_axis(c, direction);
    } else {
      axes.simple_axis(start, direction);
    }
  }

  // The ranking knows the line of all colour channels; others follow from its covariances.
  TESSERA_INLINE void axis_of_block(F32 direction[kSlots]) const {
    if constexpr (kIsGrey || kDual) {
      Covariances c;
      gather_slot_covariances<kSlots>(batch_.block, batch_.chunk, c);
      weighted_axis(c, direction);
    } else {
      for (unsigned i = 0; i < kSlots; ++i) {
        direction[i] = lanes::gather(batch_.chunk.axis[i].data(), batch_.block) *
                       all_lanes_f32(root_weight(i));
      }
    }
  }

  TESSERA_INLINE float root_weight(unsigned slot) const {
    return batch_.context.root_weights[kShift[slot] / 8] * (kIsGrey && slot == 0 ? kRootOf3 : 1.0F);
  }

  // `c` is of channels scaled by the roots of their weights; the direction is to be taken with
  // texels as they are.
  TESSERA_INLINE void weighted_axis(Covariances& c, F32 direction[kSlots]) const {
    exclude_plane2(c);
    const Axis axis = principal_axis<kSlots>(c);
    for (unsigned i = 0; i < kSlots; ++i) {
      direction[i] = axis.direction[i] * all_lanes_f32(root_weight(i));
    }
  }

  TESSERA_INLINE void exclude_plane2(Covariances& c) const {
    if constexpr (kDual) {
      for (unsigned i = 0; i < kSlots; ++i) {
        for (unsigned k = 0; k < kSlots; ++k) {
          c.at[i][k] =
              lanes::zero_unless(!(texels_.in_plane2[i] | texels_.in_plane2[k]), c.at[i][k]);
        }
      }
    }
  }

  // Ideal weights 0…64 between the extreme positions along the axes.
  TESSERA_NOINLINE void weights_from_axes() {
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      const Directions directions = start_directions(plane);
      F32* weight = texels_.weight[plane];
      F32 low[kParts], high[kParts];
      for (unsigned p = 0; p < partitions(); ++p) {
        low[p] = all_lanes_f32(1e30F);
        high[p] = all_lanes_f32(-1e30F);
      }
      for (unsigned t = 0; t < texels_.count; ++t) {
        weight[t] = of_part(t, [&](unsigned p) { return position(t, directions.of[p]); });
        if constexpr (kMany) {
          for_parts(t, [&](unsigned p, LaneMask is_in) {
            low[p] = lanes::select(is_in, lanes::min(low[p], weight[t]), low[p]);
            high[p] = lanes::select(is_in, lanes::max(high[p], weight[t]), high[p]);
          });
        } else {
          low[0] = lanes::min(low[0], weight[t]);
          high[0] = lanes::max(high[0], weight[t]);
        }
      }
      F32 scale[kParts];
      for (unsigned p = 0; p < partitions(); ++p) {
        scale[p] = safe_ratio(all_lanes_f32(64), high[p] - low[p]);
        squared_length_[plane][p] = squared(high[p] - low[p]);
      }
      for (unsigned t = 0; t < texels_.count; ++t) {
        weight[t] = of_part(t, [&](unsigned p) { return (weight[t] - low[p]) * scale[p]; });
      }
    }
  }

  // Rounded weights of the grid, as the decoder sees them, for the ideal ones of the texels.
  TESSERA_NOINLINE void fit_grid(unsigned plane, F32* grid_weight) const {
    const LaneLevels& levels = batch_.levels;
    const F32* ideal = texels_.weight[plane];
    if (batch_.grid.is_identity) {
      for (unsigned t = 0; t < texels_.count; ++t) {
        grid_weight[t] = quantize_weight(ideal[t], levels);
      }
      return;
    }
    decimate(batch_.grid, batch_.context.size, ideal, grid_weight);
    for (unsigned i = 0; i < batch_.grid.size.count(); ++i) {
      grid_weight[i] = quantize_weight(grid_weight[i], levels);
    }
    const unsigned sweeps = batch_.context.weight_sweeps;
    if (sweeps == 0) {
      return;
    }
    if (!kMany && !inside_.test) {
      descend<false>(batch_.grid, levels, ideal, nullptr, sweeps, grid_weight);
      return;
    }
    F32 importance[kMaxTexels2d];
    for (unsigned t = 0; t < texels_.count; ++t) {
      importance[t] =
          inside_.keep(t, kMany ? of_part(t, [&](unsigned p) { return squared_length_[plane][p]; })
                                : all_lanes_f32(1));
    }
    descend<true>(batch_.grid, levels, ideal, importance, sweeps, grid_weight);
  }

  // Replaces ideal weights of texels by what the decoder makes of rounded ones.
  TESSERA_INLINE void round_weights() {
    F32 grid_weight[kMaxTexels2d];
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      if (batch_.grid.is_identity) {
        fit_grid(plane, texels_.weight[plane]);
      } else {
        fit_grid(plane, grid_weight);
        infill(batch_.grid, grid_weight, texels_.weight[plane]);
      }
    }
  }

  TESSERA_INLINE void solve_endpoints() {
    LineSums<kSlots, kPlanes> sums[kParts];
    if (kHasAlpha && texels_.weighs_by_alpha) {
      sum_visible_lines(sums);
    } else if (inside_.test) {
      sum_lines<true>(sums);
    } else {
      sum_lines<false>(sums);
    }
    Line<kSlots> lines[kParts];
    for (unsigned p = 0; p < partitions(); ++p) {
      solve_line(sums[p], lines[p]);
    }
    round_lines(rounding_task(), lines, rounded_);
  }

  // The texels of a part that lie in the picture.
  template <bool kTest>
  TESSERA_INLINE LaneMask in_part(unsigned t, unsigned part) const {
    const LaneMask is_in = pattern_.is_in(t, part);
    return kTest ? is_in & inside_.mask(t) : is_in;
  }

  // All numbers are whole and below 2^24, so the first part is exactly what the others leave.
  template <bool kTest>
  TESSERA_INLINE void sum_lines(LineSums<kSlots, kPlanes>* sums) const {
    sum_texels<kTest>(
        texels_, [&](unsigned t) { return inside_.mask(t); }, sums[0]);
    sums[0].set[0].n = lanes::to_f32(inside_.x * inside_.y);
    for (unsigned p = 1; kMany && p < partitions(); ++p) {
      sum_texels<true>(
          texels_, [&](unsigned t) { return in_part<kTest>(t, p); }, sums[p]);
      sums[0].subtract(sums[p]);
    }
    for (unsigned p = 0; kHasAlpha && p < partitions(); ++p) {
      sums[p].set[1] = sums[p].set[0];
    }
  }

  // The same with colours that count by the texel's alpha.
  TESSERA_INLINE void sum_visible_lines(LineSums<kSlots, kPlanes>* sums) const {
    for (unsigned p = 0; p < partitions(); ++p) {
      sum_visible_texels(
          texels_, [&](unsigned t) { return kMany ? in_part<true>(t, p) : inside_.mask(t); },
          sums[p]);
    }
  }

  TESSERA_INLINE void solve_line(const LineSums<kSlots, kPlanes>& s, Line<kSlots>& line) const {
    const auto clamp = [](F32 v) {
      return lanes::min(lanes::max(v, all_lanes_f32(0)), all_lanes_f32(255));
    };
    for (unsigned i = 0; i < kSlots; ++i) {
      const WeightSums<kPlanes>& set = s.set[i == kAlphaSlot ? 1 : 0];
      // A partition whose texels all lie outside the picture may be anything.
      const F32 n = kMany || kHasAlpha ? lanes::max(set.n, all_lanes_f32(1.0F / 256)) : set.n;
      const F32 w = texels_.of_slot(i, set.w), ww = texels_.of_slot(i, set.ww);
      // The quotients are the same for the channels of a plane, which the compiler sees.
      const F32 slope = (n * s.wx[i] - w * s.x[i]) * safe_ratio(all_lanes_f32(1), n * ww - w * w);
      const F32 start = (s.x[i] - slope * w) * (all_lanes_f32(1) / n);
      line.low[i] = clamp(start);
      line.high[i] = clamp(start + slope * all_lanes_f32(64));
      ErrorForm& form = line.form[i];
      const F32 share = w * all_lanes_f32(1.0F / 64);
      form.bb = ww * all_lanes_f32(1.0F / 4096);
      form.ab = share - form.bb;
      form.aa = n - share - form.ab;
      form.ab_per_bb = safe_ratio(form.ab, form.bb);
      if (batch_.context.settings.weighs_channels()) {
        form.aa = weigh(i, form.aa);
        form.ab = weigh(i, form.ab);
        form.bb = weigh(i, form.bb);
      }
    }
  }

  TESSERA_INLINE RoundingTask rounding_task() const {
    return {batch_.family, batch_.first_color_entry, partitions(), batch_.context.settings.offsets,
            plainer_};
  }

  // Where between given endpoints a texel lies: (direction · texel − start) / squared length.
  struct Projection {
    F32 direction[kSlots];
    F32 start, squared_length;
  };

  TESSERA_INLINE void project(unsigned plane, unsigned p, Projection& result) const {
    result.squared_length = result.start = all_lanes_f32(0);
    for (unsigned i = 0; i < kSlots; ++i) {
      const F32 step = in_plane(plane, i, rounded_.ends[p].high[i] - rounded_.ends[p].low[i]);
      result.direction[i] = weigh(i, step);
      result.squared_length = result.squared_length + result.direction[i] * step;
      result.start = result.start + rounded_.ends[p].low[i] * result.direction[i];
    }
  }

  // Ideal weights between given endpoints.
  TESSERA_INLINE void weights_between() {
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      Projection of[kParts];
      for (unsigned p = 0; p < partitions(); ++p) {
        project(plane, p, of[p]);
        squared_length_[plane][p] = of[p].squared_length;
      }
      if (texels_.weighs_by_alpha) {
        weights_between_by_alpha(plane, of);
        continue;
      }
      for (unsigned p = 0; p < partitions(); ++p) {
        const F32 scale = safe_ratio(all_lanes_f32(64), of[p].squared_length);
        for (unsigned i = 0; i < kSlots; ++i) {
          of[p].direction[i] = of[p].direction[i] * scale;
        }
        of[p].start = of[p].start * scale;
      }
      for (unsigned t = 0; t < texels_.count; ++t) {
        texels_.weight[plane][t] =
            of_part(t, [&](unsigned p) { return position(t, of[p].direction) - of[p].start; });
      }
    }
  }

  // Colours count by the texel's alpha, alpha itself fully.
  TESSERA_INLINE void weights_between_by_alpha(unsigned plane, const Projection* of) {
    for (unsigned t = 0; t < texels_.count; ++t) {
      texels_.weight[plane][t] = of_part(t, [&](unsigned p) {
        const F32 step = in_plane(
            plane, kAlphaSlot % kSlots,
            rounded_.ends[p].high[kAlphaSlot % kSlots] - rounded_.ends[p].low[kAlphaSlot % kSlots]);
        const F32 alpha_direction = of[p].direction[kAlphaSlot % kSlots];
        const F32 alpha_length = alpha_direction * step;
        const F32 alpha_position =
            (texels_.x[kAlphaSlot % kSlots][t] - rounded_.ends[p].low[kAlphaSlot % kSlots]) *
            alpha_direction;
        const F32 all = position(t, of[p].direction) - of[p].start;
        const F32 length =
            (of[p].squared_length - alpha_length) * texels_.visible[t] + alpha_length;
        return safe_ratio(
            ((all - alpha_position) * texels_.visible[t] + alpha_position) * all_lanes_f32(64),
            length);
      });
    }
  }

  // Ideal weights of texels become rounded ones of the grid, and texels_.weight what the decoder
  // sees.
  TESSERA_INLINE void store_weights(FitResult& result) {
    F32 grid_weight[kMaxTexels2d];
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      F32* const rounded = batch_.grid.is_identity ? texels_.weight[plane] : grid_weight;
      fit_grid(plane, rounded);
      for (unsigned i = 0; batch_.context.out != nullptr && i < batch_.grid.size.count(); ++i) {
        result.weights[i * kPlanes + plane] = rounded[i];
      }
      if (batch_.context.needs_error && !batch_.grid.is_identity) {
        infill(batch_.grid, grid_weight, texels_.weight[plane]);
      }
    }
  }

  // Sum of squared differences between the texels and what the decoder makes of the block, in
  // 8-bit steps. All numbers are whole and below 2^24, so floats hold them exactly.
  TESSERA_NOINLINE F32 exact_error() const {
    F32 base[kParts][kSlots], slope[kParts][kSlots];
    for (unsigned p = 0; p < partitions(); ++p) {
      for (unsigned i = 0; i < kSlots; ++i) {
        base[p][i] = (rounded_.ends[p].low[i] * all_lanes_f32(rounding_.widen) +
                      all_lanes_f32(rounding_.offset)) *
                         all_lanes_f32(64) +
                     all_lanes_f32(32);
        slope[p][i] =
            (rounded_.ends[p].high[i] - rounded_.ends[p].low[i]) * all_lanes_f32(rounding_.widen);
      }
    }
    F32 error = all_lanes_f32(0);
    for (unsigned t = 0; t < texels_.count; ++t) {
      F32 w[kPlanes];
      for (unsigned plane = 0; plane < kPlanes; ++plane) {
        w[plane] = texels_.weight[plane][t];
      }
      F32 of_texel = all_lanes_f32(0);
      for (unsigned i = 0; i < kSlots; ++i) {
        const F32 sum = of_part(t, [&](unsigned p) { return base[p][i]; }) +
                        of_part(t, [&](unsigned p) { return slope[p][i]; }) * texels_.of_slot(i, w);
        const F32 whole = lanes::to_f32(lanes::truncate_to_i32(sum * all_lanes_f32(1.0F / 64)));
        const F32 wide =
            lanes::float_of_bits(lanes::float_bits(whole) & all_lanes(rounding_.kept_bits));
        const F32 value = lanes::to_f32(lanes::truncate_to_i32(
            wide * all_lanes_f32(rounding_.narrow) + all_lanes_f32(rounding_.rounding)));
        const F32 difference = value - texels_.x[i][t];
        const F32 counted = weigh(i, difference * difference);
        of_texel =
            of_texel +
            (texels_.weighs_by_alpha && i != kAlphaSlot ? counted * texels_.visible[t] : counted);
      }
      error = error + inside_.keep(t, of_texel);
    }
    return error;
  }

  const FitBatch& batch_;
  unsigned partition_count_;
  DecodeRounding rounding_;
  Inside inside_;
  LanePatterns pattern_;
  LaneMask plainer_[kParts];  // where modes are mixed
  RoundedLines<kSlots, kParts> rounded_;
  FitTexels<kSlots, kPlanes> texels_;
  F32 squared_length_[kPlanes][kParts];  // of the lines
  float slot_weight_[kSlots];
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_FIT_INL_H_
