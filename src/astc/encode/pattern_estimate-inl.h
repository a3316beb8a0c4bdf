// Stage 3, one pattern of partitions: how far the texels of each part lie from a line of their own,
// what colours lose on plainer lines, and where on its line each texel lies.
#if defined(TESSERA_ASTC_PATTERN_ESTIMATE_INL_H_) == defined(TESSERA_TARGET_TOGGLE)
#ifdef TESSERA_ASTC_PATTERN_ESTIMATE_INL_H_
#undef TESSERA_ASTC_PATTERN_ESTIMATE_INL_H_
#else
#define TESSERA_ASTC_PATTERN_ESTIMATE_INL_H_
#endif

#include <cmath>

#include "astc/encode/encoder_scope.h"
#include "astc/encode/rank_part_planes-inl.h"
#include "astc/encode/score_patterns-inl.h"

TESSERA_TARGET_BEGIN();
namespace tessera::astc::TESSERA_TARGET {

TESSERA_INLINE F32 dot(const F32 a[4], const F32 b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// The leading eigenvector of a 2x2 matrix, and its eigenvalue.
struct PlanarAxis {
  F32 a, b, energy;
};

TESSERA_INLINE PlanarAxis leading_axis(const Spread& s) {
  const F32 half = all_lanes_f32(0.5F);
  const F32 difference = (s.aa - s.bb) * half;
  const F32 radius = lanes::square_root(difference * difference + s.ab * s.ab);
  const LaneMask a_leads = s.aa > s.bb;
  // Of the two forms of the eigenvector, the one without cancellation.
  F32 a = lanes::select(a_leads, difference + radius, s.ab);
  F32 b = lanes::select(a_leads, s.ab, radius - difference);
  const F32 length = lanes::square_root(a * a + b * b);
  const LaneMask usable = length > all_lanes_f32(0);
  const F32 shorten = all_lanes_f32(1) / lanes::select(usable, length, all_lanes_f32(1));
  a = lanes::select(usable, a * shorten, all_lanes_f32(1));
  b = lanes::zero_unless(usable, b * shorten);
  return {a, b, s.trace() * half + radius};
}

// One part of a block under a pattern.
struct Part {
  F32 texels;
  Moments moments;
  Spread around_mean;
  PlanarAxis axis;
};

class PatternEstimate {
 public:
  // `planes` may be null: then no texel has alpha.
  TESSERA_INLINE PatternEstimate(const RankContext& context, const PlanarTexels& texels,
                                 const TexelPlanes* planes, const LanePatterns& pattern,
                                 unsigned partitions)
      : context_(context), texels_(texels), pattern_(pattern), partitions_(partitions) {
    find_opaque_parts(planes);
    measure_parts();
    measure_positions();
  }

  TESSERA_INLINE LaneMask is_opaque(unsigned p) const { return opaque_[p]; }

  TESSERA_INLINE Estimate estimate() const {
    F32 off_line = texels_.off_plane;
    for (unsigned p = 0; p < partitions_; ++p) {
      off_line = off_line + off_free_line(p);
    }
    return {off_line, squared_length_, &shape_, nullptr};
  }

  // What it adds to the distance if the colours of a part have to lie on a line through black, or
  // in HDR on one along the direction of greys. Alpha has values of its own.
  TESSERA_INLINE F32 cost_of_black(unsigned p) const {
    if (context_.is_hdr) {
      F32 grey[4];
      grey_direction(grey);
      return lanes::max(part_[p].around_mean.trace() - energy_with_alpha(part_[p], grey),
                        all_lanes_f32(0)) -
             off_free_line(p);
    }
    F32 mean[4];
    mean_color(part_[p], mean);
    const F32 length = lanes::square_root(lanes::max(dot(mean, mean), all_lanes_f32(1)));
    const F32 shorten = all_lanes_f32(1) / length;
    for (F32& component : mean) {
      component = component * shorten;
    }
    const F32 energy = energy_with_alpha(part_[p], mean);
    return lanes::max(part_[p].around_mean.trace() - energy, all_lanes_f32(0)) - off_free_line(p);
  }

  // The same if all its colours have to be greys.
  TESSERA_INLINE F32 cost_of_grey(unsigned p) const {
    F32 mean[4], grey[4];
    mean_color(part_[p], mean);
    grey_direction(grey);
    const F32 mean_on_grey = dot(mean, grey);
    const F32 off_grey = dot(mean, mean) - mean_on_grey * mean_on_grey;
    return part_[p].around_mean.trace() - energy_with_alpha(part_[p], grey) +
           part_[p].texels * off_grey - off_free_line(p);
  }

  // The number of texels that the rounding of endpoints counts for.
  TESSERA_INLINE F32 rounded_texels_of(F32 texels_inside) const {
    const F32 per_texel = all_lanes_f32(1.0F / static_cast<float>(context_.size.texel_count()));
    return rounded_texels(context_, texels_inside, squared_length_ * per_texel, nullptr,
                          texels_.mean);
  }

 private:
  TESSERA_INLINE void grey_direction(F32 grey[4]) const {
    for (unsigned i = 0; i < 4; ++i) {
      grey[i] = all_lanes_f32(i == 3 ? 0 : context_.grey[i]);
    }
  }

  // Without alpha.
  TESSERA_INLINE void mean_color(const Part& part, F32 mean[4]) const {
    const F32 per_texel = all_lanes_f32(1) / lanes::max(part.texels, all_lanes_f32(1));
    const F32 mean_a = part.moments.a * per_texel, mean_b = part.moments.b * per_texel;
    for (unsigned i = 0; i < 3; ++i) {
      mean[i] = texels_.mean[i] + mean_a * texels_.axis_a[i] + mean_b * texels_.axis_b[i];
    }
    mean[3] = all_lanes_f32(0);
  }

  // Energy along the best line in the plane of a direction among colours, of length 1, and alpha.
  TESSERA_INLINE F32 energy_with_alpha(const Part& part, const F32 direction[4]) const {
    const F32 a = dot(direction, texels_.axis_a), b = dot(direction, texels_.axis_b);
    const F32 alpha_a = texels_.axis_a[3], alpha_b = texels_.axis_b[3];
    const Spread& s = part.around_mean;
    const F32 to_a = s.aa * a + s.ab * b, to_b = s.ab * a + s.bb * b;
    const Spread in_plane = {
        a * to_a + b * to_b, alpha_a * to_a + alpha_b * to_b,
        s.aa * alpha_a * alpha_a + s.bb * alpha_b * alpha_b + (s.ab + s.ab) * alpha_a * alpha_b};
    return leading_axis(in_plane).energy;
  }

  TESSERA_INLINE F32 off_free_line(unsigned p) const {
    return lanes::max(part_[p].around_mean.trace() - part_[p].axis.energy, all_lanes_f32(0));
  }

  TESSERA_INLINE LaneMask is_part(I32 partition, unsigned p) const {
    return partition == all_lanes(static_cast<int32_t>(p));
  }

  TESSERA_INLINE void find_opaque_parts(const TexelPlanes* planes) {
    for (unsigned p = 0; p < partitions_; ++p) {
      opaque_[p] = lanes::every_lane(true);
    }
    constexpr float kLeast = Family::kLeastOpaqueAlpha - 0.5F;  // less than a rounding away
    const F32 least = all_lanes_f32(kLeast * std::sqrt(context_.settings.channel_weights[3]));
    for (unsigned t = 0; planes != nullptr && t < context_.size.texel_count(); ++t) {
      const I32 partition = pattern_.of_texel(t);
      const LaneMask has_alpha = planes->at(3, t) < least;
      for (unsigned p = 0; p < partitions_; ++p) {
        opaque_[p] = opaque_[p] & !(is_part(partition, p) & has_alpha);
      }
    }
  }

  TESSERA_INLINE void measure_parts() {
    const F32 zero = all_lanes_f32(0);
    for (unsigned p = 0; p < partitions_; ++p) {
      part_[p].texels = zero;
      part_[p].moments = {zero, zero, zero, zero, zero};
    }
    const unsigned texel_count = context_.size.texel_count();
    for (unsigned t = 0; t < texel_count; ++t) {
      const F32 a = texels_.a[t], b = texels_.b[t];
      const Moments texel = {a, b, a * a, a * b, b * b};
      const I32 partition = pattern_.of_texel(t);
      for (unsigned p = 0; p < partitions_; ++p) {
        const LaneMask m = is_part(partition, p);
        part_[p].texels = part_[p].texels + lanes::zero_unless(m, all_lanes_f32(1));
        part_[p].moments = part_[p].moments +
                           Moments{lanes::zero_unless(m, texel.a), lanes::zero_unless(m, texel.b),
                                   lanes::zero_unless(m, texel.aa), lanes::zero_unless(m, texel.ab),
                                   lanes::zero_unless(m, texel.bb)};
      }
    }
    for (unsigned p = 0; p < partitions_; ++p) {
      const F32 per_texel = all_lanes_f32(1) / lanes::max(part_[p].texels, all_lanes_f32(1));
      part_[p].around_mean = spread(part_[p].moments, per_texel);
      part_[p].axis = leading_axis(part_[p].around_mean);
      point_to_brighter(part_[p].axis);
    }
  }

  // The ends of a line are stored in the order of their brightness, so on grids whose weights serve
  // texels of several parts it matters which end lies where. Ends that differ but little in colour
  // can be stored as equally bright.
  TESSERA_INLINE void point_to_brighter(PlanarAxis& axis) const {
    constexpr float kLittle = 0.1F;  // of the line's length; glows and icons lose by 0.05 and 0.2
    constexpr float kNever = 2.0F;   // more than any; HDR stores ends in other orders
    const F32 *const a = texels_.axis_a, *const b = texels_.axis_b;
    const F32 rise = axis.a * (a[0] + a[1] + a[2]) + axis.b * (b[0] + b[1] + b[2]);
    const LaneMask falls =
        rise < all_lanes_f32(kEncodesAll && context_.is_hdr ? -kNever : -kLittle);
    axis.a = lanes::select(falls, all_lanes_f32(0) - axis.a, axis.a);
    axis.b = lanes::select(falls, all_lanes_f32(0) - axis.b, axis.b);
  }

  TESSERA_INLINE void measure_positions() {
    const unsigned texel_count = context_.size.texel_count();
    F32 position[kLaneTexels];
    for (unsigned t = 0; t < texel_count; ++t) {
      const I32 partition = pattern_.of_texel(t);
      F32 a = part_[0].axis.a, b = part_[0].axis.b;
      for (unsigned p = 1; p < partitions_; ++p) {
        a = lanes::select(is_part(partition, p), part_[p].axis.a, a);
        b = lanes::select(is_part(partition, p), part_[p].axis.b, b);
      }
      position[t] = texels_.a[t] * a + texels_.b[t] * b;
    }
    F32 shares[kLaneTexels];
    squared_length_ = scale_positions(pattern_, partitions_, texel_count, position, shares);
    measure_shape(context_.tables, context_.size, context_.settings.measures_rounding, position,
                  shares, shape_);
  }

  const RankContext& context_;
  const PlanarTexels& texels_;
  const LanePatterns& pattern_;
  unsigned partitions_;
  Part part_[kMaxPartitions];
  LaneMask opaque_[kMaxPartitions];
  F32 squared_length_;
  PlaneShape shape_;
};

// With alpha there is so much code that devices had better call it than copy it (TESSERA_CALLED).
struct CalledPatternEstimate : PatternEstimate {
  TESSERA_CALLED CalledPatternEstimate(const RankContext& context, const PlanarTexels& texels,
                                       const TexelPlanes* planes, const LanePatterns& pattern,
                                       unsigned partitions)
      : PatternEstimate(context, texels, planes, pattern, partitions) {}
};

}  // namespace tessera::astc::TESSERA_TARGET
TESSERA_TARGET_END();

#endif  // TESSERA_ASTC_PATTERN_ESTIMATE_INL_H_
