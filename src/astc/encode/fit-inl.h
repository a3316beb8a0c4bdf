// Fourth stage: endpoints and weights of one block mode family for lane_count()
// blocks.
//   1. Weights from the texels' positions on the line found by the analysis,
//   rounded.
//   2. Endpoints by least squares for those weights, rounded to the colour
//   range.
//   3. Weights again, from the positions between the rounded endpoints.
// Blocks fitted together have the same mode: grid, ranges, number of planes and
// endpoint mode. About 60 vector operations a texel.
#if defined(TESSERA_ASTC_FIT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_FIT_INL_H_
#undef TESSERA_ASTC_FIT_INL_H_
#else
#define TESSERA_ASTC_FIT_INL_H_
#endif

#include "astc/encode/analyse-inl.h"
#include "astc/encode/candidates.h"
#include "astc/encode/endpoints-inl.h"
#include "astc/encode/weights-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera::astc::HWY_NAMESPACE {

// What is asked of a fit: blocks of the chunk, and the mode for all of them.
struct FitBatch {
  const Chunk& chunk;
  BlockSize size;
  const WeightGrid& grid;
  const Candidate& candidate;
  I32 block;  // index in the chunk
};

template <ColorClass kClass, bool kDual>
class Fit {
 public:
  HWY_INLINE explicit Fit(const FitBatch& batch)
      : batch_(batch), texel_count_(batch.size.texel_count()) {
    inside_ = {batch.chunk.has_edges, lanes::gather(batch.chunk.inside_x.data(), batch.block),
               lanes::gather(batch.chunk.inside_y.data(), batch.block), batch.size.x};
    load_texels();
    if constexpr (kDual) {
      const I32 plane2 = lanes::gather(batch.chunk.plane2_channel.data(), batch.block);
      for (unsigned i = 0; i < kSlots; ++i) {
        in_plane2_[i] = plane2 == all_lanes(static_cast<int32_t>(kShift[i] / 8));
      }
    }
  }

  HWY_INLINE void run(FitResult& result) {
    weights_from_axis();
    round_weights();
    const Endpoints<kSlots> ends = solve_endpoints();
    weights_between(ends);
    store_weights(result);
    store_colors(ends, result);
  }

 private:
  static constexpr unsigned kSlots = stored_channels(kClass);
  static constexpr unsigned kPlanes = kDual ? 2 : 1;
  static constexpr bool kIsGrey = kSlots <= 2;
  // Where a stored channel lies in a texel.
  static constexpr unsigned kShift[4] = {0, kSlots == 2 ? 24 : 8, 16, 24};

  HWY_INLINE void load_texels() {
    const I32 low_byte = all_lanes(0xFF);
    for (unsigned t = 0; t < texel_count_; ++t) {
      const I32 rgba = lanes::gather(batch_.chunk.texel_row(t), batch_.block);
      for (unsigned i = 0; i < kSlots; ++i) {
        x_[i][t] =
            lanes::to_f32(lanes::shift_right_logical(rgba, static_cast<int>(kShift[i])) & low_byte);
      }
    }
  }

  // Errors of a grey block count three times.
  static HWY_INLINE F32 weigh(unsigned slot, F32 value) {
    return kIsGrey && slot == 0 ? value * all_lanes_f32(3) : value;
  }

  // Directions of a plane: those of the other plane's channels are zero.
  HWY_INLINE F32 in_plane(unsigned plane, unsigned slot, F32 value) const {
    if constexpr (!kDual) {
      return value;
    } else {
      return lanes::zero_unless(plane == 1 ? in_plane2_[slot] : !in_plane2_[slot], value);
    }
  }

  HWY_INLINE F32 position(unsigned texel, const F32 direction[kSlots]) const {
    F32 sum = x_[0][texel] * direction[0];
    for (unsigned i = 1; i < kSlots; ++i) {
      sum = sum + x_[i][texel] * direction[i];
    }
    return sum;
  }

  // Ideal weights 0…64 between the extreme positions along the axis.
  HWY_INLINE void weights_from_axis() {
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      F32 direction[kSlots];
      for (unsigned i = 0; i < kSlots; ++i) {
        direction[i] = plane == 1 ? in_plane(1, i, all_lanes_f32(1)) : axis_of_slot(i);
      }
      F32* weight = weight_[plane];
      F32 low = position(0, direction), high = low;
      for (unsigned t = 0; t < texel_count_; ++t) {
        weight[t] = position(t, direction);
        low = lanes::min(low, weight[t]);
        high = lanes::max(high, weight[t]);
      }
      const F32 scale = safe_quotient(all_lanes_f32(64), high - low);
      for (unsigned t = 0; t < texel_count_; ++t) {
        weight[t] = (weight[t] - low) * scale;
      }
    }
  }

  HWY_INLINE F32 axis_of_slot(unsigned slot) const {
    const auto component = [&](unsigned channel) {
      return lanes::gather(batch_.chunk.axis[channel].data(), batch_.block);
    };
    if (kIsGrey && slot == 0) {
      return component(0) + component(1) + component(2);
    }
    return component(kShift[slot] / 8);
  }

  // 0 where the divisor is not positive.
  static HWY_INLINE F32 safe_quotient(F32 dividend, F32 divisor) {
    const LaneMask usable = divisor > all_lanes_f32(0);
    return lanes::zero_unless(usable, dividend / lanes::select(usable, divisor, all_lanes_f32(1)));
  }

  // Replaces ideal weights of texels by what the decoder makes of rounded ones.
  HWY_INLINE void round_weights() {
    const WeightLevels& levels = kWeightLevels[range_index(batch_.candidate.weight_range)];
    F32 grid_weight[kMaxTexels2d];
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      F32* weight = weight_[plane];
      if (batch_.grid.is_identity) {
        for (unsigned t = 0; t < texel_count_; ++t) {
          weight[t] = quantize_weight(weight[t], levels);
        }
        continue;
      }
      decimate(batch_.grid, batch_.size, weight, grid_weight);
      for (unsigned i = 0; i < batch_.grid.size.count(); ++i) {
        grid_weight[i] = quantize_weight(grid_weight[i], levels);
      }
      infill(batch_.grid, grid_weight, weight);
    }
  }

  // Sums over texels for the straight line channel = start + weight · slope.
  struct LineSums {
    F32 w, ww;
  };

  HWY_INLINE Endpoints<kSlots> solve_endpoints() const {
    const F32 zero = all_lanes_f32(0);
    LineSums sums[kPlanes];
    for (LineSums& s : sums) {
      s = {zero, zero};
    }
    F32 x[kSlots], wx[kSlots];
    for (unsigned i = 0; i < kSlots; ++i) {
      x[i] = wx[i] = zero;
    }
    for (unsigned t = 0; t < texel_count_; ++t) {
      F32 w[2];
      for (unsigned plane = 0; plane < kPlanes; ++plane) {
        w[plane] = inside_.keep(t, weight_[plane][t]);
        sums[plane].w = sums[plane].w + w[plane];
        sums[plane].ww = sums[plane].ww + w[plane] * w[plane];
      }
      for (unsigned i = 0; i < kSlots; ++i) {
        x[i] = x[i] + inside_.keep(t, x_[i][t]);
        wx[i] = wx[i] + of_slot(i, w) * x_[i][t];
      }
    }
    return round_line(sums, x, wx);
  }

  // The plane's value for a channel.
  HWY_INLINE F32 of_slot(unsigned slot, const F32 value[2]) const {
    if constexpr (kDual) {
      return lanes::select(in_plane2_[slot], value[1], value[0]);
    } else {
      return value[0];
    }
  }

  HWY_INLINE Endpoints<kSlots> round_line(const LineSums sums[kPlanes], const F32 x[kSlots],
                                          const F32 wx[kSlots]) const {
    const F32 n = lanes::to_f32(inside_.x * inside_.y);
    const F32 per_texel = all_lanes_f32(1) / n;
    F32 w[2], per_determinant[2];
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      w[plane] = sums[plane].w;
      per_determinant[plane] =
          safe_quotient(all_lanes_f32(1), n * sums[plane].ww - w[plane] * w[plane]);
    }
    F32 low[kSlots], high[kSlots];
    const auto clamp = [](F32 v) {
      return lanes::min(lanes::max(v, all_lanes_f32(0)), all_lanes_f32(255));
    };
    for (unsigned i = 0; i < kSlots; ++i) {
      const F32 slope = (n * wx[i] - of_slot(i, w) * x[i]) * of_slot(i, per_determinant);
      const F32 start = (x[i] - slope * of_slot(i, w)) * per_texel;
      low[i] = clamp(start);
      high[i] = clamp(start + slope * all_lanes_f32(64));
    }
    return quantize_endpoints<kSlots>(low, high, color_codes(batch_.candidate.color_range));
  }

  // Ideal weights between given endpoints.
  HWY_INLINE void weights_between(const Endpoints<kSlots>& ends) {
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      F32 direction[kSlots];
      F32 squared_length = all_lanes_f32(0), start = squared_length;
      for (unsigned i = 0; i < kSlots; ++i) {
        const F32 step = in_plane(plane, i, ends.high[i] - ends.low[i]);
        direction[i] = weigh(i, step);
        squared_length = squared_length + direction[i] * step;
        start = start + ends.low[i] * direction[i];
      }
      const F32 scale = safe_quotient(all_lanes_f32(64), squared_length);
      for (unsigned i = 0; i < kSlots; ++i) {
        direction[i] = direction[i] * scale;
      }
      start = start * scale;
      for (unsigned t = 0; t < texel_count_; ++t) {
        weight_[plane][t] = position(t, direction) - start;
      }
    }
  }

  HWY_INLINE void store_weights(FitResult& result) {
    F32 buffer[kPlanes][kMaxTexels2d];
    const unsigned count = batch_.grid.size.count();
    const F32* ideal[kPlanes];
    for (unsigned plane = 0; plane < kPlanes; ++plane) {
      ideal[plane] = weight_[plane];
      if (!batch_.grid.is_identity) {
        decimate(batch_.grid, batch_.size, weight_[plane], buffer[plane]);
        ideal[plane] = buffer[plane];
      }
    }
    const WeightLevels& levels = kWeightLevels[range_index(batch_.candidate.weight_range)];
    const WeightCoder coder(batch_.candidate.weight_range);
    for (unsigned i = 0; i < count; ++i) {
      for (unsigned plane = 0; plane < kPlanes; ++plane) {
        result.weights[i * kPlanes + plane] = coder.code(fold_and_round(ideal[plane][i], levels));
      }
    }
  }

  HWY_INLINE void store_colors(const Endpoints<kSlots>& ends, FitResult& result) const {
    const unsigned bits = range_info(batch_.candidate.color_range).bits;
    const I32 plain = all_lanes((1 << bits) - 1);
    for (unsigned i = 0; i < 2 * kSlots; ++i) {
      result.colors[i] = {ends.codes[i] & plain,
                          lanes::shift_right_logical(ends.codes[i], static_cast<int>(bits))};
    }
  }

  const FitBatch& batch_;
  unsigned texel_count_;
  Inside inside_;
  LaneMask in_plane2_[kSlots];
  F32 x_[kSlots][kMaxTexels2d];
  F32 weight_[kPlanes][kMaxTexels2d];
};

}  // namespace tessera::astc::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // TESSERA_ASTC_FIT_INL_H_
